package rest

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// noReplays has no answers, and counts those that it is to keep.
type noReplays struct{ kept *int }

func (noReplays) Replay(context.Context, *sqldb.Claim) (sqldb.Response, bool, error) {
	return sqldb.Response{}, false, nil
}

func (n noReplays) Outcome(context.Context, *sqldb.Claim, sqldb.Response) error {
	*n.kept++
	return nil
}

// TestFailureLoggedOnce, whether or not its answer might have been kept.
func TestFailureLoggedOnce(t *testing.T) {
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
		a := New(Options{Log: slog.New(slog.NewTextHandler(&log, nil)), Idempotency: noReplays{new(int)}})
		w := httptest.NewRecorder()
		r := with(http.MethodPost, "Idempotency-Key", c.key)
		r.w = &recorder{ResponseWriter: w}
		r.route = &Route{Handle: func(*Request) (*Response, error) { return nil, octavo.Errorf(c.kind, "") }}
		a.serveIdempotent(r)
		if lines := strings.Count(log.String(), "request failed"); lines != c.lines || w.Code != c.status {
			t.Errorf("key %q, %s: have %d and %d lines, want %d and %d\n%s", c.key, c.kind, w.Code, lines, c.status, c.lines, log.String())
		}
	}
}

// TestLongRefusalsNotStored: nobody fills the database with what is wrong with
// their requests.
func TestLongRefusalsNotStored(t *testing.T) {
	t.Parallel()
	for faults, want := range map[int]int{1: 1, 20: 1, 100: 0} {
		kept := 0
		a := New(Options{Log: slog.New(slog.DiscardHandler), Idempotency: noReplays{&kept}})
		w := httptest.NewRecorder()
		r := with(http.MethodPost, "Idempotency-Key", "k")
		r.w = &recorder{ResponseWriter: w}
		r.route = &Route{Handle: func(*Request) (*Response, error) {
			var list octavo.Faults
			for range faults {
				list.Add("/"+strings.Repeat("x", 50), "is not a known member")
			}
			return nil, list.Err()
		}}
		a.serveIdempotent(r)
		if kept != want || w.Code != http.StatusBadRequest {
			t.Errorf("%d mistakes: %d answers of %d bytes are kept, want %d; have %d", faults, kept, w.Body.Len(), want, w.Code)
		}
	}
}
