package document

import (
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// footnoteSource is the definition of a footnote, "[^label]:", and what is
// indented below it.
type footnoteSource struct {
	block    *block
	footnote *Footnote
}

// startFootnote opens the definition of a footnote.
func (d *divider) startFootnote(matched int, ahead string) lineResult {
	label, width := inline.FootnoteLabel(ahead[:min(len(ahead), maxFootnoteLabel)])
	if width == 0 || d.open[matched-1].kind == paragraphBlock || !d.nest(matched, footnoteBlock) {
		return no
	}
	b := d.push(block{kind: footnoteBlock, indent: 4, pos: d.Place()})
	if folded := inline.FoldLabel(label); d.footnotes[folded] == nil {
		d.footnotes[folded] = &footnoteSource{b, &Footnote{at: atPos(b.pos), Label: label}}
	}
	d.SkipMark(width)
	return yes
}

// maxFootnoteLabel bounds the label of a footnote in bytes.
const maxFootnoteLabel = 1000

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
