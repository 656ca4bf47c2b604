package blob

import (
	"crypto/sha256"
	"hash"
	"io"
)

// Summer counts and hashes what is read through it. It is made by NewSummer.
type Summer struct {
	r    io.Reader
	hash hash.Hash
	size int64
}

// NewSummer returns a reader of what r has.
func NewSummer(r io.Reader) *Summer { return &Summer{r: r, hash: sha256.New()} }

// Read implements io.Reader.
func (s *Summer) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.size += int64(n)
	_, _ = s.hash.Write(p[:n]) // a hash takes everything
	return n, err
}

// Size is how many bytes were read so far.
func (s *Summer) Size() int64 { return s.size }

// SHA256 is the hash of the bytes that were read so far.
func (s *Summer) SHA256() [sha256.Size]byte { return [sha256.Size]byte(s.hash.Sum(nil)) }
