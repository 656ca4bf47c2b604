package store_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storetest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// TestPostgresRedeliverLeased: what another process takes while a
// redelivery waits for its row stays taken, and is not sent twice.
func TestPostgresRedeliverLeased(t *testing.T) {
	url := testenv.Postgres(t)
	st := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, url)
	defer st.Close()
	w := hookstore.Webhook{ID: "hook_00000000000000000000000001", URL: "https://a.example", Types: octavo.DefaultEventTypes(), CreatedAt: time.Now()}
	secret := accounts.Secret{Name: hookstore.SecretPrefix(w.ID) + "1", Value: []byte("secret")}
	if err := st.Hooks.Insert(t.Context(), sqldb.Cause{}, w, secret); err != nil {
		t.Fatal(err)
	}
	since := time.Now().Add(-time.Minute)
	if _, err := st.Hooks.Test(t.Context(), sqldb.Cause{}, w.ID); err != nil {
		t.Fatal(err)
	}
	take := func(lease int64) []hookstore.Delivery {
		t.Helper()
		list, err := st.Hooks.Claim(t.Context(), []hookstore.Ask{{Target: string(w.ID), Limit: 10}}, lease)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	first := take(1)
	if len(first) != 1 {
		t.Fatalf("have %d deliveries, want 1", len(first))
	}
	_, err := st.Hooks.Finish(t.Context(), []hookstore.Outcome{{
		Delivery: first[0], Status: octavo.DeliveryFailed, EndedAt: time.Now(), RetryAfter: time.Hour,
	}}, time.Hour)
	if err != nil {
		t.Fatal(err)
	}

	other, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close(t.Context())
	claim, err := other.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	taken := time.Now().Add(hookstore.LeaseTime).UnixMilli()
	if _, err := claim.Exec(t.Context(), `UPDATE deliveries SET ready_at = $1, lease = 2 WHERE status = 'pending'`, taken); err != nil {
		t.Fatal(err)
	}
	sent := make(chan int64, 1)
	go func() {
		n, err := st.Hooks.RedeliverSince(t.Context(), sqldb.Cause{}, w.ID, since)
		if err != nil {
			t.Errorf("redeliver: %v", err)
		}
		sent <- n
	}()
	waitForLock(t, url)
	if err := claim.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := <-sent; n != 0 {
		t.Errorf("%d were sent again, want none", n)
	}
	if again := take(3); len(again) != 0 {
		t.Errorf("what is under way was taken again: %+v", again)
	}
}

// Redelivery locks the delivery queue before the webhook, like the end of a delivery, so
// that they never deadlock.
func TestPostgresRedeliverLocksTheLineFirst(t *testing.T) {
	t.Parallel()
	for name, send := range map[string]func(st *store.Store, hook, delivery octavo.ID) error{
		"one": func(st *store.Store, hook, delivery octavo.ID) error {
			return st.Hooks.Redeliver(t.Context(), sqldb.Cause{}, hook, delivery)
		},
		"since": func(st *store.Store, hook, _ octavo.ID) error {
			_, err := st.Hooks.RedeliverSince(t.Context(), sqldb.Cause{}, hook, time.Now().Add(-time.Hour))
			return err
		},
		"test": func(st *store.Store, hook, _ octavo.ID) error {
			_, err := st.Hooks.Test(t.Context(), sqldb.Cause{}, hook)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := testenv.Postgres(t)
			st := storetest.Open(t, storetest.Options(time.Now), store.OpenPostgres, url)
			defer st.Close()
			w := hookstore.Webhook{ID: "hook_00000000000000000000000001", URL: "https://a.example", Types: octavo.DefaultEventTypes(), CreatedAt: time.Now()}
			secret := accounts.Secret{Name: hookstore.SecretPrefix(w.ID) + "1", Value: []byte("secret")}
			if err := st.Hooks.Insert(t.Context(), sqldb.Cause{}, w, secret); err != nil {
				t.Fatal(err)
			}
			if _, err := st.Hooks.Test(t.Context(), sqldb.Cause{}, w.ID); err != nil {
				t.Fatal(err)
			}
			list, err := st.Hooks.Claim(t.Context(), []hookstore.Ask{{Target: string(w.ID), Limit: 1}}, 1)
			if err != nil || len(list) != 1 {
				t.Fatalf("have %v, %v", list, err)
			}
			other, err := pgx.Connect(t.Context(), url)
			if err != nil {
				t.Fatal(err)
			}
			defer other.Close(t.Context())
			hold, err := other.Begin(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := hold.Exec(t.Context(), `UPDATE webhooks SET id = id`); err != nil {
				t.Fatal(err)
			}
			sent := make(chan error, 1)
			go func() { sent <- send(st, w.ID, list[0].ID) }()
			waitForLock(t, url)
			var held int
			if err := hold.QueryRow(t.Context(), `SELECT COUNT(*) FROM pg_locks WHERE locktype = 'advisory' AND mode = 'ExclusiveLock' AND granted
				AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`).Scan(&held); err != nil || held != 1 {
				t.Errorf("have %d locks, %v; want that of the line", held, err)
			}
			if err := hold.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			if err := <-sent; err != nil {
				t.Error(err)
			}
		})
	}
}

func waitForLock(t *testing.T, url string) {
	t.Helper()
	look, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer look.Close(t.Context())
	for waiting := 0; waiting == 0; {
		err := look.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`).Scan(&waiting)
		if err != nil {
			t.Fatal(err)
		}
	}
}
