package live_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// A start reads the snapshot and takes in what was changed meanwhile.
func TestStartFromSnapshot(t *testing.T) {
	onBoth(t, func(r *rig) {
		folder := filepath.Join(r.TempDir(), "search")
		kept := r.create(page("maple", octavo.Published, ""))
		gone := r.create(page("nutmeg", octavo.Published, ""))
		s := r.service(folder, nil)
		r.run(s)()
		r.delete(gone.ID, pagestore.ChildrenRefuse)
		fresh := r.create(page("oak", octavo.Published, kept.ID))

		var log octavotest.Log
		s = r.service(folder, &log)
		stop := r.run(s)
		if !strings.Contains(log.String(), "read=2") {
			r.Errorf("have the log %q, want that 2 pages differed", log.String())
		}
		r.wantFound(s, public, "nutmeg")
		r.wantFound(s, public, "oak", fresh.ID)
		r.wantFound(s, public, "maple", kept.ID, fresh.ID)
		stop()
		findings, err := live.Differences(r.Context(), r.st, folder)
		r.noError(err, "check")
		if len(findings) > 0 {
			r.Errorf("have the findings %v, want none", findings)
		}
	})
}

// A snapshot that cannot be used costs time and nothing else.
func TestUnusableSnapshots(t *testing.T) {
	for name, harm := range map[string]func(t *testing.T, folder string){
		"removed":   func(t *testing.T, folder string) { must(t, os.RemoveAll(folder)) },
		"empty":     func(t *testing.T, folder string) { must(t, os.Truncate(filepath.Join(folder, live.SnapshotFile), 0)) },
		"truncated": func(t *testing.T, folder string) { must(t, os.Truncate(filepath.Join(folder, live.SnapshotFile), 100)) },
		"altered": func(t *testing.T, folder string) {
			path := filepath.Join(folder, live.SnapshotFile)
			text, err := os.ReadFile(path)
			must(t, err)
			text[len(text)/2] ^= 1
			must(t, os.WriteFile(path, text, 0o600))
		},
		"no folder": func(t *testing.T, folder string) {
			must(t, os.RemoveAll(folder))
			must(t, os.WriteFile(folder, nil, 0o600))
		},
		"no file": func(t *testing.T, folder string) {
			must(t, os.Remove(filepath.Join(folder, live.SnapshotFile)))
			must(t, os.MkdirAll(filepath.Join(folder, live.SnapshotFile, "x"), 0o700))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &rig{t, octavotest.Start(t, octavotest.Options{}).Store}
			folder := filepath.Join(t.TempDir(), "search")
			kept := r.create(page("pine", octavo.Published, ""))
			r.run(r.service(folder, nil))()
			harm(t, folder)
			s := r.service(folder, nil)
			stop := r.run(s)
			r.wantFound(s, public, "pine", kept.ID)
			stop()
		})
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// Of two that share a folder one keeps its index there; both answer.
func TestTwoOnOneFolder(t *testing.T) {
	r := &rig{t, octavotest.Start(t, octavotest.Options{}).Store}
	folder := filepath.Join(t.TempDir(), "search")
	var log octavotest.Log
	first, second := r.service(folder, nil), r.service(folder, &log)
	r.run(first)
	r.run(second)
	p := r.create(page("quince", octavo.Published, ""))
	r.wantFound(first, public, "quince", p.ID)
	r.wantFound(second, public, "quince", p.ID)
	if !strings.Contains(log.String(), "another process saves its own there") {
		t.Errorf("have the log %q, want that the index is not kept", log.String())
	}
}

// TestCheckFinds holds the snapshot of one store against another.
func TestCheckFinds(t *testing.T) {
	one := &rig{t, octavotest.Start(t, octavotest.Options{}).Store}
	two := &rig{t, octavotest.Start(t, octavotest.Options{}).Store}
	folder := filepath.Join(t.TempDir(), "search")
	one.create(page("rowan", octavo.Draft, ""))
	one.create(page("sorrel", octavo.Draft, ""))
	two.create(page("thorn", octavo.Draft, ""))
	two.create(page("thyme", octavo.Draft, "")) // as far as the index, which is else of a later state
	one.run(one.service(folder, nil))()
	for _, c := range []struct {
		r    *rig
		want int
	}{{one, 0}, {two, 4}} {
		findings, err := live.Differences(t.Context(), c.r.st, folder)
		if err != nil || len(findings) != c.want {
			t.Errorf("have %v, %v; want %d findings", findings, err, c.want)
		}
	}
}
