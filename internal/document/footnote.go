package document

import "github.com/octavo-docs/octavo/internal/document/inline"

// footnoteSource is a footnote definition, "[^label]:" with indented content.
type footnoteSource struct {
	block    *block
	footnote *Footnote
}

func (d *divider) startFootnote(matched int, ahead string) lineResult {
	label, width := inline.FootnoteLabel(ahead[:min(len(ahead), maxFootnoteLabel)])
	if width == 0 || d.open[matched-1].kind == paragraphBlock || !d.nest(matched, footnoteBlock) {
		return no
	}
	b := d.push(block{kind: footnoteBlock, indent: 4, pos: d.TextPos()})
	if folded := inline.FoldLabel(label); d.footnotes[folded] == nil {
		d.footnotes[folded] = &footnoteSource{b, &Footnote{at: atPos(b.pos), Label: label}}
	}
	d.SkipMark(width)
	return yes
}

// maxFootnoteLabel limits a footnote label in bytes.
const maxFootnoteLabel = 1000

func atPos(p int) at { return at{Pos(p)} }

// footnoteRef returns a reference to a footnote, nil if it is not defined. The first
// reference numbers the footnote.
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
