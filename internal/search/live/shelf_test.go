package live_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// bucket returns an empty bucket, and the shelf in it.
func bucket(t testing.TB) (files, shelf blob.Store) {
	t.Helper()
	s, err := blob.OpenS3(t.Context(), testenv.S3(t))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	shelf, err = s.Apart(live.ShelfName)
	if err != nil {
		t.Fatal(err)
	}
	return s, shelf
}

// region returns a service that has no snapshot of its own but those on the
// shelf, and writes one as soon as there is something new.
func (r *rig) region(shelf blob.Store, log io.Writer) *live.Service {
	s := r.service("", log)
	s.Shelf = &live.Shelf{Blobs: shelf, Random: rand.Reader, Every: 20 * time.Millisecond}
	return s
}

// snapshots returns the keys on a shelf.
func snapshots(t testing.TB, shelf blob.Store) (keys []string) {
	t.Helper()
	for info, err := range shelf.All(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, info.Key)
	}
	return keys
}

// shelved waits until the shelf has a snapshot of all that the store has.
func (r *rig) shelved(s *live.Service) {
	r.Helper()
	last, err := r.st.Log.Last(r.Context())
	r.noError(err, "read the position")
	r.until("wait for a shared snapshot", func() bool { return s.Stats().Shared >= last })
}

// until waits for a condition.
func (r *rig) until(doing string, true func() bool) {
	r.Helper()
	tick, late := time.NewTicker(5*time.Millisecond), time.After(patience)
	defer tick.Stop()
	for !true() {
		select {
		case <-tick.C:
		case <-late:
			r.Fatalf("%s: it took longer than %s", doing, patience)
		}
	}
}

// postgres is a rig as the processes of a large installation have it.
func postgres(t *testing.T) *rig {
	return &rig{t, octavotest.Start(t, octavotest.Options{PostgresURL: octavotest.Postgres(t)}).Store}
}

// Three regions: what the first one wrote spares the second to read the pages,
// and while one is away the others answer.
func TestRegionsBeginWithASharedSnapshot(t *testing.T) {
	t.Parallel()
	r := postgres(t)
	files, shelf := bucket(t)
	kept := r.create(page("maple", octavo.Published, ""))
	hidden := r.create(page("nutmeg", octavo.Published, ""))
	us := r.region(shelf, nil)
	stop := r.run(us)
	r.shelved(us)
	var log octavotest.Log
	eu := r.region(shelf, &log)
	r.run(eu)
	if have := log.String(); !strings.Contains(have, "begins with a shared snapshot") || !strings.Contains(have, "read=0") {
		t.Errorf("have the log %q, want that nothing was read", have)
	}
	stop()

	fresh := r.create(page("oak", octavo.Published, kept.ID))
	r.update(hidden.ID, pagestore.Change{Status: ref(octavo.Draft)})
	r.wantFound(eu, public, "oak", fresh.ID)
	r.wantFound(eu, public, "nutmeg")
	again := r.region(shelf, nil) // from a snapshot that does not know
	r.run(again)
	r.wantFound(again, public, "oak", fresh.ID)
	r.wantFound(again, public, "nutmeg")
	r.wantFound(again, everyone, "nutmeg", hidden.ID)

	for info, err := range files.All(t.Context()) {
		t.Errorf("the snapshots are among the files of assets: %v, %v", info, err)
	}
	findings, damaged, err := live.SharedDifferences(t.Context(), r.st, shelf)
	if err != nil || len(findings) > 0 || damaged != "" {
		t.Errorf("have %v, %q damaged, %v; want nothing", findings, damaged, err)
	}
}

