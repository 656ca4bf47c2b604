package live_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// A region that is far behind finds less than there is, and shows nothing that
// is no longer to be seen; another one is not held up by it.
func TestRegionFarBehind(t *testing.T) {
	t.Parallel()
	r := postgres(t)
	_, shared := bucket(t)
	kept := r.create(page("maple", octavo.Published, ""))
	withdrawn := r.create(page("maple-withdrawn", octavo.Published, ""))
	deleted := r.create(page("maple-deleted", octavo.Published, ""))
	var stuck atomic.Bool
	goOn := make(chan struct{})
	far := live.New(live.Options{
		Store: r.st, Now: time.Now, Log: slog.New(slog.DiscardHandler),
		Format: func(p octavo.Page) markdown.Format { // is asked of each page that is taken in
			if stuck.Load() {
				<-goOn
			}
			return pages.FormatOf(p)
		},
	})
	r.run(far)
	near := r.region(shared, nil)
	r.run(near)
	stuck.Store(true)
	r.update(withdrawn.ID, pagestore.Change{Status: ref(octavo.Draft)})
	r.delete(deleted.ID, pagestore.ChildrenRefuse)
	fresh := r.create(page("maple-fresh", octavo.Published, ""))
	r.wantFound(near, public, "maple", kept.ID, fresh.ID)
	wantNow := func(s *live.Service, want ...octavo.ID) {
		t.Helper()
		found, err := s.Search(t.Context(), public, nil, search.Query{Text: "maple", Limit: 10})
		r.noError(err, "search")
		var have []octavo.ID
		for _, h := range found.Hits {
			have = append(have, octavo.ID(h.ID))
		}
		slices.Sort(have)
		if !slices.Equal(have, want) {
			t.Errorf("have %v, want %v", have, want)
		}
	}
	wantNow(far, kept.ID)
	for s, behind := range map[*live.Service]bool{far: true, near: false} {
		if lag, err := s.Lag(t.Context()); err != nil || lag < 0 || lag > 0 != behind {
			t.Errorf("have a lag of %d, %v; want one: %t", lag, err, behind)
		}
	}
	stuck.Store(false)
	close(goOn)
	r.wantFound(far, public, "maple", kept.ID, fresh.ID)
}

// A snapshot that the change log no longer reaches is not gone on from.
func TestSharedSnapshotsGrowTooOld(t *testing.T) {
	t.Parallel()
	var later atomic.Int64
	now := func() time.Time { return time.Now().Add(time.Duration(later.Load())) }
	r := &rig{t, octavotest.Start(t, octavotest.Options{PostgresURL: octavotest.Postgres(t), Now: now}).Store}
	_, shared := bucket(t)
	kept := r.create(page("pine", octavo.Published, ""))
	s := r.region(shared, nil)
	stop := r.run(s)
	r.awaitShared(s)
	stop()
	later.Add(int64(changelog.DefaultKeepChanges / 2))
	r.update(kept.ID, pagestore.Change{Title: ref("quince")})
	later.Add(int64(changelog.DefaultKeepChanges/2 + time.Hour))
	r.create(page("rowan", octavo.Published, ""))
	_, err := r.st.Sweep(t.Context(), octavo.Actor{ID: "a", Name: "A"})
	r.noError(err, "remove old changes")
	later.Add(int64(changelog.DefaultKeepChanges))
	r.create(page("sorrel", octavo.Published, ""))
	_, err = r.st.Sweep(t.Context(), octavo.Actor{ID: "a", Name: "A"})
	r.noError(err, "remove old changes")
	var log octavotest.Log
	s = r.region(shared, &log)
	r.run(s)
	r.wantFound(s, public, "quince", kept.ID)
	if have := log.String(); !strings.Contains(have, "no shared search snapshot can be used") || !strings.Contains(have, "read=3") {
		t.Errorf("have the log %q, want that all pages were read", have)
	}
}

// Of many snapshots some of the newest stay, and those that a program of
// another version may need for longer.
func TestRemoveOldSharedSnapshots(t *testing.T) {
	t.Parallel()
	r := postgres(t)
	_, shared := bucket(t)
	r.create(page("pine", octavo.Published, ""))
	s := r.region(shared, nil)
	stop := r.run(s)
	for n := range 4 {
		r.create(page(fmt.Sprint("oak-", n), octavo.Published, ""))
		r.awaitShared(s)
	}
	stop()
	before := snapshots(t, shared)
	if len(before) < 4 {
		t.Errorf("have %v: they were removed while somebody may read them", before)
	}
	other := strings.Replace(before[0], search.Version(), strings.Repeat("0", 12), 1)
	r.keep(shared, other, nil)
	for _, c := range []struct {
		later time.Duration
		want  int
	}{{2 * time.Hour, 4}, {8 * 24 * time.Hour, 3}} { // the one being written among them
		s = r.region(shared, nil)
		s.Now = func() time.Time { return time.Now().Add(c.later) }
		stop = r.run(s)
		r.create(page(fmt.Sprint("rowan-", c.want), octavo.Published, ""))
		r.awaitShared(s)
		r.until("wait until old ones are removed", func() bool {
			have := snapshots(t, shared)
			return len(have) <= c.want && slices.Contains(have, other) == (c.want == 4)
		})
		stop()
		if have := snapshots(t, shared); len(have) < 2 {
			t.Errorf("after %s: have %v", c.later, have)
		}
	}
}

// broken is a shared that cannot be reached.
type broken struct{ blob.Store }

var errBroken = errors.New("the bucket is away")

func (broken) Open(context.Context, string) (blob.File, error) { return nil, errBroken }
func (broken) Put(context.Context, string, io.Reader) error    { return errBroken }
func (b broken) Sweep(context.Context, time.Time) (int, error) { return 0, errBroken }

// A bucket that does not answer costs time and nothing else.
func TestShelfAway(t *testing.T) {
	t.Parallel()
	r := postgres(t)
	_, shared := bucket(t)
	kept := r.create(page("pine", octavo.Published, ""))
	s := r.region(shared, nil)
	stop := r.run(s)
	r.awaitShared(s)
	stop()
	var log octavotest.Log
	s = r.region(broken{shared}, &log)
	r.run(s)
	r.create(page("oak", octavo.Published, ""))
	r.wantFound(s, public, "pine", kept.ID)
	for _, want := range []string{"was not read", "was not shared"} {
		r.until("wait for the log to say: "+want, func() bool { return strings.Contains(log.String(), want) })
	}
}
