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

// bucket returns an empty bucket, and the shared in it.
func bucket(t testing.TB) (files, shared blob.Store) {
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
	shared, err = s.Apart(live.SnapshotFolder)
	if err != nil {
		t.Fatal(err)
	}
	return s, shared
}

// region returns a service that has no snapshot of its own but those on the
// shared, and writes one as soon as there is something new.
func (r *rig) region(shared blob.Store, log io.Writer) *live.Service {
	s := r.service("", log)
	s.Snapshots = &live.SharedSnapshots{Blobs: shared, Random: rand.Reader, Every: 20 * time.Millisecond}
	return s
}

// snapshots returns the keys on a shared.
func snapshots(t testing.TB, shared blob.Store) (keys []string) {
	t.Helper()
	for info, err := range shared.All(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, info.Key)
	}
	return keys
}

// awaitShared waits until the shared has a snapshot of all that the store has.
func (r *rig) awaitShared(s *live.Service) {
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
	files, shared := bucket(t)
	kept := r.create(page("maple", octavo.Published, ""))
	hidden := r.create(page("nutmeg", octavo.Published, ""))
	us := r.region(shared, nil)
	stop := r.run(us)
	r.awaitShared(us)
	var log octavotest.Log
	eu := r.region(shared, &log)
	r.run(eu)
	if have := log.String(); !strings.Contains(have, "starts from a shared snapshot") || !strings.Contains(have, "read=0") {
		t.Errorf("have the log %q, want that nothing was read", have)
	}
	stop()

	fresh := r.create(page("oak", octavo.Published, kept.ID))
	r.update(hidden.ID, pagestore.Change{Status: ref(octavo.Draft)})
	r.wantFound(eu, public, "oak", fresh.ID)
	r.wantFound(eu, public, "nutmeg")
	again := r.region(shared, nil) // from a snapshot that does not know
	r.run(again)
	r.wantFound(again, public, "oak", fresh.ID)
	r.wantFound(again, public, "nutmeg")
	r.wantFound(again, everyone, "nutmeg", hidden.ID)

	for info, err := range files.All(t.Context()) {
		t.Errorf("the snapshots are among the files of assets: %v, %v", info, err)
	}
	findings, damaged, err := live.SharedDifferences(t.Context(), r.st, shared)
	if err != nil || len(findings) > 0 || damaged != "" {
		t.Errorf("have %v, %q damaged, %v; want nothing", findings, damaged, err)
	}
}

// What is on the shared and cannot be used costs time and nothing else. The
// newest that can be is chosen.
func TestUnusableSharedSnapshots(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		// harm gets the newest snapshot and its key.
		harm    func(r *rig, shared blob.Store, key string, whole []byte)
		log     string
		damaged bool
	}{
		{"none", func(*rig, blob.Store, string, []byte) {}, "read=3", false},
		{"truncated", func(r *rig, shared blob.Store, key string, whole []byte) { r.keep(shared, key, whole[:len(whole)/2]) }, "is damaged", true},
		{"empty", func(r *rig, shared blob.Store, key string, _ []byte) { r.keep(shared, key, nil) }, "is damaged", true},
		{"altered", func(r *rig, shared blob.Store, key string, whole []byte) {
			whole[len(whole)/2] ^= 1
			r.keep(shared, key, whole)
		}, "is damaged", true},
		{"of another position", func(r *rig, shared blob.Store, key string, whole []byte) {
			r.keep(shared, at(key, 5), whole)
		}, "is damaged", false},
		{"of another version", func(r *rig, shared blob.Store, key string, whole []byte) {
			r.keep(shared, strings.Replace(key, search.Version(), strings.Repeat("0", 12), 1), whole)
		}, "no shared search snapshot can be used", false},
		{"of the future", func(r *rig, shared blob.Store, key string, whole []byte) {
			r.keep(shared, at(key, 60), whole)
		}, "no shared search snapshot can be used", false},
		{"something else", func(r *rig, shared blob.Store, _ string, whole []byte) { r.keep(shared, "somethingelse", whole) }, "read=3", false},
		{"the newest of two is damaged", func(r *rig, shared blob.Store, key string, whole []byte) {
			r.keep(shared, key, whole)
			r.create(page("rowan", octavo.Draft, ""))
			r.keep(shared, at(key, 7), whole[:99])
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
			r.awaitShared(s)
			stop()
			keys := snapshots(t, first)
			key := slices.Max(keys)
			_, shared := bucket(t)
			c.harm(r, shared, key, r.whole(first, key))
			findings, damaged, err := live.SharedDifferences(t.Context(), r.st, shared)
			if err != nil || len(findings) > 0 || (damaged != "") != c.damaged {
				t.Errorf("have %v, %q damaged, %v; want one that is damaged: %t", findings, damaged, err, c.damaged)
			}
			var log octavotest.Log
			s = r.region(shared, &log)
			r.run(s)
			r.wantFound(s, public, "pine", want...)
			if have := log.String(); !strings.Contains(have, c.log) {
				t.Errorf("have the log %q, want %q", have, c.log)
			}
			r.create(page("quince", octavo.Published, ""))
			r.awaitShared(s) // and goes on to share
			r.until("wait until what is of the future is removed", func() bool {
				return !slices.ContainsFunc(snapshots(t, shared), func(have string) bool { return have == at(key, 60) })
			})
		})
	}
}

// A process that began before anything was written shares the first pages soon,
// and not one look later.
func TestShareFirstPages(t *testing.T) {
	t.Parallel()
	r := postgres(t)
	_, shared := bucket(t)
	s := r.service("", nil)
	s.Snapshots = &live.SharedSnapshots{Blobs: shared, Random: bytes.NewReader(make([]byte, 1024)), Every: time.Hour} // first 20 ms, then 6 minutes
	r.run(s)
	<-time.After(200 * time.Millisecond) // nobody writes for a while
	r.create(page("maple", octavo.Published, ""))
	r.awaitShared(s)
}

// at returns the key of a snapshot at another position.
func at(key string, position int) string {
	from := len("ix") + len(search.Version())
	return key[:from] + fmt.Sprintf("%016x", position) + key[from+16:]
}

func (r *rig) keep(shared blob.Store, key string, content []byte) {
	r.Helper()
	r.noError(shared.Put(r.Context(), key, bytes.NewReader(content)), "put a snapshot")
}

func (r *rig) whole(shared blob.Store, key string) []byte {
	r.Helper()
	f, err := shared.Open(r.Context(), key)
	r.noError(err, "open a snapshot")
	defer f.Close() //nolint:errcheck // it is only read
	content, err := io.ReadAll(f)
	r.noError(err, "read a snapshot")
	return content
}
