package store

import (
	"encoding/binary"
	"fmt"
	"io"
)

// DrawLease draws the number that work is claimed under: one other than 0 that
// no other claim has.
func DrawLease(random io.Reader) (int64, error) {
	var b [8]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return 0, fmt.Errorf("draw a lease: %w", err)
	}
	return int64(binary.BigEndian.Uint64(b[:])>>1) | 1, nil
}
