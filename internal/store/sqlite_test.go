package store_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storecheck"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

func TestSQLiteNewerSchema(t *testing.T) {
	path := filepath.Join(t.TempDir(), "octavo.db")
	reopenNewer(t, store.OpenSQLite, path, func(statement string) {
		if _, err := rawSQLite(t, path).Exec(statement); err != nil {
			t.Fatal(err)
		}
	})
}

// rawSQLite opens the file as another program would.
func rawSQLite(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	return db
}

// TestSQLiteSharedCommit holds the writer up so that others come to wait, and
// lets one of them fail: the rest are not disturbed.
func TestSQLiteSharedCommit(t *testing.T) {
	st := storetest.OpenSQLite(t, storetest.Options(time.Now))
	defer st.Close()
	const others = 50
	waiting := make(chan struct{}, others)
	started := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		hold := sync.OnceFunc(func() {
			close(started)
			for range others {
				<-waiting
			}
		})
		err := st.DB.Write(t.Context(), sqldb.Cause{}, func(*sqldb.Tx) error {
			hold()
			return nil
		})
		if err != nil {
			t.Errorf("first write: %v", err)
		}
	})
	<-started
	stop := errors.New("stop")
	for i := range others {
		wg.Go(func() {
			waiting <- struct{}{}
			err := st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
				if _, err := st.Pages.Create(tx, storetest.NewPage(fmt.Sprint("p", i))); err != nil {
					return err
				}
				if i%10 == 0 {
					return stop
				}
				return nil
			})
			if want := i%10 == 0; errors.Is(err, stop) != want || (err != nil) != want {
				t.Errorf("write %d: have error %v", i, err)
			}
		})
	}
	wg.Wait()
	stats, err := st.Stats(t.Context())
	if err != nil || stats.Pages[octavo.Draft] != others-others/10 {
		t.Errorf("have %d pages, error %v, want %d", stats.Pages[octavo.Draft], err, others-others/10)
	}
}

// TestSQLiteAbandoned: a write whose caller gave up while it waited is not run.
func TestSQLiteAbandoned(t *testing.T) {
	st := storetest.OpenSQLite(t, storetest.Options(time.Now))
	defer st.Close()
	started, finish := make(chan struct{}), make(chan struct{})
	first := make(chan error)
	go func() {
		first <- st.DB.Write(t.Context(), sqldb.Cause{}, func(*sqldb.Tx) error {
			close(started)
			<-finish
			return nil
		})
	}()
	<-started
	ctx, cancel := context.WithCancel(t.Context())
	second := make(chan error)
	go func() {
		second <- st.DB.Write(ctx, sqldb.Cause{}, func(*sqldb.Tx) error {
			t.Error("an abandoned write was run")
			return nil
		})
	}()
	cancel()
	if err := <-second; !errors.Is(err, context.Canceled) {
		t.Errorf("have error %v, want %v", err, context.Canceled)
	}
	close(finish)
	if err := <-first; err != nil {
		t.Errorf("first write: %v", err)
	}
	if _, err := storetest.Create(t.Context(), st, storetest.NewPage("a")); err != nil {
		t.Error(err)
	}
}

func TestSQLiteClosed(t *testing.T) {
	st := storetest.OpenSQLite(t, storetest.Options(time.Now))
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := storetest.Create(t.Context(), st, storetest.NewPage("a"))
	storetest.WantType(t, err, octavo.Unavailable)
	if _, err := st.Pages.Get(t.Context(), octavo.Audience{}, "page_x"); err == nil {
		t.Error("a closed store could be read")
	}
}

// TestSQLiteFull fills the disk: writes fail as StorageFull, what was answered
// stays, and writes work again once there is room.
func TestSQLiteFull(t *testing.T) {
	st := storetest.OpenSQLite(t, storetest.Options(time.Now))
	defer st.Close()
	if _, err := storetest.Create(t.Context(), st, storetest.NewPage("before")); err != nil {
		t.Fatal(err)
	}
	restore := limitSQLite(t, st, 1)
	big := storetest.NewPage("big")
	big.Content = strings.Repeat("x", 1<<20)
	_, err := storetest.Create(t.Context(), st, big)
	storetest.WantType(t, err, octavo.StorageFull)
	err = st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		return tx.Each(func(tx *sqldb.Tx) error { _, err := st.Pages.Create(tx, big); return err })
	})
	storetest.WantType(t, err, octavo.StorageFull)
	restore()
	if _, err := storetest.Create(t.Context(), st, big); err != nil {
		t.Error(err)
	}
	if findings, err := storecheck.Check(t.Context(), st.DB); err != nil || len(findings) > 0 {
		t.Errorf("have findings %v, error %v", findings, err)
	}
}

