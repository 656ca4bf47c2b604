package octavo

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// Limits of a search.
const (
	MaxSearchLimit = 100 // results in one response
	MaxSearchTags  = 100 // in its filters
)

// SearchFilters filter a search (decision 25). The zero value does not filter.
type SearchFilters struct {
	Tags         []string   `json:"tags,omitempty"`         // all of them must be on the page
	Language     string     `json:"language,omitempty"`     // includes its variants
	Unsaid       bool       `json:"-"`                      // with Language, includes pages without one, since the site has that language
	UpdatedAfter *time.Time `json:"updatedAfter,omitempty"` // exclusive
}

// DecodeSearchFilters reads the filters of a search. path is their position in the
// request, and the prefix of each error path. The error is an *Error that lists them
// all. Unknown members are ignored, or errors if strict.
func DecodeSearchFilters(v Value, path string, strict bool) (SearchFilters, error) {
	var faults Faults
	f := readObject(v, path, &faults)
	filters := f.filters()
	f.closed(strict)
	return filters, faults.Err()
}

// filters reads the members of filters.
func (f *fields) filters() SearchFilters {
	filters := SearchFilters{Tags: f.texts("tags")}
	if len(filters.Tags) > MaxSearchTags {
		f.faults.Add(Pointer(f.path, "tags"), "must name at most %d tags", MaxSearchTags)
	}
	if text := f.str("updatedAfter"); text != nil {
		at, err := ParseTime(*text)
		if err != nil {
			f.faults.Add(Pointer(f.path, "updatedAfter"), "must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z")
		}
		filters.UpdatedAfter = &at
	}
	if text := f.str("language"); text != nil {
		filters.Language = *text
		if msg := CheckLanguage(*text); msg != "" {
			f.faults.Add(Pointer(f.path, "language"), "%s", msg)
		}
	}
	return filters
}

// SearchResult is one match of a search (decision 24).
type SearchResult struct {
	ID        ID        `json:"id"`
	Title     string    `json:"title"`
	Score     float64   `json:"score"`     // in 0..1; 1 is the best possible match
	Highlight string    `json:"highlight"` // HTML: escaped text with mark elements around matches
	Slug      string    `json:"slug"`
	Anchor    string    `json:"anchor,omitempty"` // of the best section
	UpdatedAt time.Time `json:"updatedAt"`

	// Explain shows the parts of the score, if requested.
	Explain json.RawMessage `json:"explain,omitempty"`
}

// SearchHeader is the first row of results as CSV.
const SearchHeader = "id,title,score\r\n"

// AppendCSV appends the result as a row of CSV (RFC 4180), guarded so that no
// spreadsheet takes a cell for a formula (decision 26). Line feeds within a cell are
// kept; csv.Writer would change them to CR LF like those of rows.
func (r *SearchResult) AppendCSV(dst []byte) []byte {
	dst = appendCell(dst, string(r.ID))
	dst = appendCell(append(dst, ','), r.Title)
	dst = strconv.AppendFloat(append(dst, ','), r.Score, 'f', -1, 64)
	return append(dst, "\r\n"...)
}

func appendCell(dst []byte, text string) []byte {
	text = guardCell(text)
	if strings.ContainsAny(text, ",\"\r\n") {
		text = `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return append(dst, text...)
}

// guardCell puts an apostrophe before text that a spreadsheet would calculate: at the
// beginning of the cell, and after each semicolon, tab and line end, where a
// spreadsheet with decimal commas splits cells. Consecutive line ends make no cell.
func guardCell(text string) string {
	var b strings.Builder
	start := true
	for i, c := range text {
		if start && strings.ContainsRune("=+-@＝＋－＠\t\r\n", c) && (i == 0 || strings.Trim(text[i-1:i+1], "\r\n") != "") {
			b.WriteByte('\'')
		}
		b.WriteRune(c)
		start = strings.ContainsRune(";\t\r\n", c) || start && (c == ' ' || c == '"')
	}
	return b.String()
}

// AppendJSON appends the result in the contract's shape.
func (r *SearchResult) AppendJSON(dst []byte) []byte {
	dst = AppendString(append(dst, `{"id":`...), string(r.ID))
	dst = AppendString(append(dst, `,"title":`...), r.Title)
	dst = strconv.AppendFloat(append(dst, `,"score":`...), r.Score, 'f', -1, 64)
	dst = AppendString(append(dst, `,"highlight":`...), r.Highlight)
	dst = AppendString(append(dst, `,"slug":`...), r.Slug)
	if r.Anchor != "" {
		dst = AppendString(append(dst, `,"anchor":`...), r.Anchor)
	}
	dst = AppendTime(append(dst, `,"updatedAt":`...), r.UpdatedAt)
	if len(r.Explain) > 0 {
		dst = append(append(dst, `,"explain":`...), r.Explain...)
	}
	return append(dst, '}')
}
