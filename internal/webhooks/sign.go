package webhooks

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	standardwebhooks "github.com/standard-webhooks/standard-webhooks/libraries/go"

	"github.com/octavo-docs/octavo"
)

// signature returns the signatures by all secrets of a webhook, so that
// receivers may know any of them.
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

// sign sets the header fields of Standard Webhooks.
func sign(h http.Header, id octavo.ID, at time.Time, signature string) {
	h.Set("Webhook-Id", string(id))
	h.Set("Webhook-Timestamp", strconv.FormatInt(at.Unix(), 10))
	h.Set("Webhook-Signature", signature)
}
