package exports

import (
	"context"
	"crypto/rand"
	"errors"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/exportstore"
)

// TestLeaseWithClockSetBack shows that work on an export ends
// before its lease does when that cannot be kept, whatever time the database has.
func TestLeaseWithClockSetBack(t *testing.T) {
	t.Parallel()
	st, err := store.OpenSQLite(t.Context(), filepath.Join(t.TempDir(), "octavo.db"), store.Options{Now: time.Now, IDs: octavo.NewIDSource(time.Now, rand.Reader)})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil { // no lease is kept in it any more
		t.Fatal(err)
	}
	synctest.Test(t, func(t *testing.T) {
		var back atomic.Int64
		s := New(Options{DB: st.DB, Exports: st.Exports, Now: func() time.Time { return time.Now().Add(-time.Duration(back.Load())) }})
		begun := time.Now()
		time.AfterFunc(time.Second, func() { back.Store(int64(5 * time.Hour)) })
		ctx, cancel := context.WithCancelCause(t.Context())
		stop := s.keepLease(ctx, exportstore.Export{ID: "exp_1"}, new(atomic.Int64), cancel)
		select {
		case <-ctx.Done():
		case <-time.After(exportstore.LeaseTime):
		}
		stop()
		if took := time.Since(begun); took >= exportstore.LeaseTime || !errors.Is(context.Cause(ctx), errLost) {
			t.Errorf("after %s the work ends for %v, want %v within %s", took, context.Cause(ctx), errLost, exportstore.LeaseTime)
		}
	})
}
