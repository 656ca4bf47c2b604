package live

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/search"
)

// TestSearchesWaitForTheIndex: a search that comes before the index is complete
// waits for it, but not for long.
func TestSearchesWaitForTheIndex(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, start := New(Options{Now: time.Now}), time.Now()
		_, err := s.Search(t.Context(), octavo.Audience{}, nil, search.Query{})
		var e *octavo.Error
		if took := time.Since(start); took != readyWait || !errors.As(err, &e) || e.Type != octavo.Unavailable {
			t.Errorf("after %s: have %v, want Unavailable after %s", took, err, readyWait)
		}
		time.AfterFunc(readyWait/2, func() {
			s.index.Store(&search.Index{})
			close(s.complete)
		})
		start = time.Now()
		if index, err := s.completed(t.Context()); index == nil || err != nil || time.Since(start) != readyWait/2 {
			t.Errorf("after %s: have %v, %v, want the index after %s", time.Since(start), index, err, readyWait/2)
		}
	})
}
