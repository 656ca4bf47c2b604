package auth

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
)

// A sealed secret is one byte for its format, followed by the plain secret or by nonce and
// AES-256-GCM ciphertext.
const (
	formPlain  = 0
	formSealed = 1
)

// Reasons why a sealed secret cannot be opened.
var (
	ErrNoSecretKey    = errors.New("the installation's secrets are encrypted: set OCTAVO_SECRET_KEY to the key that encrypted them")
	ErrPlainSecret    = errors.New("OCTAVO_SECRET_KEY is set, but the installation's secrets are not encrypted: unset it, or start octavo serve with it, which encrypts them")
	ErrWrongSecretKey = errors.New("OCTAVO_SECRET_KEY is not the key that encrypted the installation's secrets, or a secret was altered")
)

// Sealer encrypts secrets with a key derived from OCTAVO_SECRET_KEY. Without one it stores
// them as plain text.
type Sealer struct {
	aead   cipher.AEAD // nil without a key
	random io.Reader
}

// NewSealer returns a sealer; secretKey may be empty. The key must be random, with at
// least 256 bits: it is not stretched like a password.
func NewSealer(secretKey string, random io.Reader) (*Sealer, error) {
	if secretKey == "" {
		return &Sealer{random: random}, nil
	}
	key, err := hkdf.Key(sha256.New, []byte(secretKey), nil, "octavo: secrets of the installation, 1", 32)
	if err != nil {
		return nil, fmt.Errorf("derive the encryption key: %w", err)
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, fmt.Errorf("derive the encryption key: %w", err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, fmt.Errorf("derive the encryption key: %w", err)
	}
	return &Sealer{aead: aead, random: random}, nil
}

// Seal encrypts a secret and binds it to its name, so that stored secrets cannot be
// exchanged.
func (s *Sealer) Seal(name string, secret []byte) ([]byte, error) {
	if s.aead == nil {
		return append([]byte{formPlain}, secret...), nil
	}
	sealed := make([]byte, 1+s.aead.NonceSize(), 1+s.aead.NonceSize()+len(secret)+s.aead.Overhead())
	sealed[0] = formSealed
	if _, err := io.ReadFull(s.random, sealed[1:]); err != nil {
		return nil, fmt.Errorf("encrypt secret %s: %w", name, err)
	}
	return s.aead.Seal(sealed, sealed[1:], secret, []byte(name)), nil
}

// Open decrypts a secret that was sealed under the name. With a secret key it refuses
// plain secrets, so that an installation never has both kinds.
func (s *Sealer) Open(name string, sealed []byte) ([]byte, error) {
	switch {
	case isPlain(sealed) && s.aead != nil:
		return nil, fmt.Errorf("open secret %s: %w", name, ErrPlainSecret)
	case isPlain(sealed):
		return sealed[1:], nil
	case len(sealed) == 0 || sealed[0] != formSealed:
		return nil, fmt.Errorf("decrypt secret %s: its format is unknown; a newer version may have written it", name)
	case s.aead == nil:
		return nil, fmt.Errorf("decrypt secret %s: %w", name, ErrNoSecretKey)
	case len(sealed) < 1+s.aead.NonceSize():
		return nil, fmt.Errorf("decrypt secret %s: %w", name, ErrWrongSecretKey)
	}
	nonce, text := sealed[1:1+s.aead.NonceSize()], sealed[1+s.aead.NonceSize():]
	secret, err := s.aead.Open(nil, nonce, text, []byte(name))
	if err != nil {
		return nil, fmt.Errorf("decrypt secret %s: %w", name, ErrWrongSecretKey)
	}
	return secret, nil
}

func isPlain(sealed []byte) bool { return len(sealed) > 0 && sealed[0] == formPlain }
