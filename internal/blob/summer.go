package blob

import (
	"crypto/sha256"
	"hash"
	"io"
)

// The hash of a long file is computed concurrently with reading, in pieces.
const (
	sumBeside = 1 << 20   // bytes hashed before concurrent hashing starts
	sumPiece  = 128 << 10 // bytes
)

// Summer counts and hashes the bytes that are read through it. Hashing takes longer than
// reading and writing. So after the first MiB it keeps two pieces: one fills while the
// other is hashed. Call Close at the end.
type Summer struct {
	r    io.Reader
	hash hash.Hash
	size int64

	filling []byte        // read but not yet hashed
	hashing []byte        // in use until hashed is closed
	hashed  chan struct{} // nil unless a piece is being hashed
}

func NewSummer(r io.Reader) *Summer { return &Summer{r: r, hash: sha256.New()} }

func (s *Summer) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.add(p[:n])
	return n, err
}

func (s *Summer) add(text []byte) {
	s.size += int64(len(text))
	if s.size < sumBeside {
		_, _ = s.hash.Write(text) // a hash takes everything
		return
	}
	if s.filling == nil {
		s.filling, s.hashing = make([]byte, 0, sumPiece), make([]byte, 0, sumPiece)
	}
	for len(text) > 0 {
		n := min(len(text), sumPiece-len(s.filling))
		s.filling, text = append(s.filling, text[:n]...), text[n:]
		if len(s.filling) == sumPiece {
			s.hashBeside()
		}
	}
}

// hashBeside waits for the previous piece and starts hashing the full one.
func (s *Summer) hashBeside() {
	s.wait()
	s.filling, s.hashing = s.hashing[:0], s.filling
	piece, hashed := s.hashing, make(chan struct{})
	s.hashed = hashed
	go func() {
		defer close(hashed)
		_, _ = s.hash.Write(piece) // a hash takes everything
	}()
}

func (s *Summer) wait() {
	if s.hashed != nil {
		<-s.hashed
		s.hashed = nil
	}
}

// Size returns the number of bytes read so far.
func (s *Summer) Size() int64 { return s.size }

// SHA256 returns the hash of the bytes read so far.
func (s *Summer) SHA256() (sum [sha256.Size]byte) {
	s.wait()
	_, _ = s.hash.Write(s.filling) // a hash takes everything
	s.filling = s.filling[:0]
	s.hash.Sum(sum[:0])
	return sum
}

// Close waits for running hashing. It does not close the underlying reader.
func (s *Summer) Close() { s.wait() }
