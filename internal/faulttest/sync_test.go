package faulttest

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// Killing a process loses no written data, synced or not. So a trace shows that each
// response to a change leaves after a sync of the write-ahead log that began after the
// change was written: first for one client at a time, so that syncs of others do not
// count, then for several.
func TestAnswerAfterSync(t *testing.T) {
	t.Parallel()
	const alone, together = 40, 40 // operations, of each writer
	in := onSQLite(t)
	s := in.serve(t)
	f := &figures{t: t}
	list := newWriters(newAPI(t, s.url, in.token(t)), 2, writers, f)
	out := filepath.Join(t.TempDir(), "trace")
	trace := attach(t, s.pid(), "-y", "-s", "24", "-o", out, "-e", "trace=read,write,writev,sendto,sendmsg,pwrite64,pwritev,fsync,fdatasync")
	operate := func(w *writer, n int) {
		for range n {
			if err := w.work(t.Context()); err != nil {
				t.Error(err)
				return
			}
		}
	}
	operate(list[0], alone)
	var group sync.WaitGroup
	for _, w := range list {
		group.Go(func() { operate(w, together) })
	}
	group.Wait()
	trace.detach()
	verify(t.Context(), f, list)

	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	answers, early := syncOrder(moments(string(text)))
	for _, e := range early {
		t.Error(e)
	}
	if want := alone + writers*together; answers != want {
		t.Errorf("the trace has %d answers to changes, want %d", answers, want)
	}
	t.Logf("seed %d: %d answers to changes, %d before their sync", *seed, answers, len(early))
}

var (
	socketForm = regexp.MustCompile(`^\w+\(\d+<socket:\[(\d+)\]>, "?(.*)`)
	logForm    = regexp.MustCompile(`^\w+\(\d+<[^>]*octavo\.db-wal>`)
)

// exchange is a request on a connection that is not answered yet.
type exchange struct {
	text    string // what was read of it
	written bool   // the log was, since it arrived
	synced  bool   // so was that
}

// syncOrder returns the number of successful writes, and those whose response left before
// a sync.
func syncOrder(list []moment) (answers int, early []string) {
	open := map[string]*exchange{}               // by socket
	syncing := map[string]map[string]*exchange{} // by thread: what its sync covers
	for i, m := range list {
		socket := socketForm.FindStringSubmatch(m.text)
		switch {
		case m.name == "read" && m.ends && m.result > 0 && socket != nil:
			x := open[socket[1]]
			if x == nil {
				x = &exchange{}
				open[socket[1]] = x
			}
			_, read, _ := strings.Cut(m.text, `, "`)
			x.text += read[:min(m.result, len(read))]
		case strings.HasPrefix(m.name, "pwrite") && m.ends && m.result > 0 && logForm.MatchString(m.text):
			for _, x := range open {
				x.written = true
			}
		case (m.name == "fsync" || m.name == "fdatasync") && logForm.MatchString(m.text):
			if m.begins {
				syncing[m.thread] = maps.Clone(open)
				maps.DeleteFunc(syncing[m.thread], func(_ string, x *exchange) bool { return !x.written })
			}
			if m.ends && m.result == 0 {
				for _, x := range syncing[m.thread] {
					x.synced = true
				}
			}
		case m.begins && socket != nil && strings.HasPrefix(socket[2], "HTTP/1.1 ") && open[socket[1]] != nil:
			x := open[socket[1]]
			delete(open, socket[1])
			if strings.HasPrefix(x.text, "GET") || !strings.HasPrefix(socket[2], "HTTP/1.1 2") {
				continue
			}
			answers++
			if !x.synced {
				early = append(early, fmt.Sprintf("moment %d: %s: answered before its sync", i, m.text))
			}
		}
	}
	return answers, early
}

func TestSyncOrderBites(t *testing.T) {
	t.Parallel()
	const (
		request = `7 read(9<socket:[1]>, "POST /v1/pages"..., 4096) = 300` + "\n"
		write   = `8 pwrite64(3</d/octavo.db-wal>, "x"..., 4096, 0) = 4096` + "\n"
		synced  = `8 fsync(3</d/octavo.db-wal>) = 0` + "\n"
		begun   = `8 fsync(3</d/octavo.db-wal> <unfinished ...>` + "\n"
		ended   = `8 <... fsync resumed>) = 0` + "\n"
		failed  = `8 fsync(3</d/octavo.db-wal>) = -1 EIO (Input/output error)` + "\n"
		created = `7 write(9<socket:[1]>, "HTTP/1.1 201 Created"..., 900) = 900` + "\n"
		read    = `7 read(9<socket:[1]>, "G", 1) = 1` + "\n" + `7 read(9<socket:[1]>, "ET /v1/pages"..., 4096) = 80` + "\n"
		other   = `8 fsync(4</d/octavo.db>) = 0` + "\n"
	)
	for _, c := range []struct {
		name, trace    string
		answers, early int
	}{
		{"in order", request + write + synced + created, 1, 0},
		{"in order, in parts", request + write + begun + ended + created, 1, 0},
		{"no sync", request + write + created, 1, 1},
		{"sync before the write", request + synced + write + created, 1, 1},
		{"sync of what came before", write + request + synced + created, 1, 1},
		{"sync not ended", request + write + begun + created + ended, 1, 1},
		{"sync begun before the write", request + begun + write + ended + created, 1, 1},
		{"sync failed", request + write + failed + created, 1, 1},
		{"sync of another file", request + write + other + created, 1, 1},
		{"a read", read + created, 0, 0},
		{"the second of two", request + write + synced + created + request + created, 2, 1},
	} {
		answers, early := syncOrder(moments(c.trace))
		if answers != c.answers || len(early) != c.early {
			t.Errorf("%s:\n%shave %d answers, early %q; want %d, %d", c.name, c.trace, answers, early, c.answers, c.early)
		}
	}
}
