package assets_test

import (
	"context"
	"crypto/rand"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// TestPlaceOfAnotherName: a copy of a place has its mark, and is not taken for
// it while a server keeps files there.
func TestPlaceOfAnotherName(t *testing.T) {
	t.Parallel()
	url, id := testenv.Postgres(t), newInstallation(t).id
	place, duplicate := folder(t), folder(t)
	running, second := process(t, url, id), process(t, url, id)
	claim(t, running.at(place))
	copyAll(t, place, duplicate, true)
	wantRefused(t, second.claim(t.Context(), duplicate), "a server that runs keeps them", "the same name everywhere")
	claim(t, second.at(place))
	for _, p := range []installation{running, second} {
		if err := p.st.Close(); err != nil {
			t.Error(err)
		}
	}
	next := process(t, url, id)
	claim(t, next.at(duplicate))
	wantRefused(t, process(t, url, id).claim(t.Context(), place), "a server that runs keeps them")
}

// TestBucketOfSeveralAddresses: servers may reach their bucket by any of them.
func TestBucketOfSeveralAddresses(t *testing.T) {
	t.Parallel()
	url, id, place := testenv.Postgres(t), newInstallation(t).id, folder(t)
	for _, where := range []string{"the bucket s3://a:9000/docs?prefix=x", "the bucket s3://b/docs?prefix=x"} {
		p := process(t, url, id).at(place)
		p.Where = where
		claim(t, p)
	}
	for _, where := range []string{"the bucket s3://a:9000/other?prefix=x", "the bucket s3://a:9000/docs", "the folder /docs?prefix=x"} {
		p := process(t, url, id).at(place)
		p.Where = where
		wantRefused(t, p.Claim(t.Context(), rand.Reader), "the same name everywhere")
	}
}

// TestLostMark: a place without its mark is told from another one, and the mark
// may be put back.
func TestLostMark(t *testing.T) {
	t.Parallel()
	url, id := testenv.Postgres(t), newInstallation(t).id
	running, second, place := process(t, url, id), process(t, url, id), folder(t)
	claim(t, running.at(place))
	named, _, err := running.st.FilesPlace(t.Context())
	if err == nil {
		err = apart(t, place).Remove(t.Context(), named.Mark)
	}
	if err != nil {
		t.Fatal(err)
	}
	wantRefused(t, second.claim(t.Context(), place), "the mark "+named.Mark+" of this database's files is gone from that place", "another one of the same name")
	findings, err := second.at(place).Check(t.Context())
	if err != nil || len(findings) != 1 || !strings.Contains(findings[0].Subject, named.Mark) {
		t.Errorf("findings: %v, %v", findings, err)
	}
	if err := apart(t, place).Put(t.Context(), named.Mark, strings.NewReader("")); err != nil {
		t.Fatal(err)
	}
	claim(t, second.at(place))
}

// process opens a database that others have open too.
func process(t *testing.T, url string, id octavo.ID) installation {
	t.Helper()
	ids := octavo.NewIDSource(time.Now, rand.Reader)
	st, err := store.OpenPostgres(t.Context(), url, store.Options{Now: time.Now, IDs: ids, Connections: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := st.Close(); err != nil {
			t.Error(err)
		}
	})
	return installation{id, st}
}

// TestPlacesAtOnce: of two processes on a new database that are given different
// places, at the same moment or one after the other, one starts. Once it has
// stopped, and nothing was uploaded, the other one may.
func TestPlacesAtOnce(t *testing.T) {
	t.Parallel()
	url, id := testenv.Postgres(t), newInstallation(t).id
	places := []blob.Store{bucket(t), folder(t)}
	for round := range 4 {
		running := make([]installation, 6)
		for i := range running {
			running[i] = process(t, url, id)
		}
		claimed := make([]int, len(places))
		var group sync.WaitGroup
		var mu sync.Mutex
		for i, one := range running {
			group.Go(func() {
				err := one.claim(t.Context(), places[i%2])
				mu.Lock()
				defer mu.Unlock()
				if err == nil {
					claimed[i%2]++
				} else {
					wantRefused(t, err, "the files of this database are in that place")
				}
			})
		}
		group.Wait()
		if (claimed[0] > 0) == (claimed[1] > 0) {
			t.Fatalf("round %d: so many keep files in the places: %v; want some in one alone", round, claimed)
		}
		late := process(t, url, id)
		for i, place := range places {
			if err := late.claim(t.Context(), place); (err == nil) != (claimed[i] > 0) {
				t.Errorf("round %d: later, place %d: have %v, and %v that run", round, i, err, claimed)
			}
		}
		for _, one := range append(running, late) {
			if err := one.st.Close(); err != nil {
				t.Error(err)
			}
		}
		other := 0
		if claimed[0] > 0 {
			other = 1
		}
		next := process(t, url, id)
		claim(t, next.at(places[other]))
		if err := next.st.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestStartTogetherAfterAMove: of all that are started at once where the files were
// moved to, one has the database name that place, and no other is refused for it.
func TestStartTogetherAfterAMove(t *testing.T) {
	t.Parallel()
	for name, marks := range map[string]bool{"with marks": true, "without": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, id := testenv.Postgres(t), newInstallation(t).id
			place, moved := folder(t), bucket(t)
			one := process(t, url, id)
			claim(t, one.at(place))
			copyAll(t, place, moved, marks)
			if err := one.st.Close(); err != nil {
				t.Fatal(err)
			}
			next := make([]installation, 6)
			for i := range next {
				next[i] = process(t, url, id)
			}
			var group sync.WaitGroup
			for _, p := range next {
				group.Go(func() {
					if err := p.claim(t.Context(), moved); err != nil {
						t.Error(err)
					}
				})
			}
			group.Wait()
		})
	}
}

// TestMarkedBeforePlaces: an installation whose place was marked before databases
// named one stays there, with all of its processes.
func TestMarkedBeforePlaces(t *testing.T) {
	t.Parallel()
	url, id := testenv.Postgres(t), newInstallation(t).id
	place := bucket(t)
	one := process(t, url, id)
	claim(t, one.at(place))
	if err := one.st.ForgetFilesPlace(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := one.st.Close(); err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		next := process(t, url, id)
		group.Go(func() {
			if err := next.claim(t.Context(), place); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	n := 0
	for range apart(t, place).All(t.Context()) {
		n++
	}
	if n != 1 {
		t.Errorf("have %d marks, want the one that was there", n)
	}
}
