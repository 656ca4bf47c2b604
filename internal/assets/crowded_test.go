package assets_test

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/blob"
)

// crowded is a store of bytes where the turn of a file comes after a time.
type crowded struct {
	blob.Store
	wait time.Duration
}

func (c crowded) Put(ctx context.Context, _ string, r io.Reader) error {
	select {
	case <-time.After(c.wait):
	case <-ctx.Done():
		return ctx.Err()
	}
	for part := make([]byte, 1); ; time.Sleep(time.Minute) { // a slow sender
		switch _, err := r.Read(part); {
		case err == io.EOF:
			return nil
		case err != nil || ctx.Err() != nil:
			return errors.Join(err, ctx.Err())
		}
	}
}

// TestUploadsWait: an upload does not wait for others without
// end, and once it is its turn it may take its time.
func TestUploadsWait(t *testing.T) {
	for name, c := range map[string]struct {
		wait    time.Duration
		refused bool
	}{
		"soon": {20 * time.Second, false}, "late": {time.Hour, true},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				s := assets.New(assets.Options{Blobs: crowded{nil, c.wait}, Random: rand.Reader, Now: time.Now})
				_, err := s.Receive(t.Context(), strings.NewReader("some"), "a.txt", "")
				var e *octavo.Error
				if refused := errors.As(err, &e) && e.Type == octavo.Unavailable; refused != c.refused || !refused && err != nil {
					t.Errorf("have %v, want that it is refused for now: %v", err, c.refused)
				}
				if took := time.Since(start); c.refused && took > time.Minute {
					t.Errorf("refused after %s", took)
				}
			})
		})
	}
}
