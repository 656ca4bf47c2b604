package assets_test

import (
	"errors"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestDeletedFile: what was read a moment ago, and is kept in
// memory for that, is not there any more once its deletion is answered, though
// its bytes are, for another asset. Others read it all the while.
func TestDeletedFile(t *testing.T) {
	t.Parallel()
	f := newFixture(t, folder(t), nil)
	f.upload(t, "same")
	for i := range 50 {
		asset := f.upload(t, "same")
		if have := f.read(t, asset); have != "same" {
			t.Fatalf("have %q", have)
		}
		stop, done := make(chan struct{}), make(chan struct{})
		go func() {
			defer close(done)
			for {
				select {
				case <-stop:
					return
				default:
				}
				if file, err := f.Open(t.Context(), asset.Key, asset.Name, nil, nil); err == nil {
					file.Close()
				}
			}
		}()
		if err := f.Delete(t.Context(), sqldb.Cause{}, writer, asset.ID, false, nil); err != nil {
			t.Fatal(err)
		}
		for try := range 3 {
			var e *octavo.Error
			if file, err := f.Open(t.Context(), asset.Key, asset.Name, nil, nil); !errors.As(err, &e) || e.Type != octavo.NotFound {
				t.Fatalf("asset %d, read %d: have %v, %v; want not found", i, try, file, err)
			}
		}
		close(stop)
		<-done
	}
}

// TestNamesOfKnownAddresses: an address that is known from memory is
// still that one alone.
func TestNamesOfKnownAddresses(t *testing.T) {
	t.Parallel()
	f := newFixture(t, folder(t), nil)
	asset := f.upload(t, "x")
	f.read(t, asset)
	f.read(t, asset)
	var e *octavo.Error
	if _, err := f.Open(t.Context(), asset.Key, "b.txt", nil, nil); !errors.As(err, &e) || e.Type != octavo.NotFound {
		t.Errorf("another name: have %v, want not found", err)
	}
}
