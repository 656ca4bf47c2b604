package pages

import (
	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// Deriver returns the function that computes what a page's source says about
// it: its outgoing links, where each may lead, and its tags. baseURL is the
// public address, so that absolute links to pages are known as internal.
func Deriver(baseURL string) func(pagestore.Source) pagestore.Derived {
	slugOf := reference.Slugs()
	return func(src pagestore.Source) pagestore.Derived {
		d := pagestore.Derived{Tags: octavo.Tags(src.Frontmatter), PathKey: src.Slug}
		if src.Path != "" {
			d.PathKey = rooted(reference.PathKey(src.Path))
		}
		links, shown := markdown.References(src.Content, markdown.FormatOf(src.Content, src.Path, src.Frontmatter, src.Dialect))
		named := make([]string, 0, len(links))
		for i, link := range links {
			d.Links = append(d.Links, octavo.Link(link))
			for rank, t := range reference.Targets(link.Href, src.Path, baseURL) {
				// By its path a page is found that was imported; by the slug
				// that the importer makes of it, any other.
				target := pagestore.Target{Link: i, Rank: rank, Page: octavo.ID(t.PageID)}
				if target.Page == "" {
					target.Path = rooted(t.Path)
					target.Slug = slugOf(t)
				}
				d.Targets = append(d.Targets, target)
			}
			named = append(named, link.Href)
		}
		d.Assets = assetReferences(shown, append(named, frontAddresses(src.Frontmatter)...), src.Path, baseURL)
		return d
	}
}

// rooted is a path key as the store has it, where "" stands for none: the
// folder at the root is "/".
func rooted(key string) string {
	if key == "" {
		return "/"
	}
	return key
}

// FormatOf tells in which language a page is written (decisions 55 and 86).
func FormatOf(p octavo.Page) markdown.Format {
	return markdown.FormatOf(p.Content, p.Source, p.Frontmatter, p.Dialect)
}
