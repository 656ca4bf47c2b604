package search

import (
	"maps"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// Sections divides the content of a page for a Document. frontmatter, a JSON object, is
// part of the content of a home page. include, if non-nil, finds the files that it
// imports. labels are the texts of its links to other pages, each once.
func Sections(content string, format markdown.Format, frontmatter []byte, include func(file string) (text string, mdx, found bool)) (sections []Section, labels []string) {
	o := format.Options()
	o.Frontmatter, o.Include = frontmatter, include
	tree := document.Parse(content, o)
	found := markdown.Sections(tree)
	sections = make([]Section, len(found))
	for i, s := range found {
		sections[i] = Section{Text: s.Text, Code: strings.TrimRight(s.Code, "\n")}
		if h := s.Heading; h != nil {
			sections[i].Anchor, sections[i].Heading, sections[i].Level = h.Anchor, h.Text, h.Level
		}
	}
	seen := map[string]bool{}
	tree.Walk(func(n document.Node) bool {
		if link, is := n.(*document.Link); is && link.Href != "" && link.Href[0] != '#' && !strings.Contains(link.Href, ":") {
			seen[document.PlainText(link.Inlines)] = true
		}
		return true
	})
	return sections, slices.Sorted(maps.Keys(seen))
}
