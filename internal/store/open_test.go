package store_test

import (
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/storecheck"
	"github.com/octavo-docs/octavo/internal/store/storetest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

func TestSQLite(t *testing.T) { storetest.Run(t, storetest.OpenSQLite) }

func TestPostgres(t *testing.T) {
	if testing.Short() { // the race detector sees the same code with SQLite, and the tests of many processes below with both
		t.SkipNow()
	}
	storetest.Run(t, storetest.OpenPostgres)
}

// processes opens one database several times at once, as several processes
// that start together do, lets each write, and checks what all of them see.
func processes(t *testing.T, opener storetest.OpenFunc, address string) {
	const count, pages = 4, 20
	var wg sync.WaitGroup
	for p := range count {
		wg.Go(func() {
			st, err := opener(t.Context(), address, storetest.Options(time.Now))
			if err != nil {
				t.Errorf("open: %v", err)
				return
			}
			for i := range pages {
				if _, err := storetest.Create(t.Context(), st, storetest.NewPage(fmt.Sprintf("p%d-%d", p, i))); err != nil {
					t.Error(err)
				}
			}
			if err := st.Close(); err != nil {
				t.Errorf("close: %v", err)
			}
		})
	}
	wg.Wait()
	st := storetest.Open(t, storetest.Options(time.Now), opener, address)
	defer st.Close()
	stats, err := st.Stats(t.Context())
	if err != nil || stats.Pages[octavo.Draft] != count*pages {
		t.Errorf("have %d pages, error %v, want %d", stats.Pages[octavo.Draft], err, count*pages)
	}
	if findings, err := storecheck.Check(t.Context(), st.DB); err != nil || len(findings) > 0 {
		t.Errorf("have findings %v, error %v", findings, err)
	}
}

func TestSQLiteProcesses(t *testing.T) {
	processes(t, store.OpenSQLite, filepath.Join(t.TempDir(), "a b%20?#.db"))
}

func TestPostgresProcesses(t *testing.T) {
	processes(t, store.OpenPostgres, testenv.Postgres(t))
}

// reopenNewer opens a store that a newer program has been at: it is worked on
// as long as that says so, and refused from then on.
func reopenNewer(t *testing.T, opener storetest.OpenFunc, address string, execute func(statement string)) {
	migrate, only := storetest.Options(time.Now), storetest.Options(time.Now)
	only.NoMigrate = true
	if err := storetest.Open(t, migrate, opener, address).Close(); err != nil {
		t.Fatal(err)
	}
	execute(`INSERT INTO goose_db_version (version_id, is_applied) VALUES (999, TRUE)`)
	for _, o := range []store.Options{migrate, only} {
		st := storetest.Open(t, o, opener, address)
		if _, err := storetest.Create(t.Context(), st, storetest.NewPage(fmt.Sprint("a", o.NoMigrate))); err != nil {
			t.Errorf("write to a newer schema: %v", err)
		}
		if err := st.Close(); err != nil {
			t.Fatal(err)
		}
	}
	execute(`UPDATE schema_floor SET version = 998`)
	for _, o := range []store.Options{migrate, only} {
		var said strings.Builder
		o.Logger = slog.New(slog.NewTextHandler(&said, nil))
		st, err := opener(t.Context(), address, o)
		if err == nil {
			st.Close()
			t.Fatal("a schema was accepted that demands a newer program")
		}
		for _, want := range []string{"999", "998", "newer octavo"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("have error %q, want it to say %q", err, want)
			}
		}
		if strings.Contains(said.String(), "can still work") {
			t.Errorf("the log says %q of a schema that is refused", said.String())
		}
	}
}
