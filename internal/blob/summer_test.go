package blob

import (
	"crypto/sha256"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestSummer: however a file is read, the hash is that of its bytes, also in between.
func TestSummer(t *testing.T) {
	t.Parallel()
	const text = "some bytes"
	s := NewSummer(iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(text))))
	if _, err := io.CopyN(io.Discard, s, 4); err != nil || s.Size() != 4 || s.SHA256() != sha256.Sum256([]byte(text[:4])) {
		t.Errorf("after 4 bytes: have size %d, %v, or another hash", s.Size(), err)
	}
	if _, err := io.Copy(io.Discard, s); err != nil || s.Size() != int64(len(text)) || s.SHA256() != sha256.Sum256([]byte(text)) {
		t.Errorf("in the end: have size %d, %v, or another hash", s.Size(), err)
	}
}
