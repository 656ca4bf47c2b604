package client

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
)

// SearchQuery is a query and its filters. Text is required.
type SearchQuery struct {
	Text         string
	Tags         []string  // all of them must be on the page
	Language     string    // and kinds of it, such as pt-BR of pt
	UpdatedAfter time.Time // exclusive
	Limit        int       // results in one response, 1 to 100; 0 for the default of the server
	Cursor       string    // from the last response, which must have had the same query
	Explain      bool      // the parts of each score, for administrators
	// Wait is how long, in whole seconds up to 10, the server may wait until
	// everything that was written before can be found.
	Wait time.Duration
}

// SearchSlice is one response of a search, best first.
type SearchSlice struct {
	Results []octavo.SearchResult
	Next    string // the cursor of the next slice; "" in the last one
}

// Search finds the pages that the credential may see and that match a text.
func (c *Client) Search(ctx context.Context, q SearchQuery, opts ...CallOption) (SearchSlice, error) {
	query := url.Values{"q": {q.Text}}
	filters := map[string]any{}
	if len(q.Tags) > 0 {
		filters["tags"] = q.Tags
	}
	if q.Language != "" {
		filters["language"] = q.Language
	}
	if !q.UpdatedAfter.IsZero() {
		filters["updatedAfter"] = q.UpdatedAfter.UTC().Format(time.RFC3339Nano)
	}
	if len(filters) > 0 {
		text, err := json.Marshal(filters)
		if err != nil {
			return SearchSlice{}, err
		}
		query.Set("filters", string(text))
	}
	if q.Limit != 0 {
		query.Set("limit", strconv.Itoa(q.Limit))
	}
	if q.Cursor != "" {
		query.Set("cursor", q.Cursor)
	}
	if q.Explain {
		query.Set("explain", "true")
	}
	req := request{method: http.MethodGet, path: "/search", query: query, header: http.Header{}}
	if q.Wait > 0 {
		req.header.Set("Prefer", "wait="+strconv.Itoa(int(q.Wait/time.Second)))
	}
	var s SearchSlice
	req.into = &s.Results
	header, err := c.do(ctx, req, opts)
	if err != nil {
		return SearchSlice{}, err
	}
	s.Next = nextCursor(header.Get("Link"))
	return s, nil
}

// nextCursor returns the cursor in the next address of a Link field (RFC 8288), or
// "".
func nextCursor(link string) string {
	address, params, ok := strings.Cut(strings.TrimPrefix(link, "<"), ">")
	if !ok || !strings.Contains(params, `rel="next"`) {
		return ""
	}
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Query().Get("cursor")
}
