package search

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// Sections divides the content of a page as a Document needs it; front matter, a
// JSON object, belongs to that of a home page. include, unless nil, finds the files
// that it imports.
func Sections(content string, format markdown.Format, frontmatter []byte, include func(file string) (text string, mdx, found bool)) []Section {
	o := format.Options()
	o.Frontmatter, o.Include = frontmatter, include
	found := document.Parse(content, o).Sections()
	sections := make([]Section, len(found))
	for i, s := range found {
		sections[i] = Section{Text: s.Text, Code: strings.TrimRight(s.Code, "\n")}
		if h := s.Heading; h != nil {
			sections[i].Anchor, sections[i].Heading, sections[i].Level = h.Anchor, h.Text, h.Level
		}
	}
	return sections
}
