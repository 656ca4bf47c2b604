package webhooks

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// SecretOverlap is how long the old secret remains valid after a rotation.
const SecretOverlap = 24 * time.Hour

const (
	secretPrefix = "whsec_"
	secretSize   = 32 // bytes
	maxSecrets   = 5  // of one webhook that sign at a time
)

// secret is a secret of a webhook, or of callbacks.
type secret struct {
	name  string
	key   []byte
	until time.Time // zero for the newest
}

func (v secret) ended(now time.Time) bool { return !v.until.IsZero() && !now.Before(v.until) }

// secretName returns names that sort the secrets of a webhook in order.
func secretName(id octavo.ID, number int) string {
	return fmt.Sprintf("%s%06d", hookstore.SecretPrefix(id), number)
}

// newSecret draws a secret: the text to show, and the stored form under the name.
func (s *Service) newSecret(name string) (text string, kept accounts.Secret, err error) {
	key := make([]byte, secretSize)
	if _, err := io.ReadFull(s.Random, key); err != nil {
		return "", accounts.Secret{}, fmt.Errorf("make secret %s: %w", name, err)
	}
	sealed, err := s.Vault.Seal(name, key)
	if err != nil {
		return "", accounts.Secret{}, err
	}
	return secretPrefix + base64.StdEncoding.EncodeToString(key), accounts.Secret{Name: name, Value: sealed}, nil
}

// readSecrets reads the secrets whose names begin with prefix, oldest first.
// All but the newest end SecretOverlap after the next one was made.
func readSecrets(ctx context.Context, vault Vault, prefix string) ([]secret, error) {
	kept, err := vault.All(ctx, prefix)
	if err != nil {
		return nil, fmt.Errorf("read the secrets %s: %w", prefix, err)
	}
	list := make([]secret, len(kept))
	for i, v := range kept {
		list[i] = secret{name: v.Name, key: v.Value}
		if i > 0 {
			list[i-1].until = v.CreatedAt.Add(SecretOverlap)
		}
	}
	return list, nil
}

// Rotate gives a webhook a new secret and returns it; the old one also signs
// for SecretOverlap. Too many rotations within that time are a Conflict.
func (s *Service) Rotate(ctx context.Context, cause sqldb.Cause, id octavo.ID) (w hookstore.Webhook, text string, err error) {
	defer s.forget(id)
	if _, err := s.Hooks.Get(ctx, id); err != nil {
		return hookstore.Webhook{}, "", err
	}
	have, err := readSecrets(ctx, s.Vault, hookstore.SecretPrefix(id))
	if err != nil {
		return hookstore.Webhook{}, "", err
	}
	var ended []string
	number := 0
	for _, v := range have {
		if v.ended(s.Now()) {
			ended = append(ended, v.name)
		}
		number, err = strconv.Atoi(v.name[strings.LastIndexByte(v.name, '/')+1:])
		if err != nil {
			return hookstore.Webhook{}, "", fmt.Errorf("read the number of secret %s: %w", v.name, err)
		}
	}
	if len(have)-len(ended) >= maxSecrets {
		return hookstore.Webhook{}, "", octavo.Errorf(octavo.Conflict, "%d secrets of the webhook already sign: wait until one of them expires, %d hours after it was replaced.",
			maxSecrets, SecretOverlap/time.Hour)
	}
	text, kept, err := s.newSecret(secretName(id, number+1))
	if err != nil {
		return hookstore.Webhook{}, "", err
	}
	if w, err = s.Hooks.Rotate(ctx, cause, id, kept, ended); err != nil {
		return hookstore.Webhook{}, "", err
	}
	return w, text, nil
}
