package httpapi_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// brokenStore gives files that can be read up to some place.
type brokenStore struct {
	blob.Store
	most int64
}

func (b *brokenStore) Open(ctx context.Context, key string) (blob.File, error) {
	f, err := b.Store.Open(ctx, key)
	return &brokenFile{File: f, left: b.most}, err
}

type brokenFile struct {
	blob.File
	left int64
}

func (f *brokenFile) Read(p []byte) (int, error) {
	if f.left == 0 {
		return 0, octavo.Errorf(octavo.Unavailable, "The file store cannot be reached at the moment.")
	}
	n, err := f.File.Read(p[:min(int64(len(p)), f.left)])
	f.left -= int64(n)
	return n, err
}

// TestTruncatedFiles: when the blob store fails while a file is sent, the
// client sees that it has not got all, and the log says why.
func TestTruncatedFiles(t *testing.T) {
	t.Parallel()
	folder, err := blob.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var log notes
	s := octavotest.Start(t, octavotest.Options{Blobs: &brokenStore{folder, 100_000}, Log: &log})
	path := upload(t, s, strings.Repeat("x", 200_000))
	for _, ranges := range []string{"", "bytes=10-", "bytes=0-1,10-190000"} {
		log.take()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Range", ranges)
		resp, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, resp.Body)
		resp.Body.Close()
		if err == nil {
			t.Errorf("%q: have %d bytes and no error", ranges, n)
		}
		// The line is written before the connection ends.
		if have := log.take(); !strings.Contains(have, "file cut off") {
			t.Errorf("%q: have the log %s, want it to tell", ranges, have)
		}
	}
}
