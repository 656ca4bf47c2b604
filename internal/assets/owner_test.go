package assets_test

import (
	"context"
	"crypto/rand"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store"
)

// installation is a database with its identifier.
type installation struct {
	id octavo.ID
	st *store.Store
}

func newInstallation(t *testing.T) installation {
	t.Helper()
	ids := octavo.NewIDSource(time.Now, rand.Reader)
	id, err := ids.New(octavo.PrefixInstallation)
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "octavo.db"), store.Options{Now: time.Now, IDs: ids})
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

func (i installation) at(blobs blob.Store) assets.Place {
	return assets.Place{Store: i.st, Blobs: blobs, Installation: i.id, Where: fmt.Sprintf("that place (%p)", blobs)}
}

func (i installation) claim(ctx context.Context, blobs blob.Store) error {
	return i.at(blobs).Claim(ctx, rand.Reader)
}

// wantRefused fails unless err says what all of the words say.
func wantRefused(t *testing.T, err error, words ...string) {
	t.Helper()
	for _, word := range words {
		if err == nil || !strings.Contains(err.Error(), word) {
			t.Errorf("have %v, want it to say %q", err, word)
		}
	}
}

// TestFilesHaveOneOwner: two databases cannot have their files in one place,
// since each would remove the other's.
func TestFilesHaveOneOwner(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, blobs blob.Store) {
		f := newFixture(t, blobs, nil)
		ours, theirs := newInstallation(t), newInstallation(t)
		for range 2 { // a server that starts again, or another one
			if err := ours.claim(t.Context(), blobs); err != nil {
				t.Fatal(err)
			}
		}
		wantRefused(t, theirs.claim(t.Context(), blobs), string(ours.id), string(theirs.id), "owner/")
		wantRefused(t, theirs.at(blobs).Owned(t.Context()), string(ours.id))
		if err := ours.at(blobs).Owned(t.Context()); err != nil {
			t.Error(err)
		}
		f.wantBlobs(t, 0) // the mark is none
		findings, err := theirs.at(blobs).Check(t.Context())
		if err != nil || len(findings) != 1 || !strings.Contains(findings[0].Subject, string(ours.id)) {
			t.Errorf("findings of the other: %v, %v", findings, err)
		}
		if findings, err := ours.at(blobs).Check(t.Context()); err != nil || len(findings) != 0 {
			t.Errorf("findings of the owner: %v, %v", findings, err)
		}
	})
}

// TestUnmarkedFiles: a place from before there were marks, or that was copied
// without, is that of the database that knows its files.
func TestUnmarkedFiles(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, blobs blob.Store) {
		f := newFixture(t, blobs, nil)
		f.upload(t, "text")
		theirs := newInstallation(t)
		wantRefused(t, theirs.claim(t.Context(), blobs), "does not know")
		ours := installation{newInstallation(t).id, f.st}
		wantRefused(t, ours.claim(t.Context(), folder(t)), "none of them is there")
		if err := ours.claim(t.Context(), blobs); err != nil {
			t.Error(err)
		}
	})
}

// TestClaimsAtOnce: of many servers that start at the same moment all those of
// one installation at most have the place, and of one installation alone all.
func TestClaimsAtOnce(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, blobs blob.Store) {
		defer func() {
			if err := blobs.Close(); err != nil {
				t.Error(err)
			}
		}()
		both := []installation{newInstallation(t), newInstallation(t)}
		var group sync.WaitGroup
		var mu sync.Mutex
		claimed := map[octavo.ID]int{}
		for i := range 8 {
			group.Go(func() {
				one := both[i%2]
				if one.claim(t.Context(), blobs) == nil {
					mu.Lock()
					defer mu.Unlock()
					claimed[one.id]++
				}
			})
		}
		group.Wait()
		if len(claimed) > 1 {
			t.Errorf("both have the place: %v", claimed)
		}
	})
	t.Run("one", func(t *testing.T) {
		blobs, one := folder(t), newInstallation(t)
		var group sync.WaitGroup
		for range 8 {
			group.Go(func() {
				if err := one.claim(t.Context(), blobs); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	})
}
