package auth

import (
	"context"
	"fmt"
	"io"

	"github.com/octavo-docs/octavo/internal/accounts"
)

// SecretStore keeps sealed secrets by name.
type SecretStore interface {
	Get(ctx context.Context, name string) (value []byte, found bool, err error)
	// PutIfAbsent returns what is stored afterwards: the value given, or
	// the one that was there before.
	PutIfAbsent(ctx context.Context, name string, value []byte) (stored []byte, err error)
	// Add stores one that is newer than all whose names start with prefix.
	Add(ctx context.Context, prefix, name string, value []byte) error
	// ReplaceSecret reports false where the secret no longer has the old value.
	Replace(ctx context.Context, name string, old, value []byte) (replaced bool, err error)
	All(ctx context.Context, prefix string) ([]accounts.Secret, error)
	Delete(ctx context.Context, name string) error
}

// Vault keeps the secrets of an installation, sealed, in its store (decision
// 60). Processes that share a store share its secrets.
type Vault struct {
	store  SecretStore
	sealer *Sealer
}

// NewVault returns the vault over a store.
func NewVault(st SecretStore, sealer *Sealer) *Vault { return &Vault{store: st, sealer: sealer} }

// Ensure returns the secret of that name, which it makes of size random bytes
// where there is none yet. It fails with ErrNoSecretKey, ErrPlainSecret or
// ErrWrongSecretKey when the secret cannot be opened.
func (v *Vault) Ensure(ctx context.Context, name string, size int) ([]byte, error) {
	stored, found, err := v.store.Get(ctx, name)
	if err != nil {
		return nil, err
	}
	if !found {
		secret := make([]byte, size)
		if _, err := io.ReadFull(v.sealer.random, secret); err != nil {
			return nil, fmt.Errorf("make secret %s: %w", name, err)
		}
		if stored, err = v.put(ctx, name, secret); err != nil {
			return nil, err
		}
	}
	return v.sealer.Open(name, stored)
}

// SealPlain encrypts the secrets that were stored before the installation had
// a secret key, and returns how many they were. It changes nothing where there
// is no key, nor where those that are encrypted are so under another one.
func (v *Vault) SealPlain(ctx context.Context) (sealed int, err error) {
	if v.sealer.aead == nil {
		return 0, nil
	}
	secrets, err := v.store.All(ctx, "")
	if err != nil {
		return 0, err
	}
	for _, s := range secrets {
		if len(s.Value) > 0 && s.Value[0] == formSealed {
			if _, err := v.sealer.Open(s.Name, s.Value); err != nil {
				return 0, err
			}
		}
	}
	for _, s := range secrets {
		if !isPlain(s.Value) {
			continue
		}
		value, err := v.sealer.Seal(s.Name, s.Value[1:])
		if err != nil {
			return sealed, err
		}
		replaced, err := v.store.Replace(ctx, s.Name, s.Value, value)
		if err != nil {
			return sealed, err
		}
		if replaced { // else another process sealed it
			sealed++
		}
	}
	return sealed, nil
}

func (v *Vault) put(ctx context.Context, name string, secret []byte) (stored []byte, err error) {
	sealed, err := v.sealer.Seal(name, secret)
	if err != nil {
		return nil, err
	}
	return v.store.PutIfAbsent(ctx, name, sealed)
}

// add stores a secret as the newest of those whose names start with prefix.
func (v *Vault) add(ctx context.Context, prefix, name string, secret []byte) error {
	sealed, err := v.sealer.Seal(name, secret)
	if err != nil {
		return err
	}
	return v.store.Add(ctx, prefix, name, sealed)
}

// Seal encrypts a secret that is to be stored under the name by somebody else,
// in a transaction with what it is for.
func (v *Vault) Seal(name string, secret []byte) ([]byte, error) { return v.sealer.Seal(name, secret) }

// All returns the secrets whose names start with prefix, opened, in the order
// of their names.
func (v *Vault) All(ctx context.Context, prefix string) ([]accounts.Secret, error) {
	secrets, err := v.store.All(ctx, prefix)
	if err != nil {
		return nil, err
	}
	for i, s := range secrets {
		if secrets[i].Value, err = v.sealer.Open(s.Name, s.Value); err != nil {
			return nil, err
		}
	}
	return secrets, nil
}
