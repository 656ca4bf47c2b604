package markdown

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
)

// Section is the text between two headings. The first one may have no heading.
type Section struct {
	Heading *document.Heading
	Text    string // one line per block
	Code    string // the code blocks
}

// Sections returns the plain text of a document for search.
func Sections(d *document.Document) []Section {
	sections := []Section{{}}
	var text, code strings.Builder
	add := func(line string) {
		if line != "" && text.Len() > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(line)
	}
	finish := func() {
		last := &sections[len(sections)-1]
		last.Text, last.Code = text.String(), code.String()
		text.Reset()
		code.Reset()
	}
	d.Walk(func(n document.Node) bool {
		switch n := n.(type) {
		case *document.Heading:
			finish()
			sections = append(sections, Section{Heading: n})
			return false
		case *document.Code:
			add(n.Title)
			code.WriteString(n.Text)
			return false
		}
		line, inside := document.Line(n)
		add(line)
		return inside
	})
	if finish(); sections[0] == (Section{}) {
		return sections[1:]
	}
	return sections
}
