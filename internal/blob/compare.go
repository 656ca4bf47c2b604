package blob

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/octavo-docs/octavo"
)

// Compare checks the size of a blob and, unless sum is empty, its SHA-256 in hexadecimal,
// for which it reads all of it. It returns the fault, or "". The error is [ErrNotFound] if
// the bytes are missing; any other error means that they could not be read.
func Compare(ctx context.Context, s Store, key string, size int64, sum string) (wrong string, err error) {
	file, err := s.Open(ctx, key)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if have := file.Size(); have != size {
		return fmt.Sprintf("has %d bytes, not %d", have, size), nil
	}
	if sum == "" {
		return "", nil
	}
	hash := sha256.New()
	if _, err := io.Copy(hash, ContextReader{ctx, file}); err != nil {
		var away *octavo.Error
		if ctx.Err() != nil || errors.Is(err, ErrNotFound) || errors.As(err, &away) {
			return "", fmt.Errorf("read file %s: %w", key, err)
		}
		return "cannot be read: " + err.Error(), nil
	}
	if have := hex.EncodeToString(hash.Sum(nil)); have != sum {
		return fmt.Sprintf("was altered: its SHA-256 is %s, not %s", have, sum), nil
	}
	return "", nil
}
