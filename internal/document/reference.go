package document

import (
	"strings"
	"unicode/utf8"

	gmast "github.com/yuin/goldmark/ast"
	gmparser "github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"golang.org/x/text/cases"
)

// maxLabel bounds the label of a reference in bytes; CommonMark says 999
// characters.
const maxLabel = 1000

// reference is what a link reference definition says, as written.
type reference struct {
	destination, title string
}

// definitions takes the link reference definitions from the start of a
// paragraph. goldmark's own takes quadratic time for many of them.
type definitions struct{ p *parser }

func (d definitions) Transform(node *gmast.Paragraph, _ text.Reader, _ gmparser.Context) {
	segments := node.Lines()
	if segments.Len() == 0 || !strings.HasPrefix(d.p.line(segments.At(0)), "[") {
		return
	}
	trimmed := make([]text.Segment, segments.Len())
	for i := range trimmed {
		segment := segments.At(i)
		trimmed[i] = text.NewSegment(segment.Start+blanks(d.p.source[segment.Start:segment.Stop]), segment.Stop)
	}
	content := d.p.sourceOf(trimmed).text
	rest := d.p.defineAll(content)
	if len(rest) == len(content) {
		return
	}
	place := &extra{} // so that a list sees the blank line before it
	place.SetBlankPreviousLines(node.HasBlankPreviousLines())
	node.Parent().InsertBefore(node.Parent(), node, place)
	if strings.TrimSpace(rest) == "" {
		node.Parent().RemoveChild(node.Parent(), node)
		return
	}
	segments.SetSliced(strings.Count(content[:len(content)-len(rest)], "\n"), segments.Len())
}

// defineAll takes definitions from the start of a text whose lines have no
// indentation, and returns what follows them.
func (p *parser) defineAll(s string) string {
	for strings.HasPrefix(s, "[") {
		label, used := scanLabel(s)
		if used == 0 || used >= len(s) || s[used] != ':' || strings.TrimSpace(label) == "" {
			return s
		}
		at := used + 1 + spaces(s[used+1:])
		destination, width := scanDestination(s[at:])
		if width == 0 {
			return s
		}
		at += width
		end, ok := lineEnd(s, at)
		title := ""
		if written, after, found := p.definitionTitle(s, at); found {
			title, end, ok = written, after, true
		}
		if !ok {
			return s
		}
		if key := foldLabel(label); key != "" {
			if _, defined := p.references[key]; !defined {
				p.references[key] = reference{destination, title}
			}
		}
		s = s[end:]
	}
	return s
}

// definitionTitle returns the title after a definition and where its line
// ends.
func (p *parser) definitionTitle(s string, at int) (title string, end int, found bool) {
	gap := spaces(s[at:])
	if gap == 0 || p.scan.left < 0 {
		return "", 0, false
	}
	width := scanTitle(s[at+gap:])
	if width == 0 {
		p.scan.spend(len(s) - at)
		return "", 0, false
	}
	end, found = lineEnd(s, at+gap+width)
	return s[at+gap+1 : at+gap+width-1], end, found
}

// lineEnd returns the place after the end of the line if only blanks precede
// it.
func lineEnd(s string, at int) (int, bool) {
	at += blanks(s[at:])
	if at == len(s) {
		return at, true
	}
	return at + 1, s[at] == '\n'
}

// scanLabel reads a label in brackets; used is 0 when there is none.
func scanLabel(s string) (label string, used int) {
	for i := 1; i < len(s) && i <= maxLabel; i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			return "", 0
		case ']':
			return s[1:i], i + 1
		}
	}
	return "", 0
}

// scanDestination reads a link destination, as written; width is 0 when there
// is none.
func scanDestination(s string) (destination string, width int) {
	if strings.HasPrefix(s, "<") {
		for i := 1; i < len(s); i++ {
			switch s[i] {
			case '\\':
				i++
			case '\n', '<':
				return "", 0
			case '>':
				return s[1:i], i + 1
			}
		}
		return "", 0
	}
	if n := shortcode(s); n > 0 {
		return s[:n], n
	}
	depth, i := 0, 0
scan:
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case c <= ' ' || c == 0x7f:
			break scan
		case c == '\\' && i+1 < len(s) && isPunct(s[i+1]):
			i++
		case c == '(':
			if depth++; depth > 32 {
				return "", 0
			}
		case c == ')':
			if depth == 0 {
				break scan
			}
			depth--
		}
	}
	if depth != 0 {
		return "", 0
	}
	return s[:i], i
}

// shortcode returns the width of a Hugo shortcode and what follows it up to
// the end of the destination: {{< relref "page.md" >}}#part. Hugo replaces it
// before it reads the Markdown around, so its spaces and quotes do no harm.
func shortcode(s string) int {
	for _, marks := range [][2]string{{"{{<", ">}}"}, {"{{%", "%}}"}} {
		if !strings.HasPrefix(s, marks[0]) {
			continue
		}
		end := strings.Index(s[:min(len(s), 1024)], marks[1])
		if end < 0 || strings.IndexByte(s[:end], '\n') >= 0 {
			return 0
		}
		end += len(marks[1])
		for end < len(s) && s[end] > ' ' && s[end] != ')' {
			end++
		}
		return end
	}
	return 0
}

// scanTitle returns the width of a link title, quotes included, or 0.
func scanTitle(s string) int {
	if s == "" || s[0] != '"' && s[0] != '\'' && s[0] != '(' {
		return 0
	}
	end := s[0]
	if end == '(' {
		end = ')'
	}
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == end:
			return i + 1
		case s[i] == '(' && end == ')':
			return 0
		}
	}
	return 0
}

// foldLabel makes labels that mean the same equal (CommonMark section 4.7).
func foldLabel(label string) string {
	label = strings.Join(strings.Fields(label), " ")
	for i := range len(label) {
		if label[i] >= utf8.RuneSelf {
			return cases.Fold().String(label)
		}
	}
	return strings.ToLower(label)
}
