package faulttest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
)

// A steady load of clients on a fixed number of pages.
const (
	flatClients = 6
	flatPages   = 120
)

// flatSlack limits the growth between the middle and the end of the run.
const (
	flatHeap     = 12 << 20
	flatResident = 48 << 20
	flatPerWrite = 1.25 // bytes of the database for a write in the second half, to one in the first
	flatWAL      = 160 << 20
)

// flatSample has the resources of a server at one moment.
type flatSample struct {
	at time.Duration
	use
	database, wal, files int64 // bytes, bytes, number
	writes, requests     int64
}

// String returns the sample in one line.
func (f flatSample) String() string {
	return fmt.Sprintf("%7s: %8d requests, %7d writes; heap %5.1f MiB, resident %5.1f MiB, %3d goroutines, %3d handles; database %6.1f MiB, WAL %5.1f MiB, %d files",
		f.at.Round(time.Second), f.requests, f.writes, mib(f.heap), mib(f.resident), f.goroutines, f.handles, mib(int(f.database)), mib(int(f.wal)), f.files)
}

func mib(bytes int) float64 { return float64(bytes) / (1 << 20) }

// steady is a steady load.
type steady struct {
	t                *testing.T
	a                *api
	ids              [flatPages]octavo.ID
	own              [flatClients]octavo.ID // pages that only one client changes, by merging
	writes, requests atomic.Int64
}

// startSteady makes the pages.
func startSteady(t *testing.T, a *api) *steady {
	t.Helper()
	s := &steady{t: t, a: a}
	for i := range flatPages + flatClients {
		res, err := a.do(t.Context(), call{method: http.MethodPost, path: "/pages", body: object{
			"title": fmt.Sprint("Page ", i), "slug": fmt.Sprint("page-", i), "content": "# Page\n", "status": "published",
		}})
		if err != nil || res.status != http.StatusCreated {
			t.Fatalf("have %s, %v", res, err)
		}
		page, err := res.page()
		if err != nil {
			t.Fatal(err)
		}
		if i < flatPages {
			s.ids[i] = page.ID
		} else {
			s.own[i-flatPages] = page.ID
		}
	}
	return s
}

// client performs operations until ctx ends.
func (s *steady) client(ctx context.Context, number int) {
	rng := chance(99<<16 + uint64(number))
	var file octavo.ID
	for n := 0; ctx.Err() == nil; n++ {
		id := string(s.ids[rng.IntN(flatPages)])
		c, want := call{method: http.MethodGet, path: "/pages/" + id}, http.StatusOK
		switch {
		case file != "":
			c, want = call{method: http.MethodDelete, path: "/assets/" + string(file)}, http.StatusNoContent
			file = ""
		case n%16 == 1:
			c = call{method: http.MethodPatch, path: c.path, body: object{"content": fmt.Sprintf("# Edit %d of %d\n%s", n, number, strings.Repeat("word ", 150))}}
		case n%16 == 5:
			c = call{method: http.MethodGet, path: "/pages?limit=50&status=published"}
		case n%16 == 9:
			c = call{method: http.MethodGet, path: "/search?q=word"}
		case n%16 == 11:
			c, want = call{method: http.MethodPatch, path: c.path, body: object{"title": ""}}, http.StatusBadRequest
		case n%64 == 29:
			s.propose(ctx, s.own[number], fmt.Sprintf("Merge %d of %d", n, number))
			continue
		case n%64 == 13:
			res, asset, err := s.a.upload(ctx, fmt.Sprint("client ", number, " file ", n), 50_000)
			s.judge(ctx, call{method: http.MethodPost, path: "/assets"}, http.StatusAccepted, res, err)
			file = asset.ID
			continue
		}
		res, err := s.a.do(ctx, c)
		s.judge(ctx, c, want, res, err)
	}
}

