package webhooks

import (
	"context"
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// callbackSecret is the name of the seed of the first key for callbacks, and
// the prefix of the other names, which sort after it in order.
const callbackSecret = "callback-key"

// CallbackKeys are the Ed25519 keys that sign callbacks. Several processes share those
// of an installation. The newest one signs, and for SecretOverlap so do the keys before
// it. So a receiver that knows either accepts the request.
type CallbackKeys struct {
	secrets *accounts.Secrets
	vault   Vault
	now     func() time.Time
	random  io.Reader
}

type callbackKey struct {
	secret  // its key is the seed
	private ed25519.PrivateKey
}

// OpenCallbackKeys reads the keys, or makes the first one.
func OpenCallbackKeys(ctx context.Context, secrets *accounts.Secrets, vault Vault, now func() time.Time, random io.Reader) (*CallbackKeys, error) {
	k := &CallbackKeys{secrets: secrets, vault: vault, now: now, random: random}
	all, err := k.all(ctx)
	if err != nil || len(all) > 0 {
		return k, err
	}
	_, err = vault.Ensure(ctx, callbackSecret, ed25519.SeedSize)
	return k, err
}

// all reads all keys, oldest first, including those that no longer sign.
func (k *CallbackKeys) all(ctx context.Context) ([]callbackKey, error) {
	kept, err := readSecrets(ctx, k.vault, callbackSecret)
	if err != nil {
		return nil, err
	}
	list := make([]callbackKey, len(kept))
	for i, v := range kept {
		if len(v.key) != ed25519.SeedSize {
			return nil, fmt.Errorf("the secret %s has %d bytes and not %d", v.name, len(v.key), ed25519.SeedSize)
		}
		list[i] = callbackKey{v, ed25519.NewKeyFromSeed(v.key)}
	}
	return list, nil
}

// signing returns the keys that sign now.
func (k *CallbackKeys) signing(ctx context.Context) (list []callbackKey, err error) {
	all, err := k.all(ctx)
	for _, v := range all {
		if !v.ended(k.now()) {
			list = append(list, v)
		}
	}
	return list, err
}

// Rotate makes a new key, with callback-key.rotated in the audit log. Unless
// endFormer is set, the key before it also signs for SecretOverlap. Too many
// rotations within that time are a Conflict.
func (k *CallbackKeys) Rotate(ctx context.Context, cause sqldb.Cause, endFormer bool) error {
	have, err := k.all(ctx)
	if err != nil {
		return err
	}
	var ended []string
	number := 1
	for _, v := range have {
		if endFormer || v.ended(k.now()) {
			ended = append(ended, v.name)
		}
		if text, numbered := strings.CutPrefix(v.name, callbackSecret+"/"); numbered {
			if number, err = strconv.Atoi(text); err != nil {
				return fmt.Errorf("read the number of secret %s: %w", v.name, err)
			}
		}
	}
	if len(have)-len(ended) >= maxSecrets {
		return octavo.Errorf(octavo.Conflict, "%d keys already sign callbacks: wait until one of them expires, %d hours after it was replaced, or end all of them.",
			maxSecrets, SecretOverlap/time.Hour)
	}
	seed := make([]byte, ed25519.SeedSize)
	if _, err := io.ReadFull(k.random, seed); err != nil {
		return fmt.Errorf("make a key of callbacks: %w", err)
	}
	name := fmt.Sprintf("%s/%06d", callbackSecret, number+1)
	sealed, err := k.vault.Seal(name, seed)
	if err != nil {
		return err
	}
	entry := octavo.AuditEntry{Action: octavo.CallbackKeyRotated, Detail: map[string]any{"formerEnded": endFormer}}
	return k.secrets.Rotate(ctx, cause, accounts.Secret{Name: name, Value: sealed}, ended, entry)
}

// sign returns the signatures of a callback: v1a, which is Ed25519 over the
// same text as v1, by each key that signs now.
func (k *CallbackKeys) sign(ctx context.Context, id octavo.ID, at time.Time, body []byte) (string, error) {
	keys, err := k.signing(ctx)
	if err != nil {
		return "", err
	}
	text := append(fmt.Appendf(nil, "%s.%d.", id, at.Unix()), body...)
	signatures := make([]string, len(keys))
	for i, v := range keys {
		signatures[i] = "v1a," + base64.StdEncoding.EncodeToString(ed25519.Sign(v.private, text))
	}
	return strings.Join(signatures, " "), nil
}

// Public returns the keys that verify callbacks, newest first (RFC 7517, RFC
// 8037), ready for JSON encoding.
func (k *CallbackKeys) Public(ctx context.Context) (set jose.JSONWebKeySet, err error) {
	keys, err := k.signing(ctx)
	if err != nil {
		return set, err
	}
	for i := range keys {
		key := jose.JSONWebKey{Key: keys[len(keys)-1-i].private.Public(), Algorithm: string(jose.EdDSA), Use: "sig"}
		print, err := key.Thumbprint(crypto.SHA256)
		if err != nil {
			return set, fmt.Errorf("name a key of callbacks: %w", err)
		}
		key.KeyID = base64.RawURLEncoding.EncodeToString(print)
		set.Keys = append(set.Keys, key)
	}
	return set, nil
}
