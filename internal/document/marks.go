package document

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// follows reports whether mark occurs after the current line.
func (d *divider) follows(mark string) bool { return d.ahead.Has(d.source, d.pos, mark) }

// startBraces parses kramdown and Liquid in braces on a separate line: block attributes,
// comments, and tags around code.
func (d *divider) startBraces(matched int, ahead string) lineResult {
	ahead = strings.TrimRight(ahead, " \t")
	switch kind := dialect.Braces(ahead, d.follows); {
	case kind == dialect.OtherBraces && strings.HasPrefix(ahead, "{%"):
		return d.startHighlight(matched, ahead)
	case strings.HasPrefix(ahead, "{.is-") && slices.ContainsFunc(d.open[matched:], func(b *block) bool { return b.kind == quoteBlock }): // Wiki.js
		return d.addLeaf(matched, block{kind: attributesBlock, info: strings.Trim(ahead, "{}"), pos: d.TextPos()})
	case kind == dialect.OtherBraces:
		return no
	case kind == dialect.EmptyBraces:
		return d.addLeaf(matched, block{kind: emptyBlock, pos: d.TextPos()})
	case kind == dialect.AttributeBraces:
		return d.addLeaf(matched, block{kind: attributesBlock, info: ahead[2 : len(ahead)-1], pos: d.TextPos()})
	default:
		d.nest(matched, htmlBlock)
		if d.push(block{kind: htmlBlock, length: kind, pos: d.TextPos()}); kind == inline.KramdownHTML {
			return lineDone
		}
		return yes
	}
}

// startHighlight opens code at {% highlight sh %} if a closing tag follows.
func (d *divider) startHighlight(matched int, ahead string) lineResult {
	info, behind, found := dialect.Highlight(ahead)
	oneLine := strings.Contains(behind, dialect.EndHighlight)
	if !found || !oneLine && !d.follows(dialect.EndHighlight) {
		return no
	}
	start := d.TextPos() + len(ahead) - len(behind)
	d.nest(matched, codeBlock)
	b := d.push(block{kind: codeBlock, fenced: true, marker: '%', indent: d.Indent(), info: info, pos: d.TextPos()})
	if behind, _, _ = strings.Cut(behind, "{%"); behind != "" { // not {% raw %}
		d.addSegment(b, segment{start: start, end: start + len(behind)})
	}
	if oneLine {
		d.closeTo(len(d.open) - 2)
	}
	return lineDone
}

func (d *divider) startContents(matched int, ahead string) lineResult {
	start := d.TextPos()
	return d.addLeaf(matched, block{kind: contentsBlock, pos: start}, segment{start: start, end: start + len(ahead)})
}

// abbreviated adds a piece of the source with its abbreviations explained.
func (b *builder) abbreviated(from, to int) {
	text := b.source.text[:to]
	start := from
	for from < to {
		n := inline.WordLength(text[from:])
		if n == 0 {
			_, width := utf8.DecodeRuneInString(text[from:])
			from += width
			continue
		}
		for _, a := range b.p.abbreviations[text[from:from+n]] {
			end := from + len(a.Label)
			if a.Title == "" || !strings.HasPrefix(text[from:], a.Label) || inline.WordLength(text[end:]) > 0 || b.p.explained > max(minExplained, len(b.p.source)) {
				continue
			}
			b.p.explained += len(a.Title)
			if start < from {
				b.text(start, from)
			}
			pos := at{b.source.at(from)}
			b.add(&Span{at: pos, Name: "abbr", Attributes: Attributes{{Name: "title", Value: a.Title}}, Inlines: []Inline{&Text{pos, a.Label}}})
			start, n = end, len(a.Label)
			break
		}
		from += n
	}
	if start < to {
		b.text(start, to)
	}
}

// minExplained is the minimal limit, in bytes, for all explanations of abbreviations; longer
// documents may double in length.
const minExplained = 100_000

