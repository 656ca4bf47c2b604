// Package deflate compresses pieces of responses once, so that they can later be joined in
// any order: it builds a gzip stream (RFC 1952) by copying pieces. It does not know what
// the pieces are. Start with [Compressor] and [Stream].
//
// A piece is a sequence of DEFLATE blocks (RFC 1951) without references to earlier data
// and without a final block, and ends at a byte boundary.
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

// Piece is a part of a response body.
type Piece struct {
	Plain      []byte
	Compressed []byte // by a Compressor; nil means that Plain is stored uncompressed
}

// header is a gzip header without optional fields.
const header = "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"

// Last is an empty final block, which ends a sequence of pieces.
const Last = "\x01\x00\x00\xff\xff"

// maxStored is the maximum size of an uncompressed block in bytes.
const maxStored = 1<<16 - 1

// large is the size in bytes from which a piece is compressed less and faster, so that
// requests do not wait.
const large = 128 << 10

// Compressor compresses pieces. It is safe for concurrent use. Its zero value is ready to
// use.
type Compressor struct {
	usual, fast sync.Pool // of *flate.Writer, up to 1.2 MiB each
}

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

type Stream struct {
	out  []byte
	crc  uint32
	size uint32
}

// NewStream returns an empty stream that reuses the memory of dst.
func NewStream(dst []byte) *Stream { return &Stream{out: append(dst[:0], header...)} }

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

// Len returns the number of bytes that Take would return.
func (s *Stream) Len() int { return len(s.out) }

// Take returns the part of the stream that was not taken before. It is valid until the
// next call of Add.
func (s *Stream) Take() []byte {
	out := s.out
	s.out = s.out[:0]
	return out
}

// Close ends the stream and returns the rest of it.
func (s *Stream) Close() []byte {
	out := append(s.out, Last...)
	out = binary.LittleEndian.AppendUint32(out, s.crc)
	return binary.LittleEndian.AppendUint32(out, s.size)
}

// StreamSize returns the length of a stream of these pieces in bytes.
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
