package httpapi_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// onBoth runs a test on SQLite and on PostgreSQL.
func onBoth(t *testing.T, test func(*testing.T, *octavotest.Server)) {
	t.Run("sqlite", func(t *testing.T) { test(t, octavotest.Start(t, octavotest.Options{})) })
	t.Run("postgres", func(t *testing.T) {
		test(t, octavotest.Start(t, octavotest.Options{PostgresURL: octavotest.Postgres(t)}))
	})
}

// post sends n requests at once and counts the statuses and the bodies of 201.
func post(t *testing.T, s *octavotest.Server, n int, body func(int) string, key string) (statuses map[int]int, created map[string]bool) {
	t.Helper()
	token := s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	statuses, created = map[int]int{}, map[string]bool{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			req, err := http.NewRequest(http.MethodPost, s.URL+"/v1/pages", strings.NewReader(body(i)))
			if err != nil {
				t.Error(err)
				return
			}
			req.Header.Set("Authorization", "Bearer "+token)
			req.Header.Set("Content-Type", "application/json")
			if key != "" {
				req.Header.Set("Idempotency-Key", key)
			}
			resp, err := http.DefaultClient.Do(req)
			if err != nil {
				t.Error(err)
				return
			}
			defer resp.Body.Close()
			text, err := io.ReadAll(resp.Body)
			if err != nil {
				t.Error(err)
			}
			mu.Lock()
			defer mu.Unlock()
			statuses[resp.StatusCode]++
			if resp.StatusCode == http.StatusCreated {
				created[string(text)] = true
			}
		})
	}
	all.Wait()
	return statuses, created
}

// TestCreateSlugConcurrently shows decision 56: of concurrent creations with one
// slug exactly one succeeds.
func TestCreateSlugConcurrently(t *testing.T) {
	onBoth(t, func(t *testing.T, s *octavotest.Server) {
		const n = 24
		statuses, _ := post(t, s, n, func(i int) string { return fmt.Sprintf(`{"title":"T%d","slug":"one","content":""}`, i) }, "")
		if statuses[http.StatusCreated] != 1 || statuses[http.StatusConflict] != n-1 {
			t.Errorf("have %v, want one 201 and %d 409", statuses, n-1)
		}
	})
}

// TestIdempotencyKeyConcurrently shows decision 18 under concurrency: a key acts once, and
// afterwards every repetition gets the answer to the first request.
func TestIdempotencyKeyConcurrently(t *testing.T) {
	onBoth(t, func(t *testing.T, s *octavotest.Server) {
		body := func(int) string { return `{"title":"T","slug":"one","content":""}` }
		statuses, created := post(t, s, 24, body, "key-1")
		if len(created) != 1 || statuses[http.StatusCreated]+statuses[http.StatusConflict] != 24 {
			t.Errorf("have %v and %d different pages, want 201 of one page and 409", statuses, len(created))
		}
		statuses, again := post(t, s, 3, body, "key-1")
		if statuses[http.StatusCreated] == 0 || len(again) != 1 {
			t.Fatalf("afterwards have %v, want 201", statuses)
		}
		for text := range again {
			if !created[text] {
				t.Errorf("a repetition answers %s, which the first request did not", text)
			}
		}
	})
}