// propose proposes a title of a page, merges that and reads it.
func (s *steady) propose(ctx context.Context, id octavo.ID, title string) {
	var p answered
	for _, c := range []struct {
		call
		want int
	}{
		{call{method: http.MethodPost, path: "/proposals", body: object{"title": title, "changes": []object{{"op": "update", "pageId": id, "title": title}}}}, http.StatusCreated},
		{call{method: http.MethodPost, path: "/proposals/%s/merge", body: object{}, match: "*"}, http.StatusOK},
		{call{method: http.MethodGet, path: "/pages/" + string(id)}, http.StatusOK},
	} {
		c.path = strings.Replace(c.path, "%s", string(p.ID), 1)
		res, err := s.a.do(ctx, c.call)
		s.judge(ctx, c.call, c.want, res, err)
		if ctx.Err() != nil || err != nil || res.status != c.want {
			return
		}
		if err := json.Unmarshal(res.body, &p); err != nil {
			s.t.Errorf("%s: %s, %v", c, res, err)
		}
	}
	if p.Title != title {
		s.t.Errorf("page %s has the title %q, want %q", id, p.Title, title)
	}
}

func (s *steady) judge(ctx context.Context, c call, want int, res answer, err error) {
	if ctx.Err() != nil {
		return
	}
	if err != nil || res.status != want {
		s.t.Errorf("%s: have %s, %v; want %d", c, res, err, want)
		return
	}
	s.requests.Add(1)
	if c.method != http.MethodGet && want < 300 {
		s.writes.Add(1)
	}
}

// sample measures.
func (s *steady) sample(in *installation, server *server, at time.Duration) flatSample {
	s.t.Helper()
	f := flatSample{at: at, use: server.use(s.t), writes: s.writes.Load(), requests: s.requests.Load()}
	data := in.storage[len(in.storage)-1]
	for name, size := range map[string]*int64{"octavo.db": &f.database, "octavo.db-wal": &f.wal} {
		if info, err := os.Stat(filepath.Join(data, name)); err == nil {
			*size = info.Size()
		}
	}
	files, err := filepath.Glob(filepath.Join(data, "files", "*", "??", "*"))
	if err != nil {
		s.t.Fatal(err)
	}
	f.files = int64(len(files))
	return f
}

// Under a steady load a server needs no more resources at the end than in the middle,
// except the database, which grows at a constant rate.
func TestStaysFlat(t *testing.T) {
	for name, install := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := install(t)
			server := in.serve(t, "--page-cache", "8MiB")
			s := startSteady(t, newAPI(t, server.url, in.token(t)))
			ctx, stop := context.WithCancel(t.Context())
			var group sync.WaitGroup
			for n := range flatClients {
				group.Go(func() { s.client(ctx, n) })
			}
			const parts = 8
			start := time.Now()
			samples := []flatSample{s.sample(in, server, 0)}
			look := time.NewTicker(*soak / parts)
			for range parts {
				<-look.C
				samples = append(samples, s.sample(in, server, time.Since(start)))
			}
			look.Stop()
			stop()
			group.Wait()
			for _, f := range samples {
				t.Log(name, f)
			}
			isFlat(t, samples[parts/4], samples[parts/2], samples[parts])
			// Those of requests that are under way come and go.
			until(t, "wait until requests have ended", func() error { return server.flat(t, samples[parts/2].use) })
			in.doctor(t)
			server.stop(t)
		})
	}
}

// isFlat compares samples after a quarter, half and all of the run.
func isFlat(t *testing.T, quarter, half, end flatSample) {
	t.Helper()
	if end.heap > half.heap+flatHeap || end.resident > half.resident+flatResident {
		t.Errorf("the server holds %+v, in the middle it was %+v", end.use, half.use)
	}
	if end.files > half.files+flatClients {
		t.Errorf("there are %d files, in the middle there were %d", end.files, half.files)
	}
	if end.wal > flatWAL {
		t.Errorf("the WAL has %d bytes, want %d at most", end.wal, flatWAL)
	}
	first := perWrite(quarter, half)
	second := perWrite(half, end)
	if first > 0 && second > first*flatPerWrite {
		t.Errorf("a write adds %.0f bytes to the database, in the first half it was %.0f", second, first)
	}
	t.Logf("a write adds %.0f bytes to the database, before it was %.0f", second, first)
}

// perWrite is the growth of the database per write between two samples. Data in the WAL is
// not in the database yet, so a short run shows nothing.
func perWrite(from, to flatSample) float64 {
	const least = 5000 // writes
	if to.writes-from.writes < least {
		return 0
	}
	return float64(to.database-from.database) / float64(to.writes-from.writes)
}
