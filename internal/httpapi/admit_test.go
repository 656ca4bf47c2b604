package httpapi

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

// TestRoom holds who gets into a room: as many as have space, one that is
// larger than the room alone, and others after a while not.
func TestRoom(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := newRoom(100)
		enter := func(weight int64, want bool) func() {
			t.Helper()
			leave, err := m.enter(t.Context(), weight)
			var refused *octavo.Error
			switch {
			case want && err != nil:
				t.Fatalf("%d: have %v, want room", weight, err)
			case !want && (!errors.As(err, &refused) || refused.Type != octavo.Unavailable || refused.RetryAfter <= 0):
				t.Errorf("%d: have %v, want Unavailable with a time to try again", weight, err)
			}
			return leave
		}
		first, second := enter(60, true), enter(40, true)
		start := time.Now()
		enter(1, false)
		if took := time.Since(start); took != roomWait {
			t.Errorf("refused after %s, want %s", took, roomWait)
		}
		first()
		enter(1000, false)
		second()
		all := enter(1000, true)
		time.AfterFunc(roomWait/2, all)
		enter(100, true)()
	})
}

// TestRoomOfWhoHasGone: a request that is not waited for is not refused, but
// forgotten.
func TestRoomOfWhoHasGone(t *testing.T) {
	m := newRoom(1)
	ctx, cancel := context.WithCancel(t.Context())
	if _, err := m.enter(ctx, 1); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := m.enter(ctx, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("have %v, want %v", err, context.Canceled)
	}
}

// TestNoRooms: without bounds everybody gets in.
func TestNoRooms(t *testing.T) {
	leave, err := newRooms(0).large.enter(t.Context(), 1<<40)
	if err != nil {
		t.Fatal(err)
	}
	leave()
}

// TestLimitsOfUploads: the documentation tells how many files are taken at once.
func TestLimitsOfUploads(t *testing.T) {
	t.Parallel()
	const memory = 512 << 20 // of which requests have a half
	text, err := fs.ReadFile(docs.Files(), "operating/limits.md")
	if err != nil {
		t.Fatal(err)
	}
	m := newRooms(memory / 2)
	want := fmt.Sprintf("| files that are uploaded at once | %d, then 503 with `Retry-After`; 24 of them are put into a bucket at a time | %d KiB each of a %dth of `--max-memory` |",
		m.uploads.size/uploadSize, uploadSize>>10, memory/m.uploads.size)
	if !strings.Contains(string(text), want) {
		t.Errorf("docs/operating/limits.md does not say %q", want)
	}
}
