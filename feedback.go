package octavo

import "time"

// MaxFeedbackText is the maximum number of characters of a reader's text about a page.
const MaxFeedbackText = 2000

// Feedback is a reader's opinion of a page (decision 67). Nothing about the reader is
// stored.
type Feedback struct {
	ID        ID        `json:"id"`
	PageID    ID        `json:"pageId"`
	Slug      string    `json:"slug"`     // of the page at that time
	Revision  int64     `json:"revision"` // likewise
	Helpful   bool      `json:"helpful"`
	Text      string    `json:"text"` // why; "" if not given
	CreatedAt time.Time `json:"createdAt"`
}

// SearchedQuery is a query of readers of the site.
type SearchedQuery struct {
	Query   string `json:"query"`   // in lower case
	Count   int64  `json:"count"`   // number of searches
	Results int    `json:"results"` // of the last search, at most those that were shown
	LastDay string `json:"lastDay"` // last day of a search, in UTC, such as 2026-11-27
}
