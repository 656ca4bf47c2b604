package app_test

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/mail"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// noMail sends nothing.
type noMail struct{}

func (noMail) Send(context.Context, mail.Message) error { return nil }

// TestMailMetrics shows that a server bounds the messages of a subject
// whichever of its tokens asks for them, and that a repeated request with the
// same Idempotency-Key is answered and not counted.
func TestMailMetrics(t *testing.T) {
	t.Parallel()
	s := octavotest.Start(t, octavotest.Options{Mailer: noMail{}})
	token := func(name string) string {
		return s.Token(t, auth.Grant{Subject: name, Scopes: octavo.ScopeRead})
	}
	ask := func(token, key string, messages int) (status int, retryAfter string) {
		t.Helper()
		var channels []string
		for i := range messages {
			channels = append(channels, fmt.Sprintf(`{"kind":"email","email":"a%d@example.com"}`, i))
		}
		body := `{"format":"markdown","scope":"published","delivery":{"channels":[` + strings.Join(channels, ",") + `]}}`
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/v1/exports", strings.NewReader(body))
		must(t, err)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
		r.Header.Set("Idempotency-Key", key)
		res, err := http.DefaultClient.Do(r)
		must(t, err)
		must(t, res.Body.Close())
		return res.StatusCode, res.Header.Get("Retry-After")
	}
	for i := range exports.MaxMessages / 20 {
		for range 2 {
			if status, _ := ask(token("usr_ann"), fmt.Sprint("key-", i), 20); status != http.StatusAccepted {
				t.Fatalf("export %d: have %d, want it accepted, twice", i, status)
			}
		}
	}
	status, after := ask(token("usr_ann"), "another-key", 1)
	if seconds, _ := strconv.Atoi(after); status != http.StatusTooManyRequests || seconds < 3000 || seconds > 3600 {
		t.Errorf("have %d and to try again after %q, want 429 and an hour", status, after)
	}
	for name, messages := range map[string]int{"usr_ann": 0, "usr_bob": 20} {
		if status, _ := ask(token(name), "key-of-"+name, messages); status != http.StatusAccepted {
			t.Errorf("%s with %d messages: have %d, want it accepted", name, messages, status)
		}
	}
}
