package assets_test

import (
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
)

// lose takes the bytes of an asset away behind the back of the service, all of
// them or all but some, as a restore without all files does.
func (f *fixture) lose(t *testing.T, asset octavo.Asset, left string) {
	t.Helper()
	file, err := f.st.Assets.ByKey(t.Context(), asset.Key)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.blobs.Remove(t.Context(), file.Blob); err != nil {
		t.Fatal(err)
	}
	if left == "" {
		return
	}
	if err := f.blobs.Put(t.Context(), file.Blob, strings.NewReader(left)); err != nil {
		t.Fatal(err)
	}
}

// TestUploadsBringLostBytesBack: an upload of bytes that an asset should have,
// and has not, is kept as any other, and the asset has them again.
func TestUploadsBringLostBytesBack(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, blobs blob.Store) {
		f := newFixture(t, blobs, nil)
		old := f.upload(t, "text")
		for _, left := range []string{"", "te"} {
			f.read(t, old) // so that it is known where they were
			f.lose(t, old, left)
			again := f.upload(t, "text")
			if have := f.read(t, again); have != "text" {
				t.Errorf("with %q left: the new asset has %q", left, have)
			}
			if have := f.read(t, old); have != "text" {
				t.Errorf("with %q left: the old asset has %q", left, have)
			}
			f.wantBlobs(t, 1)
		}
	})
}

// TestManyBringLostBytesBack: of many at once one does.
func TestManyBringLostBytesBack(t *testing.T) {
	t.Parallel()
	f := newFixture(t, folder(t), nil)
	old := f.upload(t, "text")
	for range 20 {
		f.lose(t, old, "")
		var group sync.WaitGroup
		for range 5 {
			group.Go(func() { f.upload(t, "text") })
		}
		group.Wait()
		if have := f.read(t, old); have != "text" {
			t.Errorf("have %q", have)
		}
		f.wantBlobs(t, 1)
	}
}

// TestDuplicateWithFailingStore: where nobody can tell whether the bytes
// are there, the upload counts all the same, and nothing is thrown away.
func TestDuplicateWithFailingStore(t *testing.T) {
	t.Parallel()
	blobs := &failing{Store: folder(t)}
	f := newFixture(t, blobs, nil)
	f.upload(t, "text")
	blobs.open = errors.New("not now")
	again := f.upload(t, "text")
	blobs.open = nil
	if have := f.read(t, again); have != "text" {
		t.Errorf("have %q", have)
	}
	f.wantBlobs(t, 2)
}
