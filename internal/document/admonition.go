package document

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/inline"
)

// admonition is a container between lines of colons, as Docusaurus, VitePress
// and Starlight have it: ":::note Title".
type admonition struct {
	colons     int
	name       string
	title      inlineSource
	attributes Attributes
}

// admonition reads the line that opens one.
func (p *parser) admonition(line string, at int) (*admonition, bool) {
	own := &admonition{colons: inline.RunLength(line, ':')}
	offset := own.colons + inline.Blanks(line[own.colons:])
	n := 0
	for offset+n < len(line) && (inline.IsLetter(line[offset+n]) || n > 0 && (inline.IsDigit(line[offset+n]) || line[offset+n] == '-')) {
		n++
	}
	if own.colons < 3 || n == 0 {
		return nil, false
	}
	own.name = strings.ToLower(line[offset : offset+n])
	offset += n
	rest := line[offset:]
	if strings.HasPrefix(rest, "[") {
		if end := closingBracket(rest); end > 0 {
			own.title = plainSource(rest[1:end], Pos(at+offset+1))
			offset += end + 1
			rest = rest[end+1:]
		}
	}
	if trimmed := strings.TrimSpace(rest); strings.HasPrefix(trimmed, "{") && strings.HasSuffix(trimmed, "}") {
		if attributes, ok := parseAttributes(trimmed[1 : len(trimmed)-1]); ok {
			own.attributes, rest = attributes, ""
		}
	}
	if rest != "" && !inline.IsBlank(rest[0]) {
		return nil, false
	}
	if title := strings.TrimSpace(rest); title != "" && own.title.text == "" {
		own.title = plainSource(title, Pos(at+offset+inline.Blanks(rest)))
	}
	return own, true
}

// closingBracket returns the place of the bracket that closes the first, or 0.
func closingBracket(s string) int {
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			depth++
		case ']':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return 0
}

// closesAdmonition reports whether the line closes an admonition, whose number
// among the open blocks is given, and not one inside it or nothing, in code.
func (d *divider) closesAdmonition(b *block, number int) bool {
	if d.indent() >= 4 || d.peek() != ':' {
		return false
	}
	colons := inline.RunLength(d.ahead(), ':')
	if colons < b.own.(*admonition).colons || strings.TrimSpace(d.ahead()[colons:]) != "" {
		return false
	}
	for _, inside := range d.open[number+1:] {
		if inside.fenced {
			return false
		}
		if own, ok := inside.own.(*admonition); ok && colons >= own.colons {
			return false
		}
	}
	return true
}

// alert takes "[!NOTE]" from the start of a quotation, where GitHub and
// Obsidian have the kind of an admonition, and a title behind it. It returns
// the offset at which the text goes on.
func alert(s string) (name, title string, width int) {
	if !strings.HasPrefix(s, "[!") {
		return "", "", 0
	}
	line := firstLine(s)
	end := strings.IndexByte(line, ']')
	if end < 3 || calloutVariant(strings.ToLower(line[2:end])) == "" {
		return "", "", 0
	}
	name = strings.ToLower(line[2:end])
	title = strings.TrimSpace(strings.TrimLeft(line[end+1:], "+-"))
	return name, title, min(len(line)+1, len(s))
}
