package assets_test

import (
	"context"
	"errors"
	"iter"
	"strings"
	"sync"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// slowFolder has something happen when it is listed first.
type slowFolder struct {
	blob.Store
	once      sync.Once
	meanwhile func()
}

func (f *slowFolder) All(ctx context.Context) iter.Seq2[blob.Info, error] {
	f.once.Do(f.meanwhile)
	return f.Store.All(ctx)
}

// TestStartBesideOneThatIsReady: of two that are started together the later one
// is not refused for what the other already does in their place, while this one
// still looks at it.
func TestStartBesideOneThatIsReady(t *testing.T) {
	t.Parallel()
	const key = "uploadupload"
	for name, c := range map[string]struct{ moved, removes bool }{
		"a new installation, and an upload": {},
		"after a move, and an upload":       {moved: true},
		"after a move, and a removal":       {moved: true, removes: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, id := testenv.Postgres(t), newInstallation(t).id
			place, asset := folder(t), octavo.ID("")
			named := func(i installation, blobs blob.Store) assets.Place {
				p := i.at(blobs)
				p.Where = "the place of both"
				return p
			}
			if c.moved {
				one, former := process(t, url, id), folder(t)
				claim(t, one.at(former))
				if c.removes {
					asset = addFile(t, one, former, key)
				}
				copyAll(t, former, place, false)
				if err := one.st.Close(); err != nil {
					t.Fatal(err)
				}
			}
			ready, late := process(t, url, id), process(t, url, id)
			claim(t, named(late, &slowFolder{Store: place, meanwhile: func() {
				claim(t, named(ready, place))
				var err error
				if c.removes {
					err = ready.st.Write(t.Context(), store.Cause{}, func(tx *store.Tx) error {
						_, err := tx.DeleteAsset(asset, true, nil)
						return err
					})
					err = errors.Join(err, place.Remove(t.Context(), key))
				} else {
					err = place.Put(t.Context(), key, strings.NewReader("its row comes later"))
				}
				if err != nil {
					t.Error(err)
				}
			}}))
		})
	}
}

// addFile puts a file into a place, and an asset that has it into the database.
func addFile(t *testing.T, i installation, place blob.Store, key string) (id octavo.ID) {
	t.Helper()
	if err := place.Put(t.Context(), key, strings.NewReader("x")); err != nil {
		t.Fatal(err)
	}
	err := i.st.Write(t.Context(), store.Cause{}, func(tx *store.Tx) error {
		a, _, err := tx.CreateAsset(store.NewAsset{Key: "address", ContentType: "text/plain", Name: "name", Blob: store.Blob{Key: key, Size: 1}})
		id = a.ID
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return id
}
