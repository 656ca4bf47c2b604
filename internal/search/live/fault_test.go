package live_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// TestPagesOfAnySize: what is in a page, and how much, keeps no other from
// being found.
func TestPagesOfAnySize(t *testing.T) {
	r := &rig{t, octavotest.Start(t, octavotest.Options{}).Store}
	size := 50 << 20
	if testing.Short() { // the race detector takes minutes for that
		size = 2 << 20
	}
	contents := map[string]string{
		"large":    strings.Repeat("# Heading\n\nSome words of a paragraph, and `code`.\n\n", size/50),
		"one-word": strings.Repeat("word ", 1_000_000),
		"no-space": strings.Repeat("x", 1<<20),
		"empty":    "",
		"blank":    strings.Repeat("\n", 1<<16),
		"nested":   strings.Repeat("> ", 1<<12) + "deep",
		"open":     strings.Repeat("[", 1<<14) + strings.Repeat("`", 1<<14),
	}
	want := []octavo.ID{r.create(page("willow", octavo.Published, "")).ID}
	for name, content := range contents {
		n := page(name, octavo.Published, "")
		n.Title, n.Content = "Willow", content
		want = append(want, r.create(n).ID)
	}
	s := r.service("", nil)
	r.run(s)
	r.wantFound(s, public, "willow", want...)
}

// TestLongPageBeginning: how long a page is bounds nothing, so what
// is indexed of it is bounded.
func TestLongPageBeginning(t *testing.T) {
	r := &rig{t, octavotest.Start(t, octavotest.Options{}).Store}
	n := page("willow", octavo.Published, "")
	n.Content = "First alder.\n\n" + strings.Repeat("Some words of a paragraph.\n\n", 4<<20/28) + "Last beech.\n"
	p := r.create(n)
	s := r.service("", nil)
	r.run(s)
	r.wantFound(s, public, "alder", p.ID)
	r.wantFound(s, public, "beech")
}

// TestForgetDeletedPages checks that deleted pages use no memory.
func TestForgetDeletedPages(t *testing.T) {
	r := &rig{t, octavotest.Start(t, octavotest.Options{}).Store}
	s := r.service("", nil)
	stop := r.run(s)
	kept := r.create(page("kept", octavo.Published, ""))
	for range 5 {
		r.delete(r.create(page("gone", octavo.Published, "")).ID, pagestore.ChildrenRefuse)
		r.wantFound(s, public, "gone")
	}
	r.wantFound(s, public, "kept", kept.ID)
	stop()
	if have := s.Known(); have != 1 {
		t.Errorf("have %d pages remembered, want the one that is there", have)
	}
}

// TestUnwritableSnapshots: an unwritable folder only slows the next start, and keeps the
// previous snapshot.
func TestUnwritableSnapshots(t *testing.T) {
	if testenv.AsNobody(t) { // root may write everywhere
		return
	}
	for name, c := range map[string]struct {
		harm  func(t *testing.T, folder string)
		saved bool // all the same
		kept  bool // the snapshot of before
	}{
		"full": {harm: func(t *testing.T, folder string) {
			must(t, os.Symlink("/dev/full", filepath.Join(folder, live.SnapshotFile+".new")))
		}, kept: true},
		"read-only": {harm: protect, kept: true},
		"half written": {harm: func(t *testing.T, folder string) {
			must(t, os.WriteFile(filepath.Join(folder, live.SnapshotFile+".new"), []byte("OCTAVOSX"), 0o600))
		}, saved: true},
		"removed later": {harm: func(t *testing.T, folder string) { must(t, os.RemoveAll(folder)) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := &rig{t, octavotest.Start(t, octavotest.Options{}).Store}
			folder := filepath.Join(t.TempDir(), "search")
			first := r.create(page("pine", octavo.Published, ""))
			r.run(r.service(folder, nil))()
			before, err := os.ReadFile(filepath.Join(folder, live.SnapshotFile))
			must(t, err)
			var log octavotest.Log
			s := r.service(folder, &log)
			stop := r.run(s)
			c.harm(t, folder)
			second := r.create(page("pine-too", octavo.Published, ""))
			r.wantFound(s, public, "pine", first.ID, second.ID)
			stop()
			if told := strings.Contains(log.String(), "the search index was not saved"); told == c.saved {
				t.Errorf("have the log %q, want it to tell of a failure: %v", log.String(), !c.saved)
			}
			after, err := os.ReadFile(filepath.Join(folder, live.SnapshotFile))
			if c.kept != (err == nil && bytes.Equal(before, after)) {
				t.Errorf("have %d bytes, %v; want the %d of before: %v", len(after), err, len(before), c.kept)
			}
			s = r.service(folder, nil)
			r.run(s)
			r.wantFound(s, public, "pine", first.ID, second.ID)
		})
	}
}

// makeFolder makes the folder of a snapshot.
func makeFolder(folder string) error { return os.MkdirAll(folder, 0o700) }

// protect forbids writing in a folder until the test ends.
func protect(t *testing.T, folder string) {
	t.Helper()
	must(t, os.Chmod(folder, 0o500))
	t.Cleanup(func() { must(t, os.Chmod(folder, 0o700)) }) // so that it can be removed
}

// TestSearchesEndInTime: a search that takes too long, and one too many, are
// errors that tell to come again.
func TestSearchesEndInTime(t *testing.T) {
	r := &rig{t, octavotest.Start(t, octavotest.Options{}).Store}
	r.create(page("yew", octavo.Published, ""))
	var told []error
	var mu sync.Mutex
	s := live.New(live.Options{
		Store: r.st, Format: pages.FormatOf, Now: time.Now, Log: r.service("", nil).Log, Index: search.Config{Timeout: time.Nanosecond},
		Observe: func(_ time.Duration, _ int, err error) {
			mu.Lock()
			defer mu.Unlock()
			told = append(told, err)
		},
	})
	r.run(s)
	_, err := s.Search(t.Context(), public, nil, search.Query{Text: "yew", Limit: 1})
	if !errors.Is(err, context.DeadlineExceeded) && !isUnavailable(err) {
		t.Errorf("have %v, want that it took too long", err)
	}
	if len(told) != 1 || told[0] == nil {
		t.Errorf("have told of %v, want of one failure", told)
	}
}

// TestFailingStore: an unavailable database ends a wait, and following continues when it
// is back.
func TestFailingStore(t *testing.T) {
	server := octavotest.Start(t, octavotest.Options{})
	r := &rig{t, server.Store}
	s := r.service("", nil)
	r.run(s)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Await(ctx); err == nil {
		t.Error("waiting with a context that has ended: have no error")
	}
	if _, err := s.Search(ctx, public, nil, search.Query{Text: "yew", Limit: 1}); err == nil {
		t.Error("searching with a context that has ended: have no error")
	}
	p := r.create(page("yew", octavo.Published, ""))
	r.wantFound(s, public, "yew", p.ID)
	r.delete(p.ID, pagestore.ChildrenRefuse)
	r.wantFound(s, public, "yew")
}

// TestFailedUpdates: a retried update continues from the end of the log and does not read
// all of it.
func TestFailedUpdates(t *testing.T) {
	onBoth(t, func(r *rig) {
		p := r.create(page("yew", octavo.Published, ""))
		r.create(page("oak", octavo.Published, ""))
		want, err := r.st.Log.Last(r.Context())
		r.noError(err, "ask where the log ends")
		have, err := r.service("", nil).Unfinished(r.Context(), p.ID)
		r.noError(err, "update")
		if have != want {
			r.Errorf("have the position %d, want %d", have, want)
		}
	})
}
