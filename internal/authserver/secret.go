package authserver

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
)

// secretBytes is the size of every random secret: codes, tokens, cookies.
const secretBytes = 32

// secretLength is the length of a secret as text.
const secretLength = (secretBytes*8 + 5) / 6

// refreshPrefix makes a leaked refresh token recognisable.
const refreshPrefix = "ort_"

// NewSecret returns a random secret, such as that of a client, and the hash to store. A
// plain SHA-256 suffices for 256 random bits.
func NewSecret(random io.Reader) (text string, hash [32]byte, err error) {
	var b [secretBytes]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", hash, fmt.Errorf("make a secret: %w", err)
	}
	text = base64.RawURLEncoding.EncodeToString(b[:])
	return text, hashOf(text), nil
}

func hashOf(text string) [32]byte { return sha256.Sum256([]byte(text)) }

// splitRefresh returns the hashes of both parts of a refresh token.
func splitRefresh(text string) (family, token [32]byte, ok bool) {
	if len(text) != len(refreshPrefix)+2*secretLength || text[:len(refreshPrefix)] != refreshPrefix {
		return family, token, false
	}
	text = text[len(refreshPrefix):]
	return hashOf(text[:secretLength]), hashOf(text[secretLength:]), true
}
