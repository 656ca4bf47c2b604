package faulttest

import (
	"net/http"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/testenv"
)

// refused runs octavo serve, which must end by itself with an error that says
// why.
func (i *installation) refused(t *testing.T, why string) {
	t.Helper()
	out, err := i.octavo("serve", "--addr", "127.0.0.1:0", "--ops-addr=").CombinedOutput()
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
// made anew does not take those of the lost one.
func TestTwoInstallationsInABucket(t *testing.T) {
	t.Parallel()
	first, second := onSQLite(t), onSQLite(t)
	bucket := testenv.S3(t)
	for _, i := range []*installation{first, second} {
		i.storage = append(i.storage, "--blob-url", bucket)
	}
	first.withFile(t)
	second.refused(t, "are those of another installation")
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
	elsewhere.refused(t, "none of them is there")
	elsewhere.serve(t, "--roles", "search,auth").stop(t)
	in.doctor(t)
}
