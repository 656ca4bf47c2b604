package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/storetest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// A reader of the feed releases a connection to a silent server, however long it would
// wait: otherwise both connections of the change log would be lost, and with them
// followers and the schedule. A lock simulates the silence.
func TestPostgresFeedSilent(t *testing.T) {
	t.Parallel()
	url := testenv.Postgres(t)
	st := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, url)
	defer st.Close()
	if _, err := storetest.Create(t.Context(), st, storetest.NewPage("first")); err != nil {
		t.Fatal(err)
	}
	link, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer link.Close(context.WithoutCancel(t.Context()))
	if _, err := link.Exec(t.Context(), `BEGIN; LOCK TABLE change_retention`); err != nil {
		t.Fatal(err)
	}
	const readers = 2
	done := make(chan error, readers)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range readers {
		go func() {
			_, _, err := st.Log.Events(ctx, changelog.EventQuery{Limit: 1, Types: []octavo.EventType{octavo.PageCreated}})
			done <- err
		}()
	}
	late := time.After(20 * time.Second)
	for range readers {
		select {
		case err := <-done:
			var e *octavo.Error
			if !errors.As(err, &e) || e.Type != octavo.Unavailable {
				t.Errorf("have error %v, want unavailable", err)
			}
		case <-late:
			look, end := context.WithTimeout(t.Context(), time.Second)
			defer end()
			_, err := st.Log.Last(look)
			t.Fatalf("the feed is still being read; meanwhile the end of the log: %v", err)
		}
	}
	if _, err := st.Log.Last(t.Context()); err != nil {
		t.Error(err)
	}
}
