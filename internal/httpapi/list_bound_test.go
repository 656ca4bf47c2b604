package httpapi_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// TestListsOfMuchText: lists whose items may have much text of somebody else end
// early too, and go on with their cursor: nobody has the server hold a hundred
// large items at once.
func TestListsOfMuchText(t *testing.T) {
	t.Parallel()
	const items, most = 25, 128 << 10 // bytes of text in one answer, a 64th of the memory
	s := octavotest.Start(t, octavotest.Options{Memory: 64 * most, RateLimit: 1_000_000})
	bearer := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})
	write := func(method, path, body string, want int) (id string) {
		t.Helper()
		resp, text := send(t, s, method, path, body, "Authorization", bearer, "Content-Type", "application/json")
		var made struct{ ID string }
		if err := json.Unmarshal([]byte(text), &made); err != nil || resp.StatusCode != want {
			t.Fatalf("%s %s: have %d %.300s", method, path, resp.StatusCode, text)
		}
		return made.ID
	}
	long := strings.Repeat("long ", 4000) // 20 KB
	id := write("POST", "/v1/pages", `{"title":"T","slug":"target","content":"x"}`, http.StatusCreated)
	for i := range items {
		write("PUT", "/v1/pages/"+id, fmt.Sprintf(`{"title":"T","slug":"target","content":"x","frontmatter":{"note":"%d %s"}}`, i, long), http.StatusOK)
		write("POST", "/v1/pages", fmt.Sprintf(`{"title":"T","slug":"link-%d","content":"[%d %s](/v1/pages/%s)"}`, i, i, long, id), http.StatusCreated)
		var members strings.Builder
		for n := range 40 {
			fmt.Fprintf(&members, `,"%d%.500s":1`, n, long)
		}
		write("POST", "/v1/exports", `{"format":"markdown","scope":"site"`+members.String()+"}", http.StatusAccepted)
	}
	for list, want := range map[string]int{
		"/v1/pages/" + id + "/revisions": items + 1,
		"/v1/pages/" + id + "/backlinks": items,
		"/v1/exports":                    items,
	} {
		found, answers, cursor := 0, 0, ""
		for more := true; more && answers <= want; answers++ {
			resp, text := send(t, s, http.MethodGet, list+"?limit=100"+cursor, "", "Authorization", bearer)
			var slice struct {
				Data       []json.RawMessage
				Pagination struct{ Cursor string }
			}
			if err := json.Unmarshal([]byte(text), &slice); err != nil || resp.StatusCode != http.StatusOK {
				t.Fatalf("%s: have %d %.300s", list, resp.StatusCode, text)
			}
			if len(text) > most+most/4 || len(slice.Data) == 0 {
				t.Errorf("%s: an answer has %d items and %d bytes, want about %d at most", list, len(slice.Data), len(text), most)
			}
			found += len(slice.Data)
			cursor = "&cursor=" + slice.Pagination.Cursor
			more = slice.Pagination.Cursor != ""
		}
		if found != want || answers < 4 {
			t.Errorf("%s: have %d items in %d answers, want %d in several", list, found, answers, want)
		}
	}
}
