package httpapi_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// Connections have deadlines by the clock of the machine, like the network, whatever the
// clock of the database: large responses, uploads, files and waiting requests work as
// usual.
func TestDeadlinesByLocalClock(t *testing.T) {
	t.Parallel()
	s := octavotest.Start(t, octavotest.Options{Now: func() time.Time { return time.Now().Add(-2 * time.Hour) }})
	bearer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	const size = 1 << 20
	text := strings.Repeat("0123456789abcde\n", size/16)

	path := upload(t, s, text)
	if resp, have := send(t, s, http.MethodGet, path, ""); resp.StatusCode != http.StatusOK || have != text {
		t.Errorf("a file: have %d and %d bytes, want %d", resp.StatusCode, len(have), size)
	}
	form := part("file", "", text) + formEnd
	if resp, have := send(t, s, http.MethodPost, "/v1/assets", form, "Authorization", bearer, "Content-Type", "multipart/form-data; boundary=b"); resp.StatusCode != http.StatusAccepted {
		t.Errorf("an upload: have %d %.200s", resp.StatusCode, have)
	}
	body := `{"title":"Large","slug":"large","content":` + string(octavo.AppendString(nil, text)) + `}`
	if resp, have := send(t, s, http.MethodPost, "/v1/pages", body, "Authorization", bearer, "Content-Type", "application/json"); resp.StatusCode != http.StatusCreated {
		t.Errorf("a large page: have %d %.200s", resp.StatusCode, have)
	}
	if resp, have := send(t, s, http.MethodGet, "/v1/pages/by-slug/large", "", "Authorization", bearer); resp.StatusCode != http.StatusOK || len(have) < size {
		t.Errorf("a large answer: have %d and %d bytes, want more than %d", resp.StatusCode, len(have), size)
	}
	if resp, have := send(t, s, http.MethodGet, "/v1/events?wait=1&after=0", "", "Authorization", bearer); resp.StatusCode != http.StatusOK {
		t.Errorf("who waits for events: have %d %.200s", resp.StatusCode, have)
	}
}
