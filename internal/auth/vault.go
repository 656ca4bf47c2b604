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
	// PutIfAbsent returns the value that is stored afterwards: the given one or an existing
	// one.
	PutIfAbsent(ctx context.Context, name string, value []byte) (stored []byte, err error)
	// Add stores a secret as the newest of those whose names start with prefix.
	Add(ctx context.Context, prefix, name string, value []byte) error
	// Replace reports false if the secret no longer has the old value.
	Replace(ctx context.Context, name string, old, value []byte) (replaced bool, err error)
	All(ctx context.Context, prefix string) ([]accounts.Secret, error)
	Delete(ctx context.Context, name string) error
}

// Vault stores the secrets of an installation, encrypted by a Sealer (decision 60). All
// processes on a store share its secrets.
type Vault struct {
	store  SecretStore
	sealer *Sealer
}

func NewVault(st SecretStore, sealer *Sealer) *Vault { return &Vault{store: st, sealer: sealer} }

// Ensure returns the secret of that name. If there is none it creates one of size random
// bytes. It fails with ErrNoSecretKey, ErrPlainSecret or ErrWrongSecretKey if the secret
// cannot be decrypted.
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

// SealPlain encrypts the secrets that were stored before the installation had a secret
// key, and returns their number. It does nothing without a key, or if some secret is
// encrypted with another key.
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
		if replaced { // otherwise another process sealed it
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

// Seal encrypts a secret that the caller stores under the name, in a transaction of its
// own.
func (v *Vault) Seal(name string, secret []byte) ([]byte, error) { return v.sealer.Seal(name, secret) }

// All returns the secrets whose names start with prefix, decrypted, by name.
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
