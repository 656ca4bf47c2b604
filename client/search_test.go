package client_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/client"
)

func TestSearchRequests(t *testing.T) {
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.FixedZone("", 3600))
	for _, test := range []struct {
		q    client.SearchQuery
		link string
		want string // address, Prefer, cursor of the next
	}{
		{client.SearchQuery{Text: "a b"}, "", "/v1/search?q=a+b  "},
		{
			client.SearchQuery{Text: "x", Tags: []string{"a", `"`}, UpdatedAfter: at, Limit: 3, Cursor: "c", Explain: true, Wait: 2 * time.Second},
			`<http://h/v1/search?q=x&cursor=d%2B>; rel="next"`,
			"/v1/search?cursor=c&explain=true&filters=%7B%22tags%22%3A%5B%22a%22%2C%22%5C%22%22%5D%2C%22updatedAfter%22%3A%222026-01-02T02%3A04%3A05Z%22%7D&limit=3&q=x wait=2 d+",
		},
		{client.SearchQuery{Text: "x"}, `<http://h/v1/search?cursor=d>; rel="prev"`, "/v1/search?q=x  "},
	} {
		var have string
		c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) {
			have = r.RequestURI + " " + r.Header.Get("Prefer")
			if test.link != "" {
				w.Header().Set("Link", test.link)
			}
			fmt.Fprint(w, `[{"id":"page_1","title":"T","score":0.5,"highlight":"<mark>x</mark>","slug":"t","updatedAt":"2026-01-01T00:00:00.000Z"}]`)
		})
		found, err := c.Search(t.Context(), test.q)
		if err != nil {
			t.Fatalf("%+v: %v", test.q, err)
		}
		if have += " " + found.Next; have != test.want {
			t.Errorf("%+v\nhave %s\nwant %s", test.q, have, test.want)
		}
		if r := found.Results; len(r) != 1 || r[0].ID != "page_1" || r[0].Score != .5 || r[0].Highlight != "<mark>x</mark>" || r[0].UpdatedAt.Year() != 2026 {
			t.Errorf("have the results %+v", r)
		}
	}
}
