package live_test

import (
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// stepped is the clock of the machine, stepped to and fro.
type stepped struct{ by atomic.Int64 }

func (c *stepped) now() time.Time       { return time.Now().Add(time.Duration(c.by.Load())) }
func (c *stepped) step(d time.Duration) { c.by.Add(int64(d)) }

// TestClockSteps: what is written is found, and what is taken back is not,
// however the clock is stepped between: while the index follows, while it does
// not run, and when the change log was swept by a clock that was wrong.
func TestClockSteps(t *testing.T) {
	const year = 365 * 24 * time.Hour
	steps := []time.Duration{0, 2 * year, -3 * year, time.Hour, -time.Millisecond, year, -24 * time.Hour}
	for _, db := range []string{"sqlite", "postgres"} {
		t.Run(db, func(t *testing.T) {
			t.Parallel()
			clock := &stepped{}
			o := octavotest.Options{Now: clock.now}
			if db == "postgres" {
				o.PostgresURL = octavotest.Postgres(t)
			}
			r := &rig{t, octavotest.Start(t, o).Store}
			folder := filepath.Join(t.TempDir(), "search")
			service := func() *live.Service {
				s := r.service(folder, nil)
				s.Now = clock.now
				return s
			}
			s := service()
			stop := r.run(s)
			changing := r.create(page("changing", octavo.Published, ""))
			hidden := r.create(page("hidden", octavo.Published, ""))
			kept := []octavo.ID{}
			word := "none"
			write := func(name string) {
				gone := r.create(page("gone-"+name, octavo.Published, ""))
				p := page("kept-"+name, octavo.Published, "")
				p.Content = "willow"
				kept = append(kept, r.create(p).ID)
				word = name
				r.update(changing.ID, pagestore.Change{Content: ref("now " + name)})
				status := octavo.Draft
				if len(kept)%2 == 0 {
					status = octavo.Published
				}
				r.update(hidden.ID, pagestore.Change{Status: &status})
				r.delete(gone.ID, pagestore.ChildrenRefuse)
			}
			want := func(when string) {
				t.Helper()
				r.wantFound(s, public, "willow", kept...)
				r.wantFound(s, public, `"now `+word+`"`, changing.ID)
				r.wantFound(s, public, "gone")
				var shown []octavo.ID
				if len(kept)%2 == 0 {
					shown = []octavo.ID{hidden.ID}
				}
				r.wantFound(s, public, "hidden", shown...)
				if t.Failed() {
					t.Fatalf("%s: the clock is %s ahead", when, time.Duration(clock.by.Load()))
				}
			}
			for i, d := range steps {
				clock.step(d)
				write("following" + string(rune('a'+i)))
				want("followed")
			}
			for i, d := range steps {
				stop()
				clock.step(d)
				write("away" + string(rune('a'+i)))
				if i%3 == 1 { // as far as this clock is right, all of the log is old
					clock.step(2 * year)
					_, err := r.st.Sweep(t.Context(), octavo.Actor{})
					r.noError(err, "sweep")
					clock.step(-2 * year)
				}
				s = service()
				stop = r.run(s)
				want("started")
			}
			stop()
			findings, err := live.Differences(t.Context(), r.st, folder)
			if r.noError(err, "check"); len(findings) > 0 {
				t.Errorf("have the findings %v, want none", findings)
			}
		})
	}
}

// TestUnwritableFolders: where a folder may not be written the search
// works all the same, reads the snapshot that is there, leaves it as it is, and
// the log says what is wrong.
func TestUnwritableFolders(t *testing.T) {
	if testenv.AsNobody(t) { // root may write everywhere
		return
	}
	for name, c := range map[string]struct {
		used bool   // the folder has a snapshot
		want string // in the log
	}{
		"one of before": {true, "the search index was not saved"},
		"a new one":     {false, "the search index is not saved on disk"},
	} {
		t.Run(name, func(t *testing.T) {
			r := &rig{t, octavotest.Start(t, octavotest.Options{}).Store}
			folder := filepath.Join(t.TempDir(), "search")
			first := r.create(page("pine", octavo.Published, ""))
			if must(t, makeFolder(folder)); c.used {
				r.run(r.service(folder, nil))()
			}
			protect(t, folder)
			var log octavotest.Log
			s := r.service(folder, &log)
			stop := r.run(s)
			if read := "read=0"; c.used != strings.Contains(log.String(), read) {
				t.Errorf("have the log %q, want the snapshot read: %v", log.String(), c.used)
			}
			second := r.create(page("pine-too", octavo.Published, ""))
			r.wantFound(s, public, "pine", first.ID, second.ID)
			stop()
			if have := log.String(); !strings.Contains(have, c.want) || !strings.Contains(have, "permission denied") || strings.Contains(have, "another process") {
				t.Errorf("have the log %q, want it to say %q for want of permission", have, c.want)
			}
			s = r.service(folder, nil)
			r.run(s)
			r.wantFound(s, public, "pine", first.ID, second.ID)
		})
	}
}
