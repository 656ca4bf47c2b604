package pages

import (
	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// Limits of what the store keeps of one page, which may be far more than its text: labels, and
// possible targets of links and of files. The first ones count.
const (
	maxLabels  = 5_000
	maxTargets = 30_000
)

// omitted are notices about what exceeds the limits.
func omitted(d pagestore.Derived) (notices []document.Notice) {
	notice := func(over bool, what string) {
		if over {
			notices = append(notices, document.Notice{Kind: document.TooLarge, Position: document.Position{Line: 1, Column: 1}, Text: what})
		}
	}
	notice(len(d.Labels) == maxLabels, "labels, of which links do not find the last")
	notice(len(d.Targets) >= maxTargets, "links, of which the last lead nowhere")
	return notices
}

// Deriver returns the function that computes the derived data of a page: its outgoing
// links, their possible targets, and its tags. baseURL is the public address, by which
// absolute links to pages are recognised as internal.
func Deriver(baseURL string) func(pagestore.Source) pagestore.Derived {
	slugOf := reference.Slugs()
	return func(src pagestore.Source) pagestore.Derived {
		d := pagestore.Derived{Tags: octavo.Tags(src.Frontmatter), PathKey: src.Slug, NameKey: reference.NameKey(src.Slug)}
		if src.Path != "" {
			d.PathKey, d.NameKey = rooted(reference.PathKey(src.Path)), reference.NameKey(src.Path)
		}
		links, shown, anchors, _ := markdown.LinksAndAnchors(src.Content, markdown.FormatOf(src.Content, src.Path, src.Frontmatter, src.Dialect), src.Frontmatter)
		if anchors != nil && src.Dialect == octavo.DialectMyST {
			labels := anchors.Labels()
			d.Labels = labels[:min(len(labels), maxLabels)]
		}
		named := make([]string, 0, len(links))
		for i, link := range links {
			d.Links = append(d.Links, octavo.Link(link))
			named = append(named, link.Href)
			if len(d.Targets) >= maxTargets {
				continue
			}
			for rank, t := range reference.Targets(link.Href, src.Path, baseURL) {
				// An imported page is found by its path, and any other by
				// the slug that the importer makes of the path.
				target := pagestore.Target{Link: i, Rank: rank, Page: octavo.ID(t.PageID)}
				if target.Page == "" {
					target.Path = rooted(t.Path)
					target.Slug = slugOf(t)
				}
				d.Targets = append(d.Targets, target)
			}
		}
		d.Assets = assetReferences(shown, append(named, frontAddresses(src.Frontmatter)...), src.Path, baseURL)
		return d
	}
}

// rooted returns a path key as stored, where "" means none: the root folder is "/".
func rooted(key string) string {
	if key == "" {
		return "/"
	}
	return key
}

// FormatOf returns the markup language of a page (decisions 55 and 86).
func FormatOf(p octavo.Page) markdown.Format {
	return markdown.FormatOf(p.Content, p.Source, p.Frontmatter, p.Dialect)
}
