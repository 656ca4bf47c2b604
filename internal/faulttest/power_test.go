package faulttest

import (
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

// After a power failure the disk has everything that was synced, and any part of later
// writes, in any order and torn. Such disks are built from a trace of all writes of a
// server, up to random moments. A server started on one has every write answered by then,
// and all or nothing of the running one.
func TestPowerLoss(t *testing.T) {
	t.Parallel()
	in := onSQLite(t)
	s := in.serve(t, "--process-roles", "api,auth") // nothing but the writer writes
	f := &figures{t: t}
	w := newWriters(newAPI(t, s.url, in.token(t)), 31, 1, f)[0]
	for range 20 {
		if err := w.work(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	states := []map[octavo.ID]state{w.states()}
	data := in.storage[1]
	base := disk{}
	for _, name := range []string{"octavo.db", "octavo.db-wal"} {
		text, err := os.ReadFile(filepath.Join(data, name))
		if err != nil {
			t.Fatal(err)
		}
		base[name] = text
	}
	out := filepath.Join(t.TempDir(), "trace")
	trace := attach(t, s.pid(), "-y", "-xx", "-s", "70000", "-o", out, "-e", "trace=write,writev,sendto,sendmsg,pwrite64,pwritev,ftruncate,fsync,fdatasync")
	for range 80 {
		if err := w.work(t.Context()); err != nil {
			t.Fatal(err)
		}
		states = append(states, w.states())
	}
	trace.detach()
	s.kill()
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	steps := diskSteps(t, data, moments(string(text)))
	if have := slices.IndexFunc(steps, func(s diskStep) bool { return s.file == "" }); have < 0 {
		t.Fatal("the trace has no answers")
	}
	rng := chance(31<<16 - 1)
	dropped := 0
	for range *losses {
		at := rng.IntN(len(steps) + 1)
		lost, answered, without := base.lose(steps[:at], rng)
		dropped += without
		copied := onSQLite(t)
		for name, text := range lost {
			if err := os.WriteFile(filepath.Join(copied.storage[1], name), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		again := copied.serve(t, "--process-roles", "api,auth")
		stored, err := everything(t.Context(), newAPI(t, again.url, w.api.token))
		if err != nil {
			t.Fatal(err)
		}
		discussed, err := allProposals(t.Context(), newAPI(t, again.url, w.api.token))
		if err != nil {
			t.Fatal(err)
		}
		again.stop(t)
		copied.doctor(t)
		have := map[octavo.ID]state{}
		for id, p := range stored {
			have[id] = stateOf(p, 0)
		}
		for id, p := range discussed {
			have[id] = p.state().page()
		}
		if !maps.Equal(have, states[answered]) && (answered+1 == len(states) || !maps.Equal(have, states[answered+1])) {
			t.Errorf("seed %d: the power goes at step %d of %d, when %d were answered: what is there is neither that nor one more", *seed, at, len(steps), answered)
		}
	}
	if dropped == 0 && *losses > 5 {
		t.Error("no write was lost: the simulation shows nothing")
	}
	t.Logf("seed %d: %d losses of power among %d steps, %d writes lost, %s", *seed, *losses, len(steps), dropped, f)
}

// states returns the expected states.
func (w *writer) states() map[octavo.ID]state {
	states := map[octavo.ID]state{}
	for _, p := range w.pages {
		if !p.deleted {
			states[p.id] = p.state
			one := states[p.id]
			one.version = 0
			states[p.id] = one
		}
	}
	for _, p := range w.proposals {
		states[p.id] = p.page()
	}
	return states
}

// page returns the proposal in the form of a page.
func (p proposed) page() state {
	return state{title: string(p.status), version: p.version<<32 + int64(p.changes)}
}

// disk has the content of the database files by name.
type disk map[string][]byte

// diskStep is an operation on a file or, without one, a response.
type diskStep struct {
	file   string
	at     int64  // of a write, in bytes
	data   []byte // of a write
	cut    bool   // the file was cut to at
	syncs  bool   // what was written before begins was synced
	begins int    // the step before which a sync began
}

var (
	fileForm   = regexp.MustCompile(`^(\w+)\(\d+<([^>]*)>(?:, (.*))?\) += (-?\d+)`)
	writeForm  = regexp.MustCompile(`^"((?:\\x[0-9a-f]{2})*)", (\d+), (\d+)$`)
	answerForm = regexp.MustCompile(`^\w+\(\d+<([^>]*)>, .*"\\x48\\x54\\x54\\x50\\x2f\\x31\\x2e\\x31\\x20\\x32`) // HTTP/1.1 2
)

// diskSteps reads the operations on files in a folder, and the responses, from a trace.
func diskSteps(t testing.TB, folder string, list []moment) (steps []diskStep) {
	t.Helper()
	begun := map[string]int{} // by thread
	for _, m := range list {
		answer := answerForm.FindStringSubmatch(m.text)
		if m.begins && answer != nil && strings.HasPrefix(unhex(answer[1]), "socket:") {
			steps = append(steps, diskStep{})
		}
		if m.begins {
			begun[m.thread] = len(steps)
		}
		parts := fileForm.FindStringSubmatch(m.text)
		if !m.ends || m.result < 0 || parts == nil {
			continue
		}
		// -y writes the path as -xx has it.
		name, err := filepath.Rel(folder, unhex(parts[2]))
		if err != nil || name != "octavo.db" && name != "octavo.db-wal" {
			continue
		}
		switch m.name {
		case "pwrite64":
			written := writeForm.FindStringSubmatch(parts[3])
			if written == nil {
				t.Fatalf("a write that is not understood: %.200s", m.text)
			}
			at, err := strconv.ParseInt(written[3], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			steps = append(steps, diskStep{file: name, at: at, data: []byte(unhex(written[1]))})
		case "ftruncate":
			at, err := strconv.ParseInt(parts[3], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			steps = append(steps, diskStep{file: name, at: at, cut: true})
		case "fsync", "fdatasync":
			steps = append(steps, diskStep{file: name, syncs: true, begins: begun[m.thread]})
		default:
			t.Fatalf("a call that is not understood: %.200s", m.text)
		}
	}
	return steps
}

// unhex reads a text in which bytes may be written as \x61.
func unhex(text string) string {
	if !strings.Contains(text, `\x`) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if n, err := strconv.ParseUint(text[min(i+2, len(text)):min(i+4, len(text))], 16, 8); err == nil && text[i] == '\\' {
			b.WriteByte(byte(n))
			i += 3
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// sector is the atomic unit of a disk in bytes.
const sector = 512

// lose returns the disk after a power failure behind some steps, the number of responses
// sent by then, and the number of lost writes.
func (d disk) lose(steps []diskStep, rng *rand.Rand) (left disk, answered, lost int) {
	synced := map[string]int{} // the step before which all is on the disk
	for _, s := range steps {
		if s.file == "" {
			answered++
		}
		if s.syncs {
			synced[s.file] = max(synced[s.file], s.begins)
		}
	}
	left = disk{}
	for name, text := range d {
		left[name] = append([]byte(nil), text...)
	}
	for i, s := range steps {
		if s.file == "" || s.syncs {
			continue
		}
		data := s.data
		if i >= synced[s.file] {
			switch rng.IntN(5) {
			case 0, 1:
				lost++
				continue
			case 2:
				data = data[:rng.IntN(len(data)/sector+1)*sector] // torn
			}
		}
		file := left[s.file]
		if s.cut {
			if s.at < int64(len(file)) {
				file = file[:s.at]
			}
			left[s.file] = append(file, make([]byte, s.at-int64(len(file)))...)
			continue
		}
		if end := s.at + int64(len(data)); end > int64(len(file)) {
			file = append(file, make([]byte, end-int64(len(file)))...)
		}
		copy(file[s.at:], data)
		left[s.file] = file
	}
	return left, answered, lost
}

// The simulation detects a disk that loses synced data, as it would a server that answers
// before its sync.
func TestPowerLossBites(t *testing.T) {
	t.Parallel()
	write := diskStep{file: "octavo.db-wal", data: make([]byte, 1024)}
	write.data[1023] = 1
	synced := diskStep{file: "octavo.db-wal", syncs: true, begins: 1}
	early := diskStep{file: "octavo.db-wal", syncs: true, begins: 0}
	for _, c := range []struct {
		name  string
		steps []diskStep
		sure  bool // that the write is there
	}{
		{"synced", []diskStep{write, synced, {}}, true},
		{"not synced", []diskStep{write, {}}, false},
		{"written while it was synced", []diskStep{write, early, {}}, false},
		{"another file was synced", []diskStep{write, {file: "octavo.db", syncs: true, begins: 1}, {}}, false},
	} {
		rng, there := chance(32), 0
		for range 100 {
			left, answered, _ := disk{"octavo.db-wal": nil}.lose(c.steps, rng)
			if answered != 1 {
				t.Fatalf("%s: have %d answers, want 1", c.name, answered)
			}
			if text := left["octavo.db-wal"]; len(text) == 1024 && text[1023] == 1 {
				there++
			}
		}
		if c.sure != (there == 100) || there == 0 {
			t.Errorf("%s: the write is there in %d of 100, want in all: %t", c.name, there, c.sure)
		}
	}
	if have := unhex(`\x2f\x74mp`); have != "/tmp" {
		t.Errorf("have %q", have)
	}
}