// dress applies kramdown attributes from an adjacent line to the block of the events from
// start on. Their class may make it a callout.
func (a *assembler) dress(start int, attributes Attributes) {
	if len(a.events)-start != 1 || a.events[start].tag != nil || len(attributes) == 0 {
		return
	}
	e := &a.events[start]
	node := e.block()
	if node == nil {
		return
	}
	pos := node.Pos()
	blocks := []Block{node}
	if quote, ok := node.(*Quote); ok {
		blocks = quote.Blocks
	}
	if box := boxOf(attributes, false, blocks, pos); box != nil {
		*e = event{node: box}
		return
	}
	*e = event{node: &Element{at{pos}, "div", attributes, []Block{node}}}
}

// boxOf returns the callout that a class makes of blocks, or nil.
func boxOf(attributes Attributes, html bool, blocks []Block, pos Pos) Block {
	if len(blocks) == 0 {
		return nil
	}
	_, text := blocks[0].(*Paragraph)
	found, titled := element.Box(attributes.String("class"), html, text)
	if found == "" {
		return nil
	}
	var title []Inline
	e, tagged := blocks[0].(*Element)
	said := firstText(blocks)
	if len(said) > 0 && (text && titled || html && tagged && (e.Name > "h2" && e.Name < "h7" || strings.Contains(e.Attributes.String("class"), "title"))) {
		title, blocks = said, blocks[1:]
	} else if found == "highlight" {
		title = []Inline{} // it has none
	}
	box := callout(found, title, nil, blocks, pos)
	if id := attributes.String("id"); id != "" {
		return &Element{at{pos}, "div", Attributes{{Name: "id", Value: id}}, []Block{box}}
	}
	return box
}

// caption makes a paragraph the caption of the preceding block.
func (a *assembler) caption(blocks []Block) bool {
	if len(blocks) != 1 || len(a.events) == 0 {
		return false
	}
	e := &a.events[len(a.events)-1]
	said, ok := blocks[0].(*Paragraph)
	if node := e.block(); ok && node != nil {
		*e = event{node: &Component{at: at{node.Pos()}, Kind: element.Frame, Name: "Frame", Title: said.Inlines, Blocks: []Block{node}}}
		return true
	}
	return false
}

// attributesOf parses a line of kramdown attributes.
func attributesOf(b *block) Attributes {
	if b == nil || b.kind != attributesBlock {
		return nil
	}
	attributes, _ := attribute.Parse(b.info, true) // invalid ones are ignored
	return attributes
}

// attributesBelow returns the attributes on the line below a block.
func attributesBelow(b *block) Attributes {
	if b.next == nil || b.next.afterBlank {
		return nil
	}
	return attributesOf(b.next)
}

// contents replaces a paragraph that is a table of contents marker, unless it is a link.
func (p *parser) contents(b *block, a *assembler) {
	if source := p.sourceOf(b); p.references.Defined(strings.Trim(source.text, "[]")) && inline.RunLength(source.text, '[') == 1 {
		a.paragraph(p.flow(source, true), false, source.pos)
	}
}

// footnoteSource is a footnote definition, "[^label]:" with indented content, or ^[note].
type footnoteSource struct {
	block    *block       // or
	said     inlineSource // within a text
	footnote *Footnote
}

func (d *divider) startFootnote(matched int, ahead string) lineResult {
	label, width := inline.FootnoteLabel(ahead[:min(len(ahead), maxFootnoteLabel)])
	if width == 0 || d.open[matched-1].kind == paragraphBlock || !d.nest(matched, footnoteBlock) {
		return no
	}
	b := d.push(block{kind: footnoteBlock, indent: 4, pos: d.TextPos()})
	if folded := inline.FoldLabel(label); d.footnotes[folded] == nil {
		d.footnotes[folded] = &footnoteSource{block: b, footnote: &Footnote{at: atPos(b.pos), Label: label}}
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
	if own := p.footnotes[inline.FoldLabel(label)]; own != nil {
		return p.refer(own, pos)
	}
	return nil
}

func (p *parser) refer(own *footnoteSource, pos Pos) *FootnoteRef {
	note := own.footnote
	if note.Number == 0 {
		p.footnoted = append(p.footnoted, own)
		p.doc.Footnotes = append(p.doc.Footnotes, note)
		note.Number = len(p.footnoted)
	}
	note.References++
	return &FootnoteRef{at: at{pos}, Footnote: note, Use: note.References}
}
