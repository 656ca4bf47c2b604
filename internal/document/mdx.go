package document

import (
	"strings"

	gmast "github.com/yuin/goldmark/ast"
	gmparser "github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// lines is what the parsers of MDX below have in common: each takes whole lines
// of the source at once, so that nothing continues what it opens.
type lines struct{}

func (lines) Continue(gmast.Node, text.Reader, gmparser.Context) gmparser.State {
	return gmparser.Close
}
func (lines) Close(gmast.Node, text.Reader, gmparser.Context) {}
func (lines) CanInterruptParagraph() bool                     { return true }
func (lines) CanAcceptIndentedLine() bool                     { return true }

// tagRun is a run of tags, or an expression, on lines of its own.
type tagRun struct {
	start, end int // in the source
	expression bool
}

// ahead returns the source from the first character of the line that is no
// white space, and where that is.
func (p *parser) ahead(reader text.Reader, pc gmparser.Context) (string, int) {
	_, segment := reader.PeekLine()
	at := segment.Start + max(0, pc.BlockOffset()-segment.Padding)
	return p.source[at:], at
}

// takeLines makes a block of the source from the current place on, as much as
// scan says, if nothing else stands on its last line. The reader moves to the
// end of that line.
func (p *parser) takeLines(reader text.Reader, pc gmparser.Context, scan func(string) int) (*extra, int, int) {
	source, start := p.ahead(reader, pc)
	width := scan(source)
	if width == 0 {
		return nil, 0, 0
	}
	end := start + width
	last := end + inline.Blanks(p.source[end:])
	if last < len(p.source) && p.source[last] != '\n' {
		p.scan.Spend(width)
		return nil, 0, 0
	}
	p.jump(reader, start, last)
	return &extra{}, start, end
}

// jump moves the reader from a place in its line to the end of the line that
// last is in.
func (p *parser) jump(reader text.Reader, start, last int) {
	line, _ := reader.Position()
	line += strings.Count(p.source[start:last], "\n")
	end := len(p.source)
	if rest := strings.IndexByte(p.source[last:], '\n'); rest >= 0 {
		end = last + rest
	}
	reader.SetPosition(line, text.NewSegment(end, min(end+1, len(p.source))))
}

// tagLines takes the tags of MDX that a line consists of; the last may reach
// over several lines. What stands between tags needs no block to hold it: it is
// parsed as if they were not there, and put between them later. A tag with text
// on its line is part of a paragraph.
type tagLines struct {
	lines
	p *parser
}

func (tagLines) Trigger() []byte { return []byte{'<'} }

func (t tagLines) Open(_ gmast.Node, reader text.Reader, pc gmparser.Context) (gmast.Node, gmparser.State) {
	node, start, end := t.p.takeLines(reader, pc, func(s string) int {
		if width := t.p.program(s); width > 0 {
			return width
		}
		total := 0
		for {
			gap := inline.Blanks(s[total:])
			if total+gap == len(s) || s[total+gap] != '<' {
				return total
			}
			_, width := inline.ScanTag(s[total+gap:], true, &t.p.scan)
			if width == 0 {
				return total
			}
			total += gap + width
		}
	})
	if node == nil {
		return nil, gmparser.NoChildren
	}
	node.own = &tagRun{start: start, end: end}
	return node, gmparser.NoChildren
}

// program returns the width of a script or style sheet with its tags, or 0.
func (p *parser) program(s string) int {
	t, width := inline.ScanTag(s, true, &p.scan)
	if width == 0 || t.Closing || t.SelfClosing || t.Name != "script" && t.Name != "style" {
		return 0
	}
	end := strings.Index(s[width:], "</"+t.Name+">")
	if end < 0 {
		p.scan.Spend(len(s))
		return 0
	}
	return width + end + len("</>") + len(t.Name)
}

// expressionLines takes an expression of MDX, such as a comment, that stands
// on lines of its own.
type expressionLines struct {
	lines
	p *parser
}

func (expressionLines) Trigger() []byte { return []byte{'{'} }

func (e expressionLines) Open(_ gmast.Node, reader text.Reader, pc gmparser.Context) (gmast.Node, gmparser.State) {
	node, start, end := e.p.takeLines(reader, pc, func(s string) int { return inline.ScanExpression(s, &e.p.scan) })
	if node == nil {
		return nil, gmparser.NoChildren
	}
	node.own = &tagRun{start: start, end: end, expression: true}
	return node, gmparser.NoChildren
}

// indent is a run of lines that are indented further than what stands around
// them, by so many columns. In MDX that has no meaning, since the children of
// components are indented freely.
type indent int

// maxIndents bounds how deep indents hold each other.
const maxIndents = 16

type indents struct{}

func (indents) Trigger() []byte                                 { return nil }
func (indents) Close(gmast.Node, text.Reader, gmparser.Context) {}
func (indents) CanInterruptParagraph() bool                     { return false }
func (indents) CanAcceptIndentedLine() bool                     { return true }

func (indents) Open(parent gmast.Node, reader text.Reader, pc gmparser.Context) (gmast.Node, gmparser.State) {
	line, _ := reader.PeekLine()
	width := pc.BlockIndent()
	if width < 4 || util.IsBlank(line) || indentsAround(parent) >= maxIndents {
		return nil, gmparser.NoChildren
	}
	at, padding := util.IndentPosition(line, reader.LineOffset(), width)
	reader.AdvanceAndSetPadding(at, padding)
	return &extra{own: indent(width)}, gmparser.HasChildren
}

func indentsAround(n gmast.Node) int {
	count := 0
	for ; n != nil; n = n.Parent() {
		if b, ok := n.(*extra); ok {
			if _, ok := b.own.(indent); ok {
				count++
			}
		}
	}
	return count
}

func (indents) Continue(node gmast.Node, reader text.Reader, pc gmparser.Context) gmparser.State {
	line, _ := reader.PeekLine()
	if util.IsBlank(line) {
		reader.AdvanceToEOL()
		return gmparser.Continue | gmparser.HasChildren
	}
	width := int(node.(*extra).own.(indent))
	have, _ := util.IndentWidth(line, reader.LineOffset())
	if have < width {
		if _, inCode := pc.LastOpenedBlock().Node.(*gmast.FencedCodeBlock); !inCode {
			return gmparser.Close
		}
		width = have // code may be indented less than its fence
	}
	if width > 0 {
		at, padding := util.IndentPosition(line, reader.LineOffset(), width)
		reader.AdvanceAndSetPadding(at, padding)
	}
	return gmparser.Continue | gmparser.HasChildren
}

// indented is a parser of goldmark's that takes indented lines as others.
type indented struct{ gmparser.BlockParser }

func (indented) CanAcceptIndentedLine() bool { return true }

// fences are fences of code that may be closed by one that is indented further.
type fences struct {
	gmparser.BlockParser
	p *parser
}

func (f fences) Continue(node gmast.Node, reader text.Reader, pc gmparser.Context) gmparser.State {
	line, _ := reader.PeekLine()
	width, at := util.IndentWidth(line, reader.LineOffset())
	fence := f.p.source[f.p.at(node).pos:]
	if width >= 4 && fence != "" && (fence[0] == '`' || fence[0] == '~') {
		rest := string(line[at:])
		if n := inline.RunLength(rest, fence[0]); n >= inline.RunLength(fence, fence[0]) && strings.TrimSpace(rest[n:]) == "" {
			reader.AdvanceToEOL()
			return gmparser.Close
		}
	}
	return f.BlockParser.Continue(node, reader, pc)
}

// comments leaves of the blocks of HTML only comments, which MDX of some
// generators has.
type comments struct{ gmparser.BlockParser }

func (c comments) Open(parent gmast.Node, reader text.Reader, pc gmparser.Context) (gmast.Node, gmparser.State) {
	if line, _ := reader.PeekLine(); !strings.HasPrefix(strings.TrimLeft(string(line[:min(len(line), 8)]), " "), "<!--") {
		return nil, gmparser.NoChildren
	}
	return c.BlockParser.Open(parent, reader, pc)
}
