package assets_test

import (
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

var proposer = octavo.Actor{ID: "proposer"}

func (f *fixture) uploadPending(t *testing.T, text string) octavo.Asset {
	t.Helper()
	up, err := f.Receive(t.Context(), strings.NewReader(text), "a.txt", "")
	if err != nil {
		t.Fatal(err)
	}
	asset, err := f.Create(t.Context(), sqldb.Cause{Actor: proposer}, up, assets.Description{Pending: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return asset
}

// TestPendingBytes: the bytes of pending files are kept once with equal ones, are in use
// for sweeps and doctor, come back when they were lost, and go with the last that has
// them.
func TestPendingBytes(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, blobs blob.Store) {
		f := newFixture(t, blobs, nil)
		a := assets.Asker{ID: proposer.ID, Propose: true}
		who := func() (assets.Asker, error) { return a, nil }
		f.upload(t, "same")
		same, own := f.uploadPending(t, "same"), f.uploadPending(t, "own")
		f.wantBlobs(t, 2)
		f.move(48 * time.Hour)
		if n, err := f.Sweep(t.Context()); n != 0 || err != nil {
			t.Errorf("sweep: have %d, %v; want none", n, err)
		}
		file, err := f.Open(t.Context(), own.Key, own.Name, nil, who)
		if err != nil || !file.Asset.Pending {
			t.Fatalf("open: have %+v, %v", file, err)
		}
		if err := file.Close(); err != nil {
			t.Error(err)
		}
		for _, nobody := range []func() (assets.Asker, error){nil, func() (assets.Asker, error) { return assets.Asker{ID: proposer.ID}, nil }} {
			if _, err := f.Open(t.Context(), own.Key, own.Name, nil, nobody); !octavo.IsType(err, octavo.NotFound) {
				t.Errorf("open as nobody: have %v, want NotFound", err)
			}
		}
		known, err := f.st.Assets.Pending.ByKey(t.Context(), assetstore.Viewer{ID: proposer.ID}, own.Key)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.blobs.Remove(t.Context(), known.Blob); err != nil {
			t.Fatal(err)
		}
		f.uploadPending(t, "own") // brings them back
		f.wantBlobs(t, 2)
		if err := f.Delete(t.Context(), sqldb.Cause{Actor: proposer}, a, same.ID, false, nil); err != nil {
			t.Error(err)
		}
		f.wantBlobs(t, 2)
		f.move(assetstore.KeepPending)
		if err := f.st.Assets.Sweep(t.Context()); err != nil {
			t.Error(err)
		}
		if n, err := f.Sweep(t.Context()); n != 1 || err != nil {
			t.Errorf("sweep: have %d, %v; want 1", n, err)
		}
		f.wantBlobs(t, 1)
	})
}