func TestSQLiteCannotOpen(t *testing.T) {
	dir := t.TempDir()
	garbage := filepath.Join(dir, "garbage.db")
	if err := os.WriteFile(garbage, []byte(strings.Repeat("this is no database ", 500)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{garbage, filepath.Join(dir, "missing", "octavo.db"), dir} {
		st, err := store.OpenSQLite(t.Context(), path, storetest.Options(time.Now))
		if err == nil {
			st.Close()
			t.Errorf("%s could be opened", path)
		} else if !strings.Contains(err.Error(), path) {
			t.Errorf("have error %q, want it to name %s", err, path)
		}
	}
}

// TestSQLiteFinds damages a store behind its back, once per rule.
func TestSQLiteFinds(t *testing.T) {
	for name, damage := range map[string]string{
		"slug without page":    `UPDATE slugs SET state = 'former' WHERE slug = 'a'`,
		"slug of another":      `UPDATE slugs SET slug = 'x' WHERE slug = 'a'`,
		"released slug":        `UPDATE slugs SET state = 'released' WHERE slug = 'a'`,
		"missing revision":     `DELETE FROM revisions`,
		"other title":          `UPDATE pages SET title = 'x' WHERE slug = 'a'`,
		"hidden revision":      `UPDATE pages SET status = 'published' WHERE slug = 'a'`,
		"version":              `UPDATE pages SET version = 0 WHERE slug = 'a'`,
		"deleted parent":       `UPDATE pages SET deleted_at = 1 WHERE slug = 'a'`,
		"cycle":                `UPDATE pages SET parent_id = (SELECT id FROM pages WHERE slug = 'b') WHERE slug = 'a'`,
		"tag of deleted page":  `INSERT INTO page_tags SELECT 'x', id, title, status, updated_at FROM pages WHERE slug = 'gone'`,
		"tag sorted wrongly":   `INSERT INTO page_tags SELECT 'x', id, 'other', status, updated_at FROM pages WHERE slug = 'a'`,
		"link of deleted page": `INSERT INTO page_links SELECT id, 0, 0, '', '', 'a', '' FROM pages WHERE slug = 'gone'`,
		"missing change":       `DELETE FROM changes`,
		"change not public":    `UPDATE changes SET kind = 'page.published'`,
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "octavo.db")
			st := storetest.Open(t, storetest.Options(time.Now), store.OpenSQLite, path)
			defer st.Close()
			err := st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
				a, err := st.Pages.Create(tx, storetest.NewPage("a"))
				if err != nil {
					return err
				}
				b := storetest.NewPage("b")
				b.ParentID = a.ID
				if _, err := st.Pages.Create(tx, b); err != nil {
					return err
				}
				gone, err := st.Pages.Create(tx, storetest.NewPage("gone"))
				if err != nil {
					return err
				}
				return st.Pages.Delete(tx, gone.ID, pagestore.ChildrenRefuse, nil)
			})
			if err != nil {
				t.Fatal(err)
			}
			if findings, err := storecheck.Check(t.Context(), st.DB); err != nil || len(findings) > 0 {
				t.Fatalf("before: have findings %v, error %v", findings, err)
			}
			if _, err := rawSQLite(t, path).Exec(damage); err != nil {
				t.Fatal(err)
			}
			if findings, err := storecheck.Check(t.Context(), st.DB); err != nil || len(findings) == 0 {
				t.Errorf("have findings %v, error %v", findings, err)
			}
		})
	}
}

// TestSQLiteOrphanRows: SQLite's own check leaves out what one row
// says of another, and nothing that is joined with a page tells of one that has
// gone.
func TestSQLiteOrphanRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "octavo.db")
	st, err := store.OpenSQLite(t.Context(), path, storetest.Options(time.Now))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	err = st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		_, err := st.Pages.Create(tx, storetest.NewPage("gone"))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rawSQLite(t, path).Exec(`DELETE FROM pages`); err != nil { // without foreign_keys
		t.Fatal(err)
	}
	findings, err := storecheck.Check(t.Context(), st.DB)
	if err != nil || !slices.ContainsFunc(findings, func(f storecheck.Finding) bool {
		return strings.Contains(f.Subject, "a row of slugs belongs to one of pages")
	}) {
		t.Errorf("have %v, %v; want the slug whose page is not there", findings, err)
	}
}

// limitSQLite lets the database file grow by no more than a few pages of the
// file, as a full disk would, until restore is called.
func limitSQLite(t *testing.T, st *store.Store, pages int) (restore func()) {
	t.Helper()
	set := func(limit string) {
		err := st.DB.Write(context.Background(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			var have int
			_, err := tx.Row([]any{&have}, "PRAGMA max_page_count = "+limit)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var size int
	if _, err := st.DB.Read().Row(context.Background(), []any{&size}, "PRAGMA page_count"); err != nil {
		t.Fatal(err)
	}
	set(fmt.Sprint(size + pages))
	return func() { set("1073741823") }
}
