package auth

import (
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"io"
	"math/big"
	"strings"
)

// An API key is a prefix, 256 random bits and a checksum, the latter two in base 62.
// Prefix and checksum allow secret scanners to recognise a leaked key, and tell a
// mistyped key from an unknown one.
const (
	keyPrefix   = "oct_"
	keyBytes    = 32
	keyDigits   = 43 // 256 bits in base 62
	checkDigits = 6  // 32 bits in base 62
	keyLength   = len(keyPrefix) + keyDigits + checkDigits
)

func newKeyText(random io.Reader) (string, error) {
	var b [keyBytes]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("make a key: %w", err)
	}
	body := keyPrefix + base62(new(big.Int).SetBytes(b[:]), keyDigits)
	return body + checksum(body), nil
}

// base62 writes n with leading zeros. Digits sort before lower-case letters.
func base62(n *big.Int, width int) string {
	s := n.Text(62)
	return strings.Repeat("0", width-len(s)) + s
}

func checksum(body string) string {
	return base62(big.NewInt(int64(crc32.ChecksumIEEE([]byte(body)))), checkDigits)
}

// isKeyText reports whether text has the form of a key and a correct checksum. The key
// need not exist.
func isKeyText(text string) bool {
	if len(text) != keyLength || !strings.HasPrefix(text, keyPrefix) {
		return false
	}
	body := text[:keyLength-checkDigits]
	return checksum(body) == text[keyLength-checkDigits:]
}

// hashKey returns the hash that is stored of a key. A plain hash suffices, since 256
// random bits cannot be guessed however fast the hash is.
func hashKey(text string) [32]byte { return sha256.Sum256([]byte(text)) }
