package octavo

import (
	"errors"
	"io"
	"testing"
)

func TestWrapf(t *testing.T) {
	t.Parallel()
	if err := Wrapf(nil, "read page %s", "pg_1"); err != nil {
		t.Errorf("Wrapf(nil): have %v, want nil", err)
	}
	err := Wrapf(io.EOF, "read page %s", "pg_%d")
	if want := "read page pg_%d: EOF"; !errors.Is(err, io.EOF) || err.Error() != want {
		t.Errorf("Wrapf(EOF): have %v, want %s, which wraps it", err, want)
	}
}
