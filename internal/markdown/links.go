package markdown

import (
	"cmp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/home"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// Link is an outgoing link. Href is unescaped and a valid URI reference; it is never
// empty. Label is plain text on one line, often empty.
type Link struct {
	Href, Label string
}

// maxLabel limits, in bytes, the label of a link around blocks. All such labels of a
// page, which may be nested, are limited to the length of its content, but at least
// minLabels.
const (
	maxLabel  = 1000
	minLabels = 64 << 10
)

// maxShown limits the address of media in bytes. Longer ones are data URLs.
const maxShown = 4 << 10

// Links returns the outgoing links of content in source order: Markdown links,
// autolinks, HTML anchors, and in MDX components with a literal href or to. Duplicates
// of target and label are omitted, as are images, code and comments.
func Links(content string, format Format) []Link {
	links, _ := References(content, format, nil)
	return links
}

// References returns the links in front matter (a JSON object) if it is that of a home
// page, then Links; and the addresses of media: images, src, srcset, poster and data of
// elements and components, and included Markdown and MDX files. There are no duplicates.
func References(content string, format Format, front []byte) (links []Link, shown []string) {
	links, shown, _, _ = LinksAndAnchors(content, format, front)
	return links, shown
}

// LinksAndAnchors is References with the anchors of the page, which are nil if it
// obviously has no links and was not parsed, and what is left out when it is rendered.
func LinksAndAnchors(content string, format Format, front []byte) (links []Link, shown []string, anchors *reference.Anchors, left []LeftOut) {
	if format == (Format{}) && !mayLink(content) && !home.Read(front).HasLinks() {
		return nil, nil, nil, nil
	}
	d := parse(content, format, front)
	links = unique(linksOf(d, max(minLabels, len(content))), func(l *Link) *string { return &l.Href })
	shown = slices.DeleteFunc(append(d.Shown, d.Included...), func(address string) bool { return len(address) > maxShown })
	return links, unique(shown, func(s *string) *string { return s }), d.Anchors(), leftOut(d, content)
}

// LeftOut is what only the generator of a page renders.
type LeftOut struct {
	Line int
	Text string // source; shortened, except of imports
	Near bool   // its content is shown
}

func leftOut(d *document.Document, content string) (all []LeftOut) {
	var lines []string
	for _, n := range d.Notices {
		switch n.Kind {
		case document.ImportOmitted:
			if lines == nil {
				lines = strings.Split(content, "\n")
			}
			all = append(all, LeftOut{n.Line, strings.TrimSpace(lines[n.Line-1]), false})
		case document.ElementOmitted:
			if !strings.HasPrefix(n.Text, "<script") && !strings.HasPrefix(n.Text, "<style") {
				all = append(all, LeftOut{n.Line, n.Text, true})
			}
		case document.ExportOmitted, document.ExpressionOmitted, document.UnknownComponent:
			all = append(all, LeftOut{n.Line, n.Text, n.Kind == document.UnknownComponent})
		}
	}
	return all
}

// Anchors returns the link targets on a page.
func Anchors(content string, format Format, front []byte) *reference.Anchors {
	return parse(content, format, front).Anchors()
}

// mayLink reports whether content may have any link.
func mayLink(content string) bool {
	for _, sign := range []string{"[", "<", "@", "://", "www."} { // faster than ContainsAny
		if strings.Contains(content, sign) {
			return true
		}
	}
	return false
}

// linksOf returns the links of a tree in source order. room limits the labels of links
// around blocks in bytes.
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

// unique converts addresses to URI references, and omits invalid items and duplicates.
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
