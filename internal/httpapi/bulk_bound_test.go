package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// TestBulkResponseLimit: short changes of a long page are answered with
// that page each time, so what they leave behind is weighed while they are
// carried out: too much is refused and changes nothing, much needs room.
func TestBulkResponseLimit(t *testing.T) {
	const maxBody, size = 64 << 10, 60 << 10
	for name, url := range map[string]func(testing.TB) string{"sqlite": func(testing.TB) string { return "" }, "postgres": testenv.Postgres} {
		t.Run(name, func(t *testing.T) {
			s := octavotest.Start(t, octavotest.Options{MaxBody: maxBody, Memory: 8 << 20, PostgresURL: url(t)})
			header := []string{"Authorization", "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite}), "Content-Type", "application/json"}
			resp, text := send(t, s, http.MethodPost, "/v1/pages", fmt.Sprintf(`{"title":"T","slug":"long","content":%q}`, strings.Repeat("x", size)), header...)
			var page octavo.Page
			if err := json.Unmarshal([]byte(text), &page); err != nil || resp.StatusCode != http.StatusCreated {
				t.Fatalf("have %d %s, %v", resp.StatusCode, text, err)
			}
			bulk := func(atomic bool, from, n int) (status int, text string) {
				var operations []string
				for i := from; i < from+n; i++ {
					operations = append(operations, fmt.Sprintf(`{"op":"update","id":%q,"page":{"title":"%d"}}`, page.ID, i))
				}
				if !atomic { // one is refused, so that the others are carried out again
					operations[n-1] = `{"op":"delete","id":"page_00000000000000000000000000"}`
				}
				body := fmt.Sprintf(`{"atomic":%t,"operations":[%s]}`, atomic, strings.Join(operations, ","))
				resp, text := send(t, s, http.MethodPost, "/v1/pages/bulk", body, append(header, "Idempotency-Key", fmt.Sprintf("%d-%t", from, atomic))...)
				return resp.StatusCode, text
			}
			for _, atomic := range []bool{true, false} {
				for range 2 { // the second is a repetition
					if status, text := bulk(atomic, 0, 500); status != http.StatusRequestEntityTooLarge || !strings.Contains(text, "split the request") {
						t.Errorf("atomic %t: have %d %.300s, want 413", atomic, status, text)
					}
				}
			}
			if have, err := s.Store.Pages.Get(t.Context(), octavo.Audience{}, page.ID); err != nil || have.Version != 1 {
				t.Errorf("have version %d, %v, want 1", have.Version, err)
			}
			var group sync.WaitGroup
			var mu sync.Mutex
			statuses := map[int]int{}
			for client := range 12 {
				group.Go(func() {
					status, text := bulk(client%2 == 0, 1000*(client+1), 8)
					if status == http.StatusOK && len(text) < 7*size {
						t.Errorf("client %d: have %d bytes, want 8 pages", client, len(text))
					}
					mu.Lock()
					defer mu.Unlock()
					statuses[status]++
				})
			}
			group.Wait()
			if n := statuses[http.StatusOK]; n == 0 || n+statuses[http.StatusServiceUnavailable] != 12 {
				t.Errorf("have statuses %v, want 200, or 503 where there is no room", statuses)
			}
			if status, text := bulk(true, 100_000, 8); status != http.StatusOK {
				t.Errorf("afterwards: have %d %.300s, want 200", status, text)
			}
		})
	}
}
