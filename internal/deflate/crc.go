package deflate

// JoinCRC returns the CRC-32 (IEEE 802.3, as in gzip and zip) of the concatenation of two
// texts, from both CRC-32 and the length of the second in bytes.
func JoinCRC(first, second uint32, length int64) uint32 {
	return multiply(power(length), first) ^ second
}

// A CRC is the remainder of a polynomial over GF(2). In a uint32 the highest bit
// is the coefficient of x⁰.
const (
	polynomial = 0xedb88320
	one        = 1 << 31 // x⁰
	eighth     = 1 << 23 // x⁸, the factor of each following byte
)

// power returns x to the power of 8·bytes.
func power(bytes int64) uint32 {
	p := uint32(one)
	for square := uint32(eighth); bytes > 0; bytes >>= 1 {
		if bytes&1 != 0 {
			p = multiply(square, p)
		}
		square = multiply(square, square)
	}
	return p
}

func multiply(a, b uint32) (product uint32) {
	for ; a != 0; a <<= 1 {
		if a&one != 0 {
			product ^= b
		}
		odd := b & 1
		b >>= 1
		if odd != 0 {
			b ^= polynomial
		}
	}
	return product
}
