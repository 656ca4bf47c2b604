package app_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store"
)

// TestScheduleFailureWithClockSetBack: what the database refused is tried again
// soon, also where its clock was set back by hours since.
func TestScheduleFailureWithClockSetBack(t *testing.T) {
	t.Parallel()
	var back atomic.Int64
	var log octavotest.Log
	env := app.Env{Now: func() time.Time { return time.Now().Add(-time.Duration(back.Load())) }, Random: rand.Reader, Log: slog.New(slog.NewTextHandler(&log, nil))}
	path := filepath.Join(t.TempDir(), "octavo.db")
	st, err := store.OpenSQLite(t.Context(), path, app.StoreOptions(env, env.IDs(), ""))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	s := &schedule{T: t, st: st, now: env.Now}
	s.plan("due", -10*time.Hour)
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	do := func(statement string) {
		t.Helper()
		if _, err := db.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	do(`CREATE TRIGGER refused BEFORE UPDATE ON pages BEGIN SELECT RAISE(ABORT, 'not now'); END`)
	ctx, stop := context.WithCancel(t.Context())
	var group sync.WaitGroup
	defer group.Wait()
	defer stop()
	group.Go(func() { app.RunSchedule(ctx, env, st) })
	wait, done := context.WithTimeout(ctx, onTime)
	defer done()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !strings.Contains(log.String(), "was not run in full") {
		select {
		case <-tick.C:
		case <-wait.Done():
			t.Fatalf("have the log %q, want that the schedule was refused", log.String())
		}
	}
	back.Store(int64(3 * time.Hour))
	do(`DROP TRIGGER refused`)
	s.published("due")
}
