package rest

import (
	"crypto/rand"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
)

// TestStreamsCompleteOrCut: a streamed answer that cannot be finished does
// not look like one that is, and the log says why, once and without a stack.
func TestStreamsCompleteOrCut(t *testing.T) {
	var log strings.Builder
	a := New(Options{
		IDs: octavo.NewIDSource(time.Now, rand.Reader), Random: rand.Reader, Now: time.Now, Log: slog.New(slog.NewTextHandler(&log, nil)),
	})
	for path, fail := range map[string]error{"/whole": nil, "/cut": errors.New("the store is gone")} {
		a.routing.handle(path, func(r *Request) {
			a.write(r, &Response{Status: http.StatusOK, ContentType: "application/jsonl", Stream: func(write func([]byte) error) error {
				for range 3 {
					if err := write([]byte(strings.Repeat("x", 5000) + "\n")); err != nil {
						return err
					}
				}
				return fail
			}})
		})
	}
	server := httptest.NewServer(a)
	defer server.Close()
	for path, want := range map[string]bool{"/whole": true, "/cut": false} {
		resp, err := server.Client().Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if whole := err == nil; whole != want || whole && len(body) != 3*5001 {
			t.Errorf("%s: have %d bytes, %v, want whole %v", path, len(body), err, want)
		}
	}
	server.Close() // ends what writes the log
	if text := log.String(); strings.Count(text, "the store is gone") != 1 || strings.Contains(text, "stack") {
		t.Errorf("have the log %s, want the cause in it once, and no stack", text)
	}
}
