package octavo

import "time"

// MaxFeedbackText is how many characters a reader may write about a page.
const MaxFeedbackText = 2000

// Feedback is what a reader said about a page (decision 67). Nothing of the reader is
// kept.
type Feedback struct {
	ID        ID        `json:"id"`
	PageID    ID        `json:"pageId"`
	Slug      string    `json:"slug"`     // of the page at that time
	Revision  int64     `json:"revision"` // likewise
	Helpful   bool      `json:"helpful"`
	Text      string    `json:"text"` // why, "" where nothing was said
	CreatedAt time.Time `json:"createdAt"`
}

// SearchedQuery is what readers of the site searched for.
type SearchedQuery struct {
	Query   string `json:"query"`   // in lower case
	Count   int64  `json:"count"`   // how often
	Results int    `json:"results"` // found the last time, at most those that were shown
	LastDay string `json:"lastDay"` // that it was searched for on, in UTC, such as 2026-11-27
}
