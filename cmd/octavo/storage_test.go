package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadOnlyBucket: a key that may not write is named with the bucket and with
// what it lacks, not as a bucket that cannot be reached. The database has the
// bucket as its location by then, which a restore without --blob-url must not
// change.
func TestReadOnlyBucket(t *testing.T) {
	t.Parallel()
	bucket := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/xml")
		if r.Method == http.MethodGet {
			io.WriteString(w, `<ListBucketResult><Name>docs</Name><KeyCount>0</KeyCount><IsTruncated>false</IsTruncated></ListBucketResult>`) //nolint:errcheck // the test fails then
			return
		}
		w.WriteHeader(http.StatusForbidden)
		io.WriteString(w, `<Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>`) //nolint:errcheck // the test fails then
	}))
	defer bucket.Close()
	data, said := filepath.Join(t.TempDir(), "d"), &strings.Builder{}
	code := Run(t.Context(), []string{
		"serve", "--addr", "127.0.0.1:0", "--ops-addr=", "--data", data,
		"--blob-url", "s3://key:secret@" + strings.TrimPrefix(bucket.URL, "http://") + "/docs?insecure=true&region=us-east-1",
	}, strings.NewReader(""), io.Discard, said)
	for _, want := range []string{"open the files at s3://", "/docs", "needs the rights to list, read, write and delete"} {
		if code != exitFailed || !strings.Contains(said.String(), want) {
			t.Errorf("have %d, %q; want %d and %q", code, said, exitFailed, want)
		}
	}
	said.Reset()
	code = Run(t.Context(), []string{"migrate", "--restored", "--data", data}, strings.NewReader(""), io.Discard, said)
	if want := "the files of this database are at s3://"; code != exitFailed || !strings.Contains(said.String(), want) || !strings.Contains(said.String(), "not beside the database") {
		t.Errorf("have %d, %q; want %d and %q", code, said, exitFailed, want)
	}
}
