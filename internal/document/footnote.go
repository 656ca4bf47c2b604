package document

import (
	"strings"

	gmast "github.com/yuin/goldmark/ast"
	gmparser "github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// footnoteSource is the definition of a footnote, "[^label]:", and what is
// indented below it.
type footnoteSource struct {
	node     *extra
	footnote *Footnote
}

// footnoteDefinitions opens them.
type footnoteDefinitions struct{ p *parser }

func (footnoteDefinitions) Trigger() []byte                                 { return []byte{'['} }
func (footnoteDefinitions) Close(gmast.Node, text.Reader, gmparser.Context) {}
func (footnoteDefinitions) CanInterruptParagraph() bool                     { return true }
func (footnoteDefinitions) CanAcceptIndentedLine() bool                     { return false }

func (f footnoteDefinitions) Open(parent gmast.Node, reader text.Reader, pc gmparser.Context) (gmast.Node, gmparser.State) {
	if last := pc.LastOpenedBlock().Node; last != nil && gmast.IsParagraph(last) && last.Parent() == parent {
		return nil, gmparser.NoChildren // of a paragraph it is part, but not of one further in
	}
	line, _ := reader.PeekLine()
	offset := max(0, pc.BlockOffset())
	ahead := line[offset:]
	label, width := footnoteLabel(string(ahead[:min(len(ahead), maxFootnoteLabel)]))
	if width == 0 || f.p.tooDeep(parent) {
		return nil, gmparser.NoChildren
	}
	_, at := f.p.ahead(reader, pc)
	node := &extra{}
	own := &footnoteSource{node: node, footnote: &Footnote{at: atPos(at), Label: label}}
	node.own = own
	if _, defined := f.p.footnotes[inline.FoldLabel(label)]; !defined {
		f.p.footnotes[inline.FoldLabel(label)] = own
	}
	reader.Advance(offset + width)
	return node, gmparser.HasChildren
}

// maxFootnoteLabel bounds the label of a footnote in bytes.
const maxFootnoteLabel = 1000

// footnoteLabel reads "[^label]:" at the start of a line; width is 0 when
// there is none.
func footnoteLabel(line string) (label string, width int) {
	if !strings.HasPrefix(line, "[^") {
		return "", 0
	}
	end := strings.IndexByte(line, ']')
	if end < 3 || end+1 >= len(line) || line[end+1] != ':' || strings.ContainsAny(line[2:end], " \t[") {
		return "", 0
	}
	return line[2:end], end + 2
}

func (footnoteDefinitions) Continue(_ gmast.Node, reader text.Reader, _ gmparser.Context) gmparser.State {
	line, _ := reader.PeekLine()
	if util.IsBlank(line) {
		reader.AdvanceToEOL()
		return gmparser.Continue | gmparser.HasChildren
	}
	if width, _ := util.IndentWidth(line, reader.LineOffset()); width < 4 {
		return gmparser.Close
	}
	at, padding := util.IndentPosition(line, reader.LineOffset(), 4)
	reader.AdvanceAndSetPadding(at, padding)
	return gmparser.Continue | gmparser.HasChildren
}

func atPos(p int) at { return at{Pos(p)} }

// footnoteRef returns a reference to the footnote of that label, nil if there
// is none. The first reference gives the footnote its number.
func (p *parser) footnoteRef(label string, pos Pos) *FootnoteRef {
	own := p.footnotes[inline.FoldLabel(label)]
	if own == nil {
		return nil
	}
	note := own.footnote
	if note.Number == 0 {
		p.footnoted = append(p.footnoted, own)
		p.doc.Footnotes = append(p.doc.Footnotes, note)
		note.Number = len(p.footnoted)
	}
	note.References++
	return &FootnoteRef{at: at{pos}, Footnote: note, Use: note.References}
}
