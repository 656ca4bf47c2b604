// Package deflate compresses pieces of answers once, so that they can be put
// together in any order afterwards: a gzip stream (RFC 1952) is made of
// pieces by copying alone. It owns the form of such a stream and knows nothing
// of what the pieces are.
//
// A piece is a row of DEFLATE blocks (RFC 1951) that refers to nothing before
// it and ends at a byte boundary, and none of its blocks is the final one.
package deflate

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"sync"
)

// Piece is a part of an answer's body.
type Piece struct {
	Plain      []byte
	Compressed []byte // by a Compressor; nil has Plain go into a stream as it is
}

// header is that of a gzip member that says nothing about its origin.
const header = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"

// Last is an empty final block, which ends a row of pieces.
const Last = "\x01\x00\x00\xff\xff"

// maxStored is the most bytes of one block that is not compressed.
const maxStored = 1<<16 - 1

// large is from where on a piece is compressed less and faster, in bytes: the
// time of a usual piece is well spent, that of megabytes is waited for.
const large = 128 << 10

// Compressor compresses pieces. It is safe for concurrent use; its zero value
// is ready.
type Compressor struct {
	usual, fast sync.Pool // of *flate.Writer, which take up to 1.2 MiB each
}

// Compress returns the compressed form of a piece.
func (c *Compressor) Compress(plain []byte) ([]byte, error) {
	var out bytes.Buffer
	writers, level := &c.usual, flate.DefaultCompression
	if len(plain) >= large {
		writers, level = &c.fast, flate.BestSpeed
	}
	w, ok := writers.Get().(*flate.Writer)
	if !ok {
		var err error
		if w, err = flate.NewWriter(io.Discard, level); err != nil {
			return nil, fmt.Errorf("make a compressor: %w", err)
		}
	}
	defer writers.Put(w)
	w.Reset(&out)
	if _, err := w.Write(plain); err != nil {
		return nil, fmt.Errorf("compress %d bytes: %w", len(plain), err)
	}
	if err := w.Flush(); err != nil {
		return nil, fmt.Errorf("compress %d bytes: %w", len(plain), err)
	}
	return bytes.Clone(out.Bytes()), nil
}

// Stream puts a gzip stream together.
type Stream struct {
	out  []byte
	crc  uint32
	size uint32
}

// NewStream returns an empty stream that is written into the space of dst.
func NewStream(dst []byte) *Stream { return &Stream{out: append(dst[:0], header...)} }

// Add appends a piece.
func (s *Stream) Add(p Piece) {
	s.crc = crc32.Update(s.crc, crc32.IEEETable, p.Plain)
	s.size += uint32(len(p.Plain))
	if p.Compressed != nil {
		s.out = append(s.out, p.Compressed...)
		return
	}
	for plain := p.Plain; len(plain) > 0; {
		n := min(len(plain), maxStored)
		s.out = append(s.out, 0, byte(n), byte(n>>8), byte(^n), byte(^n>>8))
		s.out = append(s.out, plain[:n]...)
		plain = plain[n:]
	}
}

// Len returns how many bytes Take would return.
func (s *Stream) Len() int { return len(s.out) }

// Take returns what there is of the stream beyond what was taken before. It
// stays as it is until the next call of Add.
func (s *Stream) Take() []byte {
	out := s.out
	s.out = s.out[:0]
	return out
}

// Close ends the stream and returns what was not taken of it.
func (s *Stream) Close() []byte {
	out := append(s.out, Last...)
	out = binary.LittleEndian.AppendUint32(out, s.crc)
	return binary.LittleEndian.AppendUint32(out, s.size)
}

// StreamSize returns the length of the stream of these pieces, in bytes.
func StreamSize(pieces []Piece) int {
	size := len(header) + len(Last) + 2*4
	for _, p := range pieces {
		if p.Compressed != nil {
			size += len(p.Compressed)
		} else {
			size += len(p.Plain) + 5*((len(p.Plain)+maxStored-1)/maxStored)
		}
	}
	return size
}
