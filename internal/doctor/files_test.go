package doctor

import (
	"context"
	"crypto/rand"
	"iter"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/store"
)

// agedStore has had all of its files for long, and lets something happen once
// they were listed.
type agedStore struct {
	blob.Store
	then func()
}

func (a *agedStore) All(ctx context.Context) iter.Seq2[blob.Info, error] {
	return func(yield func(blob.Info, error) bool) {
		for info, err := range a.Store.All(ctx) {
			info.Modified = info.Modified.Add(-90 * 24 * time.Hour)
			if !yield(info, err) {
				return
			}
		}
		a.then()
	}
}

// TestCheckOrphansWhileFilesGo: next to a running server, a file deleted meanwhile, or
// kept only for a backup, is no finding.
func TestCheckOrphansWhileFilesGo(t *testing.T) {
	t.Parallel()
	st, err := store.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "octavo.db"), store.Options{Now: time.Now, IDs: octavo.NewIDSource(time.Now, rand.Reader)})
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	folder, err := blob.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer folder.Close()
	aged := &agedStore{Store: folder}
	for _, c := range []struct {
		name string
		then func()
		want int
	}{
		{"nothing happens", func() {}, 1},
		{"it is removed", func() {
			if err := folder.Remove(t.Context(), "abcdefgh"); err != nil {
				t.Error(err)
			}
		}, 0},
		{"a backup begins", func() {
			if err := st.Assets.HoldFiles(t.Context(), time.Now().Add(time.Minute)); err != nil {
				t.Error(err)
			}
		}, 0},
	} {
		if err := folder.Put(t.Context(), "abcdefgh", strings.NewReader("nobody has it")); err != nil {
			t.Fatal(err)
		}
		aged.then = c.then
		if have, err := checkOrphans(t.Context(), st, aged, time.Now()); err != nil || len(have) != c.want {
			t.Errorf("%s meanwhile: have %v, %v; want %d", c.name, have, err, c.want)
		}
	}
}
