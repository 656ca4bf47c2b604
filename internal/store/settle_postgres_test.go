package store_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/storetest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// A read up to the end of the log ends even if something is committed after each look. A
// trigger simulates writers that commit between two looks.
func TestPostgresFollowFlood(t *testing.T) {
	url := testenv.Postgres(t)
	st := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, url)
	defer st.Close()
	if _, err := storetest.Create(t.Context(), st, storetest.NewPage("first")); err != nil {
		t.Fatal(err)
	}
	if _, err := st.Log.Last(t.Context()); err != nil {
		t.Fatal(err)
	}
	link, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer link.Close(t.Context())
	if _, err := link.Exec(t.Context(), `CREATE FUNCTION flood() RETURNS trigger AS $$ BEGIN
			INSERT INTO changes (event_id, time, kind, subject, version, actor_id, actor_name, trace_id, public, payload)
				VALUES (gen_random_uuid()::text, 0, 'page.updated', 'x', 1, '', '', '', FALSE, '{}');
			RETURN NULL;
		END $$ LANGUAGE plpgsql;
		CREATE TRIGGER flood AFTER UPDATE ON change_position EXECUTE FUNCTION flood()`); err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if _, err := storetest.Create(t.Context(), st, storetest.NewPage(fmt.Sprint("p", i))); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		last, err := st.Log.Last(ctx)
		cancel()
		var unplaced int
		if err := link.QueryRow(t.Context(), `SELECT COUNT(*) FROM changes WHERE position IS NULL AND subject <> 'x'`).Scan(&unplaced); err != nil {
			t.Fatal(err)
		}
		if err != nil || unplaced != 0 || last < int64(i+2) {
			t.Errorf("change %d: have the end %d, %d changes of pages without a position, error %v", i, last, unplaced, err)
		}
	}
}
