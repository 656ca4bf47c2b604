package rest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/docs"
)

// TestMemoryShared: requests take what is free, one that needs more than
// there is takes all, and others are refused after a while.
func TestMemoryShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := newBudget(100)
		take := func(n int64, want bool) *lease {
			t.Helper()
			l := &lease{of: b}
			err := l.take(t.Context(), n)
			var refused *octavo.Error
			switch {
			case want && err != nil:
				t.Fatalf("%d: have %v, want memory", n, err)
			case !want && (!errors.As(err, &refused) || refused.Type != octavo.Unavailable || refused.RetryAfter <= 0):
				t.Errorf("%d: have %v, want Unavailable with a time to try again", n, err)
			}
			return l
		}
		first, second := take(60, true), take(40, true)
		start := time.Now()
		take(1, false)
		if took := time.Since(start); took != memoryWait {
			t.Errorf("refused after %s, want %s", took, memoryWait)
		}
		first.keep(0)
		take(1000, false)
		second.keep(30)
		take(70, true).keep(0)
		second.keep(0)
		all := take(1000, true)
		if err := all.take(t.Context(), 1); err != nil {
			t.Errorf("more for the one who has all: %v", err)
		}
		time.AfterFunc(memoryWait/2, func() { all.keep(0) })
		take(100, true).keep(0)
	})
}

// TestMemoryAfterDisconnect: a request that nobody waits for is not
// refused, but forgotten.
func TestMemoryAfterDisconnect(t *testing.T) {
	l := lease{of: newBudget(1)}
	if err := l.take(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	other := lease{of: l.of}
	if err := other.take(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("have %v, want %v", err, context.Canceled)
	}
}

// TestMemoryWithoutBound: without a bound there is memory for everything.
func TestMemoryWithoutBound(t *testing.T) {
	l := lease{of: newMemory(0).shared}
	if err := l.take(t.Context(), 1<<40); err != nil {
		t.Fatal(err)
	}
	l.keep(0)
}

// TestPartsOfMemory: the parts of the budget are the whole of it, and the
// documentation says how many files are taken at once.
func TestPartsOfMemory(t *testing.T) {
	t.Parallel()
	const most = 512 << 20 // of which requests have a half
	text, err := fs.ReadFile(docs.Files(), "operating/limits.md")
	if err != nil {
		t.Fatal(err)
	}
	m := newMemory(most / 2)
	if sum := m.shared.size + m.small.size + m.arriving.size + m.uploads.size; sum != most/2 {
		t.Errorf("have parts of %d bytes, want %d", sum, most/2)
	}
	want := fmt.Sprintf("| files uploaded at the same time | %d, then 503 with `Retry-After`; 24 of them are sent to a bucket at a time | %d KiB each of a %dth of `--max-memory` |",
		m.uploads.size/uploadSize, uploadSize>>10, most/m.uploads.size)
	if !strings.Contains(string(text), want) {
		t.Errorf("docs/operating/limits.md does not say %q", want)
	}
}
