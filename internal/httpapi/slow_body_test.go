package httpapi_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// TestUploadBesideSlowBodies: large bodies that have begun to arrive and do not end
// take the memory for bodies that arrive, and none of what others need.
func TestUploadBesideSlowBodies(t *testing.T) {
	t.Parallel()
	const size, slow = 1 << 20, 12
	arrived := make(chan struct{}, slow)
	s := octavotest.Start(t, octavotest.Options{Memory: 128 << 20, RateLimit: 1_000_000, Wrap: func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.ContentLength == size {
				arrived <- struct{}{}
			}
			h.ServeHTTP(w, r)
		})
	}})
	bearer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	long := `","content":"` + strings.Repeat("long ", size/10) + `"}`
	resp, text := send(t, s, http.MethodPost, "/v1/pages", `{"title":"T","slug":"before`+long, "Authorization", bearer, "Content-Type", "application/json")
	if resp.StatusCode != http.StatusCreated {
		t.Fatalf("have %d %.300s", resp.StatusCode, text)
	}
	for range slow {
		body, sender := io.Pipe()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/v1/pages", body)
		if err != nil {
			t.Fatal(err)
		}
		req.ContentLength = size
		req.Header.Set("Authorization", bearer)
		req.Header.Set("Content-Type", "application/json")
		go func() {
			if resp, err := http.DefaultClient.Do(req); err == nil {
				_ = resp.Body.Close()
			}
		}()
		if _, err := sender.Write(make([]byte, 256<<10)); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = sender.CloseWithError(io.ErrUnexpectedEOF) })
	}
	for range slow {
		<-arrived
	}
	start := time.Now()
	for slug, want := range map[string]int{`{"title":"T","slug":"beside` + long: http.StatusCreated, "": http.StatusOK} {
		method, path := http.MethodPost, "/v1/pages"
		if slug == "" {
			method, path = http.MethodGet, "/v1/pages/by-slug/before"
		}
		if resp, text := send(t, s, method, path, slug, "Authorization", bearer, "Content-Type", "application/json"); resp.StatusCode != want {
			t.Errorf("%s %s: have %d %.300s, want %d", method, path, resp.StatusCode, text, want)
		}
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("took %s: it waited", took)
	}
}
