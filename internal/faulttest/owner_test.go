package faulttest

import (
	"net/http"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/testenv"
)

// refused runs octavo serve, which must end by itself with an error that says
// why.
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

// TestTwoInstallationsInABucket: a second installation does not start on the
// bucket of the first, whose files it would remove, and a database that was
// made anew does not take those of the lost one: it is not even made.
func TestTwoInstallationsInABucket(t *testing.T) {
	t.Parallel()
	first, second, anew := onSQLite(t), onSQLite(t), onSQLite(t)
	bucket := testenv.S3(t)
	second.serve(t).stop(t)
	for _, i := range []*installation{first, second, anew} {
		i.storage = append(i.storage, "--blob-url", bucket)
	}
	first.withFile(t)
	second.refused(t, "are those of another installation")
	second.refused(t, "are those of another installation", "--roles", "search")
	anew.refused(t, "holds files, but the database octavo.db is not there")
	first.withFile(t) // it goes on
	first.doctor(t)
	if out, err := second.octavo("doctor").CombinedOutput(); err == nil || !strings.Contains(string(out), "lie there too") {
		t.Errorf("doctor of the second: %v\n%s", err, out)
	}
}

// TestFilesThatAreElsewhere: a process of several on one database that is given
// another place for files than the others does not start, unless it neither
// keeps nor reads any.
func TestFilesThatAreElsewhere(t *testing.T) {
	t.Parallel()
	in := onPostgres(t)
	in.withFile(t)
	elsewhere := &installation{append([]string(nil), in.storage...), in.command}
	elsewhere.storage[len(elsewhere.storage)-1] = t.TempDir()
	elsewhere.refused(t, "1 of 1 are not here")
	elsewhere.serve(t, "--roles", "search,auth").stop(t)
	in.doctor(t)
}

// TestBucketThatIsForgotten: a server that is started without the --blob-url of
// the others does not start, also where nothing was uploaded yet while another
// one runs.
func TestBucketThatIsForgotten(t *testing.T) {
	t.Parallel()
	for name, start := range databases() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			without := start(t)
			with := &installation{append(slices.Clone(without.storage), "--blob-url", testenv.S3(t)), without.command}
			if name == "postgres" {
				s := with.serve(t)
				without.refused(t, "where a server that runs keeps them")
				s.stop(t)
			}
			without.serve(t).stop(t) // nothing is lost with it
			with.withFile(t)
			without.refused(t, "the files of this database are in the bucket s3://")
			if out, err := without.octavo("doctor").CombinedOutput(); err == nil || !strings.Contains(string(out), "files lie in the place that the database names") {
				t.Errorf("doctor: %v\n%s", err, out)
			}
			with.withFile(t)
			with.doctor(t)
		})
	}
}

// TestRestoredElsewhere: a backup of an installation with a bucket comes back
// into a data folder, one of a data folder into a bucket, and neither is served
// from where its files are not.
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
				(&installation{data, in.command}).refused(t, "none of them is there")
			}
			back.withFile(t)
			back.withFile(t)
			back.doctor(t)
			if c.to != nil {
				(&installation{data, in.command}).refused(t, "1 of 1 are not here")
			}
			in.withFile(t) // the first goes on
		})
	}
}
