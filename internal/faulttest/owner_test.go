package faulttest

import (
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// refused runs octavo serve, which must exit with an error that gives the reason.
func (i *installation) refused(t *testing.T, why string, args ...string) {
	t.Helper()
	out, err := i.octavo(append([]string{"serve", "--addr", "127.0.0.1:0", "--ops-addr="}, args...)...).CombinedOutput()
	if err == nil || !strings.Contains(string(out), why) {
		t.Errorf("octavo serve: %v, %s\nwant it to say %q", err, out, why)
	}
}

// withFile serves an installation once, and uploads a file.
func (i *installation) withFile(t *testing.T) {
	t.Helper()
	s := i.serve(t)
	res, _, err := newAPI(t, s.url, i.token(t)).upload(t.Context(), "name", 100)
	if err != nil || res.status != http.StatusAccepted {
		t.Fatalf("upload: %s, %v", res, err)
	}
	s.stop(t)
}

// runs runs a command, which must succeed.
func (i *installation) runs(t *testing.T, args ...string) {
	t.Helper()
	if out, err := i.octavo(args...).CombinedOutput(); err != nil {
		t.Fatalf("octavo %v: %v\n%s", args, err, out)
	}
}

// TestTwoInstallationsInABucket: installations that share a bucket never touch each
// other's files, even if one is restored from a backup of the other.
func TestTwoInstallationsInABucket(t *testing.T) {
	t.Parallel()
	first, second, back := onSQLite(t), onSQLite(t), onSQLite(t)
	bucket := testenv.S3(t)
	all := []*installation{first, second, back}
	for _, i := range all {
		i.storage = append(i.storage, "--blob-url", bucket)
	}
	first.withFile(t)
	second.withFile(t)
	path := filepath.Join(t.TempDir(), "backup.tar")
	first.runs(t, "backup", path)
	back.runs(t, "restore", path)
	s := back.serve(t)
	a := newAPI(t, s.url, back.tokenFor(t, "admin"))
	list, err := a.do(t.Context(), call{method: http.MethodGet, path: "/assets"})
	if err != nil {
		t.Fatal(err)
	}
	var assets struct{ Data []octavo.Asset }
	if err := json.Unmarshal(list.body, &assets); err != nil || len(assets.Data) != 1 {
		t.Fatalf("have %s, %v; want one asset", list.body, err)
	}
	for _, asset := range assets.Data {
		if res, err := a.do(t.Context(), call{method: http.MethodDelete, path: "/assets/" + string(asset.ID)}); err != nil || res.status >= http.StatusMultipleChoices {
			t.Errorf("delete: %s, %v", res, err)
		}
	}
	s.stop(t)
	for _, i := range all {
		i.doctor(t)
	}
}

// TestFilesElsewhere: a process with another location of files than the other processes of
// its database does not start, unless it uses no files. Search reads files that pages
// include.
func TestFilesElsewhere(t *testing.T) {
	t.Parallel()
	in := onPostgres(t)
	in.withFile(t)
	elsewhere := &installation{slices.Clone(in.storage), in.command}
	elsewhere.storage[len(elsewhere.storage)-1] = t.TempDir()
	elsewhere.refused(t, "the files of this database are at ")
	elsewhere.refused(t, "the files of this database are at ", "--process-roles", "search")
	elsewhere.serve(t, "--process-roles", "auth").stop(t)
	in.doctor(t)
}

// TestBucketForgotten: a server without its former --blob-url does not start until the
// files are declared moved.
func TestBucketForgotten(t *testing.T) {
	t.Parallel()
	for name, start := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			without := start(t)
			with := &installation{append(slices.Clone(without.storage), "--blob-url", testenv.S3(t)), without.command}
			with.withFile(t)
			without.refused(t, "the files of this database are at s3://")
			if out, err := without.octavo("doctor").CombinedOutput(); err == nil || !strings.Contains(string(out), "files are at the location that the database names") {
				t.Errorf("doctor: %v\n%s", err, out)
			}
			if out, err := without.octavo("migrate", "--files-moved").CombinedOutput(); err == nil || !strings.Contains(string(out), "1 of the 1 files that the database names are not ") {
				t.Errorf("migrate: %v\n%s", err, out)
			}
			with.withFile(t)
			with.doctor(t)
			without.runs(t, "migrate", "--files-moved", "--files-lost")
			without.serve(t).stop(t)
			with.refused(t, "not at s3://")
			with.runs(t, "migrate", "--files-moved")
			with.doctor(t)
		})
	}
}

// TestFilesGivenUpCountOnce: after all files of a location were given up, the location is
// refused again if later files are missing.
func TestFilesGivenUpCountOnce(t *testing.T) {
	t.Parallel()
	in := onSQLite(t)
	files := filepath.Join(in.storage[1], "files")
	in.withFile(t)
	for range 2 {
		if err := os.RemoveAll(files); err != nil {
			t.Fatal(err)
		}
		in.refused(t, "none of them is beside the database")
		in.runs(t, "migrate", "--files-moved", "--files-lost")
		in.withFile(t)
		in.serve(t).stop(t)
	}
}

// TestRestoredElsewhere: a backup with a bucket is restored into a data folder and the
// other way round, and neither is served with the wrong location of files.
func TestRestoredElsewhere(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name     string
		from, to []string
	}{
		{"bucket to folder", []string{"--blob-url", testenv.S3(t)}, nil},
		{"folder to bucket", nil, []string{"--blob-url", testenv.S3(t)}},
		{"bucket to bucket", []string{"--blob-url", testenv.S3(t)}, []string{"--blob-url", testenv.S3(t)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			in, back := onSQLite(t), onSQLite(t)
			data := slices.Clone(back.storage)
			in.storage, back.storage = append(in.storage, c.from...), append(back.storage, c.to...)
			in.withFile(t)
			path := filepath.Join(t.TempDir(), "backup.tar")
			for _, cmd := range []*exec.Cmd{in.octavo("backup", path), back.octavo("restore", path)} {
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v: %s", err, out)
				}
			}
			if c.to != nil {
				(&installation{data, in.command}).refused(t, "the files of this database are at s3://")
			}
			back.withFile(t)
			back.withFile(t)
			back.doctor(t)
			in.withFile(t) // the first goes on
		})
	}
}
