package deflate

import (
	"hash/crc32"
	"testing"

	"pgregory.net/rapid"
)

// TestJoinCRC checks that the CRC of two texts follows from theirs.
func TestJoinCRC(t *testing.T) {
	t.Parallel()
	text := rapid.SliceOfN(rapid.Byte(), 0, 3000)
	rapid.Check(t, func(t *rapid.T) {
		a, b := text.Draw(t, "first"), text.Draw(t, "second")
		want := crc32.ChecksumIEEE(append(append([]byte(nil), a...), b...))
		if have := JoinCRC(crc32.ChecksumIEEE(a), crc32.ChecksumIEEE(b), int64(len(b))); have != want {
			t.Fatalf("have %08x, want %08x", have, want)
		}
	})
}
