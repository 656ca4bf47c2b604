package main

import (
	"bytes"
	"crypto/rand"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/store"
)

// TestDoctorTellsWhatIsLate: a page that should have changed by itself, which
// no server was there to do.
func TestDoctorTellsWhatIsLate(t *testing.T) {
	dir := t.TempDir()
	env := app.Env{Now: time.Now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)}
	st, err := store.OpenSQLite(t.Context(), filepath.Join(dir, databaseFile), app.StoreOptions(env, env.IDs(), ""))
	if err != nil {
		t.Fatal(err)
	}
	var late octavo.ID
	err = st.Write(t.Context(), store.Cause{}, func(tx *store.Tx) error {
		for slug, in := range map[string]time.Duration{"late": -time.Hour, "just-now": -time.Second, "later": time.Hour} {
			at := env.Now().Add(in)
			page, err := tx.CreatePage(store.NewPage{PageCreate: octavo.PageCreate{Title: "T", Slug: slug, Content: "x"}})
			if err == nil {
				_, err = tx.UpdatePage(page.ID, store.PageChange{Publish: &octavo.OptTime{Value: &at}}, nil)
			}
			if err != nil {
				return err
			}
			if slug == "late" {
				late = page.ID
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := Run(t.Context(), []string{"doctor", "--data", dir}, strings.NewReader(""), &stdout, &stderr)
	want := string(late) + ": broken rule: a page changes at its publishAt and unpublishAt, while a server runs\n"
	if code != exitFailed || stdout.String() != want {
		t.Errorf("have code %d, %q %s; want 1, %q", code, stdout.String(), stderr.String(), want)
	}
}
