package searchapi

import (
	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/search/live"
)

// explanation is added to a result by explain=true. The first one also shows how the
// query was interpreted.
type explanation struct {
	*search.HitExplanation
	Query *search.Explanation `json:"query,omitempty"`
}

// searchResults are search results as clients see them.
func searchResults(found live.Found) []octavo.SearchResult {
	results := make([]octavo.SearchResult, len(found.Hits))
	for i := range found.Hits {
		h := &found.Hits[i]
		results[i] = octavo.SearchResult{
			ID: octavo.ID(h.ID), Title: h.Title, Score: h.Score, Highlight: h.Excerpt, Slug: h.Slug, Anchor: h.Anchor, UpdatedAt: h.UpdatedAt,
		}
		if h.Explanation != nil {
			x := explanation{HitExplanation: h.Explanation}
			if i == 0 {
				x.Query = found.Explanation
			}
			results[i].Explain = rest.EncodeJSON(x)
		}
	}
	return results
}

// searchJSON encodes results as an array.
func searchJSON(results []octavo.SearchResult) []byte {
	body := append(make([]byte, 0, 512*(len(results)+1)), '[')
	for i := range results {
		if i > 0 {
			body = append(body, ',')
		}
		body = results[i].AppendJSON(body)
	}
	return append(body, ']')
}

// The form of search results for spreadsheets (decision 26, RFC 4180).
const (
	mediaCSV = "text/csv"
	csvType  = "text/csv; charset=utf-8; header=present"
)

// searchCSV encodes results as a table.
func searchCSV(results []octavo.SearchResult) []byte {
	body := []byte(octavo.SearchHeader)
	for i := range results {
		body = results[i].AppendCSV(body)
	}
	return body
}