// What is on the shelf and cannot be used costs time and nothing else. The
// newest that can be is chosen.
func TestSharedSnapshotsThatCannotBeUsed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		// harm is told the newest snapshot and its key.
		harm    func(r *rig, shelf blob.Store, key string, whole []byte)
		log     string
		damaged bool
	}{
		{"none", func(*rig, blob.Store, string, []byte) {}, "read=3", false},
		{"truncated", func(r *rig, shelf blob.Store, key string, whole []byte) { r.keep(shelf, key, whole[:len(whole)/2]) }, "is damaged", true},
		{"empty", func(r *rig, shelf blob.Store, key string, _ []byte) { r.keep(shelf, key, nil) }, "is damaged", true},
		{"altered", func(r *rig, shelf blob.Store, key string, whole []byte) {
			whole[len(whole)/2] ^= 1
			r.keep(shelf, key, whole)
		}, "is damaged", true},
		{"of another position", func(r *rig, shelf blob.Store, key string, whole []byte) {
			r.keep(shelf, at(key, 5), whole)
		}, "is damaged", false},
		{"of another version", func(r *rig, shelf blob.Store, key string, whole []byte) {
			r.keep(shelf, strings.Replace(key, search.Version(), strings.Repeat("0", 12), 1), whole)
		}, "no shared search snapshot can be used", false},
		{"of the future", func(r *rig, shelf blob.Store, key string, whole []byte) {
			r.keep(shelf, at(key, 60), whole)
		}, "no shared search snapshot can be used", false},
		{"something else", func(r *rig, shelf blob.Store, _ string, whole []byte) { r.keep(shelf, "somethingelse", whole) }, "read=3", false},
		{"the newest of two is damaged", func(r *rig, shelf blob.Store, key string, whole []byte) {
			r.keep(shelf, key, whole)
			r.create(page("rowan", octavo.Draft, ""))
			r.keep(shelf, at(key, 7), whole[:99])
		}, "position=6", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := postgres(t)
			_, first := bucket(t)
			var want []octavo.ID
			for n := range 3 {
				p := page("pine", octavo.Published, "")
				p.Slug = fmt.Sprint("pine-", n)
				want = append(want, r.create(p).ID)
			}
			s := r.region(first, nil)
			stop := r.run(s)
			r.shelved(s)
			stop()
			keys := snapshots(t, first)
			key := slices.Max(keys)
			_, shelf := bucket(t)
			c.harm(r, shelf, key, r.whole(first, key))
			findings, damaged, err := live.SharedDifferences(t.Context(), r.st, shelf)
			if err != nil || len(findings) > 0 || (damaged != "") != c.damaged {
				t.Errorf("have %v, %q damaged, %v; want one that is damaged: %t", findings, damaged, err, c.damaged)
			}
			var log octavotest.Log
			s = r.region(shelf, &log)
			r.run(s)
			r.wantFound(s, public, "pine", want...)
			if have := log.String(); !strings.Contains(have, c.log) {
				t.Errorf("have the log %q, want %q", have, c.log)
			}
			r.create(page("quince", octavo.Published, ""))
			r.shelved(s) // and goes on to share
			r.until("wait until what is of the future is removed", func() bool {
				return !slices.ContainsFunc(snapshots(t, shelf), func(have string) bool { return have == at(key, 60) })
			})
		})
	}
}

// A process that began before anything was written shares the first pages soon,
// and not one look later.
func TestTheFirstPagesAreSharedSoon(t *testing.T) {
	t.Parallel()
	r := postgres(t)
	_, shelf := bucket(t)
	s := r.service("", nil)
	s.Shelf = &live.Shelf{Blobs: shelf, Random: bytes.NewReader(make([]byte, 1024)), Every: time.Hour} // first 20 ms, then 6 minutes
	r.run(s)
	<-time.After(200 * time.Millisecond) // nobody writes for a while
	r.create(page("maple", octavo.Published, ""))
	r.shelved(s)
}

// at returns the key of a snapshot at another position.
func at(key string, position int) string {
	from := len("ix") + len(search.Version())
	return key[:from] + fmt.Sprintf("%016x", position) + key[from+16:]
}

func (r *rig) keep(shelf blob.Store, key string, content []byte) {
	r.Helper()
	r.noError(shelf.Put(r.Context(), key, bytes.NewReader(content)), "put a snapshot")
}

func (r *rig) whole(shelf blob.Store, key string) []byte {
	r.Helper()
	f, err := shelf.Open(r.Context(), key)
	r.noError(err, "open a snapshot")
	defer f.Close() //nolint:errcheck // it is only read
	content, err := io.ReadAll(f)
	r.noError(err, "read a snapshot")
	return content
}
