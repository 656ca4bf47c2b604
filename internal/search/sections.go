package search

import "github.com/octavo-docs/octavo/internal/markdown"

// Sections divides the content of a page as a Document needs it.
func Sections(content string, format markdown.Format) []Section {
	found := markdown.Sections([]byte(content), format)
	sections := make([]Section, len(found))
	for i, s := range found {
		sections[i] = Section{Anchor: s.Anchor, Heading: s.Heading.Text, Level: s.Level, Text: s.Text, Code: s.Code}
	}
	return sections
}
