package faulttest

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// The order of docs/operating/backup.md for PostgreSQL (files, database, files again)
// makes a consistent copy during writes. The gap that the page mentions, files that are
// uploaded and deleted meanwhile, is not tested.
func TestPostgresCopiedUnderLoad(t *testing.T) {
	t.Parallel()
	pgDump, pgRestore := testenv.PostgresProgram(t, "pg_dump"), testenv.PostgresProgram(t, "pg_restore")
	for name, bucket := range map[string]func(t testing.TB) []string{
		"folder": func(testing.TB) []string { return nil },
		"s3":     func(t testing.TB) []string { return []string{"--blob-url", testenv.S3(t)} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			inDrills(t, *rounds, func(t *testing.T) *drill { return startDrill(t, onPostgres(t), bucket) }, func(d *drill, round int) {
				t := d.t
				d.awaitRemoved(round)
				dir := t.TempDir()
				files, err := blob.OpenFolder(filepath.Join(dir, "files"))
				if err != nil {
					t.Fatal(err)
				}
				dump := filepath.Join(dir, "dump")
				var copied [2]int
				id := filesID(t, d.in.storage[1])
				d.copying.Add(1)
				before, behind := d.around(func() {
					copied[0] = d.copyFiles(id, files, d.in.files(t))
					d.run(pgDump, "--format=custom", "--file="+dump, d.in.storage[1])
					copied[1] = d.copyFiles(id, files, d.in.files(t))
				})
				d.copying.Add(1)

				in := onPostgres(t)
				in.storage = append(in.storage, bucket(t)...)
				d.copyFiles(id, in.files(t), files)
				d.run(pgRestore, "--exit-on-error", "--dbname="+in.storage[1], dump)
				if out, err := in.octavo("migrate", "--restored").CombinedOutput(); err != nil {
					t.Fatalf("octavo migrate: %v\n%s", err, out)
				}
				d.same(in, before, behind)
				t.Logf("%d files were copied before the dump, %d after it", copied[0], copied[1])
				if err := files.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// run runs a program and fails the test when that fails.
func (d *drill) run(name string, args ...string) {
	d.t.Helper()
	if out, err := exec.CommandContext(d.t.Context(), name, args...).CombinedOutput(); err != nil {
		d.t.Fatalf("%s: %v\n%s", filepath.Base(name), err, out)
	}
}

// copyFiles copies new files of an identifier, like tools for folders and buckets, and
// returns their number. It skips those removed meanwhile.
func (d *drill) copyFiles(id string, toRoot, fromRoot blob.Store) (added int) {
	d.t.Helper()
	to, from := apart(d.t, toRoot, id), apart(d.t, fromRoot, id)
	defer func() {
		if err := errors.Join(to.Close(), from.Close()); err != nil {
			d.t.Error(err)
		}
	}()
	ctx := d.t.Context()
	there := map[string]bool{}
	for info, err := range to.All(ctx) {
		if err != nil {
			d.t.Fatal(err)
		}
		there[info.Key] = true
	}
	for info, err := range from.All(ctx) {
		if err != nil {
			d.t.Fatal(err)
		}
		if there[info.Key] {
			continue
		}
		file, err := from.Open(ctx, info.Key)
		if err == nil {
			err = errors.Join(to.Put(ctx, info.Key, file), file.Close())
		}
		if errors.Is(err, blob.ErrNotFound) {
			continue
		}
		if err != nil {
			d.t.Fatalf("copy %s: %v", info.Key, err)
		}
		added++
	}
	return added
}

// files opens the store of an installation's files beside its servers.
func (i *installation) files(t testing.TB) blob.Store {
	t.Helper()
	var files blob.Store
	var err error
	if at := slices.Index(i.storage, "--blob-url"); at >= 0 {
		files, err = blob.OpenS3(t.Context(), i.storage[at+1])
	} else {
		files, err = blob.OpenFolder(filepath.Join(i.storage[slices.Index(i.storage, "--data")+1], "files"))
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := files.Close(); err != nil {
			t.Error(err)
		}
	})
	return files
}

// filesID returns the files identifier of a PostgreSQL database.
func filesID(t testing.TB, url string) (id string) {
	t.Helper()
	link, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer link.Close(context.WithoutCancel(t.Context())) //nolint:errcheck // nothing is lost with it
	if err := link.QueryRow(t.Context(), `SELECT value::json->>'id' FROM settings WHERE name = 'files'`).Scan(&id); err != nil {
		t.Fatal(err)
	}
	return id
}

// apart opens the files of an identifier.
func apart(t testing.TB, root blob.Store, id string) blob.Store {
	t.Helper()
	files, err := root.Apart(id)
	if err != nil {
		t.Fatal(err)
	}
	return files
}
