package pages

import (
	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// Deriver returns the function that computes what a page's source says about
// it: its outgoing links, where each may lead, and its tags. baseURL is the
// public address, so that absolute links to pages are known as internal.
func Deriver(baseURL string) func(store.Source) store.Derived {
	return func(src store.Source) store.Derived {
		return store.Derived{Tags: octavo.Tags(src.Frontmatter), PathKey: src.Slug}
	}
}
