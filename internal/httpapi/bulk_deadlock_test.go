package httpapi_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// TestConcurrentBulkRequestsDoNotLockEachOther sends atomic requests that
// change the same pages in different orders: each must succeed.
func TestConcurrentBulkRequestsDoNotLockEachOther(t *testing.T) {
	onBoth(t, func(t *testing.T, s *octavotest.Server) {
		const clients, pages = 8, 10
		bearer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
		ids := make([]string, pages)
		for i := range ids {
			resp, _ := send(t, s, http.MethodPost, "/v1/pages", fmt.Sprintf(`{"title":"T","slug":"p%d","content":""}`, i), "Authorization", bearer, "Content-Type", "application/json")
			ids[i] = resp.Header.Get("Location")[strings.LastIndexByte(resp.Header.Get("Location"), '/')+1:]
		}
		var all sync.WaitGroup
		for client := range clients {
			var operations []string
			for i := range ids {
				id := ids[(i*(2*client+1)+client)%pages] // another order for each
				operations = append(operations, fmt.Sprintf(`{"op":"update","id":%q,"page":{"title":"%d-%d"}}`, id, client, i))
			}
			body := `{"atomic":true,"operations":[` + strings.Join(operations, ",") + `]}`
			all.Go(func() {
				resp, text := send(t, s, http.MethodPost, "/v1/pages/bulk", body, "Authorization", bearer, "Content-Type", "application/json")
				if resp.StatusCode != http.StatusOK {
					t.Errorf("client %d: have %d %s, want 200", client, resp.StatusCode, text)
				}
			})
		}
		all.Wait()
	})
}
