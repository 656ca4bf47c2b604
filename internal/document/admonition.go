package document

import (
	"strings"

	gmast "github.com/yuin/goldmark/ast"
	gmparser "github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// admonition is a container between lines of colons, as Docusaurus, VitePress
// and Starlight have it: ":::note Title".
type admonition struct {
	colons     int
	name       string
	title      inlineSource
	attributes Attributes
}

// admonitions opens and closes them. More colons hold fewer.
type admonitions struct{ p *parser }

func (admonitions) Trigger() []byte                                 { return []byte{':'} }
func (admonitions) Close(gmast.Node, text.Reader, gmparser.Context) {}
func (admonitions) CanInterruptParagraph() bool                     { return true }
func (admonitions) CanAcceptIndentedLine() bool                     { return false }

func (a admonitions) Open(parent gmast.Node, reader text.Reader, pc gmparser.Context) (gmast.Node, gmparser.State) {
	source, at := a.p.ahead(reader, pc)
	line := firstLine(source)
	own, ok := a.p.admonition(line, at)
	if !ok || a.p.tooDeep(parent) {
		return nil, gmparser.NoChildren
	}
	reader.AdvanceToEOL()
	return &extra{own: own}, gmparser.HasChildren
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

func (a admonitions) Continue(node gmast.Node, reader text.Reader, pc gmparser.Context) gmparser.State {
	line, _ := reader.PeekLine()
	width, at := util.IndentWidth(line, reader.LineOffset())
	if width < 4 && at < len(line) && line[at] == ':' && closes(node, string(line[at:]), pc) {
		reader.AdvanceToEOL()
		return gmparser.Close
	}
	return gmparser.Continue | gmparser.HasChildren
}

// closes reports whether a line of colons closes the admonition of a node, and
// not one inside it or nothing, in code.
func closes(node gmast.Node, line string, pc gmparser.Context) bool {
	colons := inline.RunLength(line, ':')
	if colons < node.(*extra).own.(*admonition).colons || strings.TrimSpace(line[colons:]) != "" {
		return false
	}
	opened := pc.OpenedBlocks()
	for i := len(opened) - 1; i >= 0 && opened[i].Node != node; i-- {
		switch inside := opened[i].Node.(type) {
		case *gmast.FencedCodeBlock:
			return false
		case *extra:
			if own, ok := inside.own.(*admonition); ok && colons >= own.colons {
				return false
			}
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
