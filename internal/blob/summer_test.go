package blob

import (
	"bytes"
	"crypto/sha256"
	"io"
	"math/rand/v2"
	"testing"
	"testing/iotest"
)

// TestSummer: the hash is that of the bytes read so far, however and how long the file is
// read.
func TestSummer(t *testing.T) {
	t.Parallel()
	text := make([]byte, sumBeside+5*sumPiece+7)
	random := rand.NewChaCha8([32]byte{1})
	_, _ = random.Read(text) // it never fails
	for _, size := range []int{0, 1, sumBeside - 1, sumBeside, sumBeside + 1, sumBeside + sumPiece, sumBeside + 2*sumPiece - 1, len(text)} {
		for name, read := range map[string]func(io.Reader) io.Reader{
			"whole": func(r io.Reader) io.Reader { return r }, "halves": iotest.HalfReader, "data with the end": iotest.DataErrReader,
		} {
			s := NewSummer(read(bytes.NewReader(text[:size])))
			buf := make([]byte, 300<<10)
			var have []byte
			for n, err := 0, error(nil); err == nil; {
				n, err = s.Read(buf)
				have = append(have, buf[:n]...)
				clear(buf) // the caller may overwrite the buffer
				if len(have) > sumBeside && len(have) < size && s.SHA256() != sha256.Sum256(have) {
					t.Fatalf("%d bytes, %s: after %d another hash", size, name, len(have))
				}
			}
			s.Close()
			if !bytes.Equal(have, text[:size]) || s.Size() != int64(size) || s.SHA256() != sha256.Sum256(have) {
				t.Errorf("%d bytes, %s: have %d, size %d, or another hash", size, name, len(have), s.Size())
			}
		}
	}
}
