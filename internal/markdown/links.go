package markdown

import (
	"cmp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/home"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// Link is an outgoing link. Href is what was written, with escapes and
// character references resolved and percent-encoded where a URI reference
// needs it; it is never empty. Label is plain text on one line, often empty.
type Link struct {
	Href, Label string
}

// maxLabel bounds the label of a link around blocks, in bytes, and minLabels
// what such labels, which may hold each other, take at the least on a page; on a
// longer one they take no more than its content.
const (
	maxLabel  = 1000
	minLabels = 64 << 10
)

// maxShown is the longest address of what a page shows, in bytes. Longer ones
// hold the picture itself.
const maxShown = 4 << 10

// Links returns the outgoing links of content in the order of the source:
// Markdown's own, bare addresses, anchors of HTML, and in MDX components with a
// literal href or to. Each pair of target and label comes once. What an image
// shows is no link, and nothing in code or comments is.
func Links(content string, format Format) []Link {
	links, _ := References(content, format, nil)
	return links
}

// References returns the outgoing links of content, as Links does, before them those
// that its front matter, a JSON object, has as that of a home page, and the
// addresses of what it shows: images, what elements of HTML and components of
// MDX name in src, srcset, poster and data, and the Markdown and MDX files that
// components stand for. Each comes once.
func References(content string, format Format, front []byte) (links []Link, shown []string) {
	links, shown, _ = LinksAndAnchors(content, format, front)
	return links, shown
}

// LinksAndAnchors is References with the anchors of the page, which are nil if it
// obviously has no links and was not parsed.
func LinksAndAnchors(content string, format Format, front []byte) (links []Link, shown []string, anchors *reference.Anchors) {
	if format.Dialect == "" && !mayLink(content) && !home.Read(front).HasLinks() {
		return nil, nil, nil
	}
	d := parse(content, format, front)
	links = unique(linksOf(d, max(minLabels, len(content))), func(l *Link) *string { return &l.Href })
	shown = slices.DeleteFunc(append(d.Shown, d.Included...), func(address string) bool { return len(address) > maxShown })
	return links, unique(shown, func(s *string) *string { return s }), d.Anchors()
}

// Anchors returns the places of a page that fragments of links mean.
func Anchors(content string, format Format, front []byte) *reference.Anchors {
	return parse(content, format, front).Anchors()
}

// mayLink reports whether content holds any of what every kind of link needs.
func mayLink(content string) bool {
	for _, sign := range []string{"[", "<", "@", "://", "www."} { // faster than ContainsAny
		if strings.Contains(content, sign) {
			return true
		}
	}
	return false
}

// linksOf returns the links of a tree in the order of the source. Room is how
// many bytes the labels of links around blocks may take.
func linksOf(d *document.Document, room int) []Link {
	type placed struct {
		Link
		pos document.Pos
	}
	var found []placed
	label := func(blocks []document.Block) string {
		text := document.Beginning(blocks, min(maxLabel, room))
		room -= len(text)
		return text
	}
	d.Walk(func(n document.Node) bool {
		var link Link
		switch n := n.(type) {
		case *document.Link:
			if !n.Embedded {
				link = Link{n.Href, document.PlainText(n.Inlines)}
			}
		case *document.Element:
			if n.Name == "a" {
				link = Link{n.Attributes.String("href", "to"), label(n.Blocks)}
			}
		case *document.Component:
			if link.Href = n.Attributes.String("href", "to", "link"); link.Href == "" {
				return true
			}
			if link.Label = n.Attributes.String("title", "label"); link.Label == "" {
				link.Label = label(n.Blocks)
			}
		}
		if link.Href != "" {
			found = append(found, placed{link, n.Pos()})
		}
		return true
	})
	slices.SortStableFunc(found, func(a, b placed) int { return cmp.Compare(a.pos, b.pos) })
	links := make([]Link, len(found))
	for i := range found {
		links[i] = Link{found[i].Href, oneLine(found[i].Label)}
	}
	return links
}

// unique makes URI references of the addresses in a list, leaves out items whose
// address cannot be any, and keeps the first of equal ones.
func unique[T comparable](list []T, address func(*T) *string) []T {
	kept := list[:0]
	seen := make(map[T]bool, len(list))
	for _, item := range list {
		at, ok := address(&item), false
		if *at, ok = reference.URI(*at); ok && !seen[item] {
			seen[item] = true
			kept = append(kept, item)
		}
	}
	return kept
}
