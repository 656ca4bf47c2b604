package main

import (
	"bytes"
	"crypto/rand"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/storage"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// TestDoctorLateWork: a page that should have changed by itself, which
// no server was there to do.
func TestDoctorLateWork(t *testing.T) {
	dir := t.TempDir()
	env := app.Env{Now: time.Now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)}
	st, err := store.OpenSQLite(t.Context(), filepath.Join(dir, storage.DatabaseFile), app.StoreOptions(env, env.IDs(), ""))
	if err != nil {
		t.Fatal(err)
	}
	var late octavo.ID
	err = st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		for slug, in := range map[string]time.Duration{"late": -time.Hour, "just-now": -time.Second, "later": time.Hour} {
			at := env.Now().Add(in)
			page, err := st.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "T", Slug: slug, Content: "x"}})
			if err == nil {
				_, err = st.Pages.Update(tx, page.ID, pagestore.Change{Publish: &octavo.OptTime{Value: &at}}, nil)
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
	if code != exitFailed || stdout.String() != want || !strings.Contains(stderr.String(), "while a server runs: to repair it, start a server with the role worker") {
		t.Errorf("have code %d, %q %s; want 1, %q", code, stdout.String(), stderr.String(), want)
	}
}

// TestDoctorUnsentEvents: deliveries that are due and events that were not
// put in line, with no server there to do it.
func TestDoctorUnsentEvents(t *testing.T) {
	dir := t.TempDir()
	now := time.Now()
	env := app.Env{Now: func() time.Time { return now.Add(-3 * time.Hour) }, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)}
	st, err := store.OpenSQLite(t.Context(), filepath.Join(dir, storage.DatabaseFile), app.StoreOptions(env, env.IDs(), ""))
	if err != nil {
		t.Fatal(err)
	}
	for _, slug := range []string{"in-line", "waiting"} {
		err = st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			_, err := st.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "T", Slug: slug, Content: "x"}})
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	log, err := st.Log.Changes(t.Context(), 0, 10)
	if err != nil || len(log) != 2 {
		t.Fatalf("have %v, %v", log, err)
	}
	if err := st.Log.MoveFollower(t.Context(), webhooks.FollowerName, log[0].Position); err != nil {
		t.Fatal(err)
	}
	err = st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		return st.Hooks.Add(tx, []hookstore.NewDelivery{{
			Target: hookstore.CallbackTarget("https://receiver.example/"), EventID: log[0].EventID, Kind: log[0].Kind,
			Lane: string(log[0].Page), Position: log[0].Position,
		}})
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := Run(t.Context(), []string{"doctor", "--data", dir}, strings.NewReader(""), &stdout, &stderr)
	if have := stdout.String(); code != exitFailed || strings.Count(have, "\n") != 2 ||
		!strings.Contains(have, "callback/receiver.example since ") || !strings.Contains(have, ": broken rule: a server sends deliveries when they are due\n") ||
		!strings.Contains(have, "webhooks since ") || !strings.Contains(have, ": broken rule: a server queues events for webhooks when they happen\n") ||
		strings.Count(stderr.String(), "when they are due: to repair it, start a server with the role worker") != 1 {
		t.Errorf("have code %d, %q %s; want 1, and the delivery and the event that wait", code, have, stderr.String())
	}
}

// TestDoctorStuckDeliveries: a delivery that was put in line by a clock
// that was ahead.
func TestDoctorStuckDeliveries(t *testing.T) {
	dir := t.TempDir()
	env := app.Env{Now: func() time.Time { return time.Now().Add(5 * time.Hour) }, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)}
	st, err := store.OpenSQLite(t.Context(), filepath.Join(dir, storage.DatabaseFile), app.StoreOptions(env, env.IDs(), ""))
	if err != nil {
		t.Fatal(err)
	}
	err = st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
		return st.Hooks.Add(tx, []hookstore.NewDelivery{{
			Target: hookstore.CallbackTarget("https://receiver.example/"), EventID: "evt_01jd0000000000000000000000", Kind: octavo.PageUpdated, Lane: "a",
		}})
	})
	if err := errors.Join(err, st.Close()); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := Run(t.Context(), []string{"doctor", "--data", dir}, strings.NewReader(""), &stdout, &stderr)
	if have := stdout.String(); code != exitFailed || !strings.Contains(have, "callback/receiver.example until ") ||
		!strings.Contains(have, ": broken rule: a delivery waits no longer than its backoff, whatever a clock said\n") ||
		!strings.Contains(stderr.String(), "to repair it, start a server with the role worker: it makes them due within seconds") {
		t.Errorf("have code %d, %q %s; want 1, and the delivery that waits", code, have, stderr.String())
	}
}

// TestDoctorOrphans, also where there never was anything else.
func TestDoctorOrphans(t *testing.T) {
	dir := t.TempDir()
	env := app.Env{Now: time.Now, Random: rand.Reader, Log: slog.New(slog.DiscardHandler)}
	st, err := store.OpenSQLite(t.Context(), filepath.Join(dir, storage.DatabaseFile), app.StoreOptions(env, env.IDs(), ""))
	if err != nil {
		t.Fatal(err)
	}
	const id = "abcdefghijklmnopqrstuvwxyz"
	_, err = st.Assets.SetFiles(t.Context(), assetstore.Files{}, assetstore.Files{ID: id})
	if err := errors.Join(err, st.Close()); err != nil {
		t.Fatal(err)
	}
	doctor := func() (code int, said string) {
		var stdout, stderr bytes.Buffer
		code = Run(t.Context(), []string{"doctor", "--data", dir}, strings.NewReader(""), &stdout, &stderr)
		return code, stdout.String() + stderr.String()
	}
	files := filepath.Join(dir, storage.FilesFolder)
	if code, said := doctor(); code != exitDone {
		t.Errorf("an empty store: have code %d, %s", code, said)
	}
	if _, err := os.Stat(files); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("doctor made a folder for files (%v)", err)
	}
	key := strings.Repeat("ab", 13)
	path := filepath.Join(files, id, key[:2], key)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("left behind"), 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-72 * time.Hour)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if code, said := doctor(); code != exitFailed || !strings.HasPrefix(said, "blob "+key+": broken rule: ") {
		t.Errorf("a file that nothing has: have code %d, %s; want 1 and its key", code, said)
	}
}
