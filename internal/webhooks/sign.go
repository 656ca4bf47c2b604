package webhooks

import (
	"crypto"
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-jose/go-jose/v4"
	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/octavo-docs/octavo"
)

// signature returns what a webhook is signed with: by each of its secrets, so
// that receivers may know any of them.
func signature(secrets []secret, id octavo.ID, at time.Time, body []byte) (string, error) {
	var signatures []string
	for _, v := range secrets {
		if v.ended(at) {
			continue
		}
		signer, err := standardwebhooks.NewWebhookRaw(v.key)
		if err != nil {
			return "", fmt.Errorf("sign event %s: %w", id, err)
		}
		text, err := signer.Sign(string(id), at, body)
		if err != nil {
			return "", fmt.Errorf("sign event %s: %w", id, err)
		}
		signatures = append(signatures, text)
	}
	if len(signatures) == 0 {
		return "", fmt.Errorf("sign event %s: there is no secret", id)
	}
	return strings.Join(signatures, " "), nil
}

// callbackSignature returns what a callback is signed with: v1a, that is
// Ed25519 over the same text as v1.
func callbackSignature(key ed25519.PrivateKey, id octavo.ID, at time.Time, body []byte) string {
	text := fmt.Appendf(nil, "%s.%d.", id, at.Unix())
	return "v1a," + base64.StdEncoding.EncodeToString(ed25519.Sign(key, append(text, body...)))
}

// sign sets the header fields of Standard Webhooks.
func sign(h http.Header, id octavo.ID, at time.Time, signature string) {
	h.Set("Webhook-Id", string(id))
	h.Set("Webhook-Timestamp", strconv.FormatInt(at.Unix(), 10))
	h.Set("Webhook-Signature", signature)
}

// PublicKeys returns the keys that verify callbacks (RFC 7517, RFC 8037), ready
// to be encoded as JSON.
func (s *Service) PublicKeys() (jose.JSONWebKeySet, error) {
	key := jose.JSONWebKey{Key: s.callback.Public(), Algorithm: string(jose.EdDSA), Use: "sig"}
	print, err := key.Thumbprint(crypto.SHA256)
	if err != nil {
		return jose.JSONWebKeySet{}, fmt.Errorf("name the key of callbacks: %w", err)
	}
	key.KeyID = base64.RawURLEncoding.EncodeToString(print)
	return jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key}}, nil
}
