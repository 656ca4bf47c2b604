package blob

import (
	"crypto/sha256"
	"hash"
	"io"
)

// Summer counts and hashes the bytes that are read through it.
type Summer struct {
	r    io.Reader
	hash hash.Hash
	size int64
}

func NewSummer(r io.Reader) *Summer { return &Summer{r: r, hash: sha256.New()} }

func (s *Summer) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.size += int64(n)
	_, _ = s.hash.Write(p[:n]) // a hash takes everything
	return n, err
}

// Size returns the number of bytes read so far.
func (s *Summer) Size() int64 { return s.size }

// SHA256 returns the hash of the bytes read so far.
func (s *Summer) SHA256() [sha256.Size]byte { return [sha256.Size]byte(s.hash.Sum(nil)) }
