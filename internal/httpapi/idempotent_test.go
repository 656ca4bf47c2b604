package httpapi

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// noReplays keeps no answers.
type noReplays struct{}

func (noReplays) Replay(context.Context, *store.Claim) (store.Response, bool, error) {
	return store.Response{}, false, nil
}

func (noReplays) Outcome(context.Context, *store.Claim, store.Response) error { return nil }

// TestAFailureIsLoggedOnce, whether or not its answer might have been kept.
func TestAFailureIsLoggedOnce(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key    string
		kind   octavo.ProblemType
		status int
		lines  int
	}{
		{"", octavo.Unavailable, http.StatusServiceUnavailable, 1},
		{"k", octavo.Unavailable, http.StatusServiceUnavailable, 1},
		{"k", octavo.Internal, http.StatusInternalServerError, 1},
		{"k", octavo.Conflict, http.StatusConflict, 0},
	} {
		var log bytes.Buffer
		a := New(Options{Log: slog.New(slog.NewTextHandler(&log, nil)), Idempotency: noReplays{}})
		w := httptest.NewRecorder()
		r := with(http.MethodPost, "Idempotency-Key", c.key)
		r.w = &recorder{ResponseWriter: w}
		r.route = &route{handle: func(*request) (*response, error) { return nil, octavo.Errorf(c.kind, "") }}
		a.serveIdempotent(r)
		if lines := strings.Count(log.String(), "request failed"); lines != c.lines || w.Code != c.status {
			t.Errorf("key %q, %s: have %d and %d lines, want %d and %d\n%s", c.key, c.kind, w.Code, lines, c.status, c.lines, log.String())
		}
	}
}
