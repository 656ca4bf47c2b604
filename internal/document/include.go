package document

import (
	"maps"
	"slices"

	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// Limits per page: bytes of included text, bytes of files in which parts are looked for and of
// what is made of them, and how often files are read.
const MaxIncluded, maxSearched, maxFiles = 1 << 20, 16 << 20, 1000

// include returns the blocks of an imported file for its component. They have its position.
// Nested imports are ignored.
func (p *parser) include(t *tag) []Block {
	props := map[string]any{}
	for _, a := range p.attributes(t) {
		props[a.Name] = a.Value
	}
	return p.includeFile(dialect.File{Name: p.imports[t.Name]}, props, t)
}

// file returns a part of a file for a mark or component at a tag.
func (p *parser) file(f dialect.File, t *tag) (text string, mdx, found bool) {
	if p.files++; p.files <= maxFiles && !slices.Contains(p.doc.Included, f.Name) {
		p.doc.Included = append(p.doc.Included, f.Name)
	}
	if p.options.Include == nil {
		return "", false, false
	}
	if p.files <= maxFiles && p.searched <= maxSearched {
		text, mdx, found = p.options.Include(f.Name)
	}
	p.searched += len(text) * f.Parts()
	if found = found && p.searched <= maxSearched; found {
		text, found = f.Of(text)
		p.searched += len(text)
	}
	if !found || p.included+len(text) > MaxIncluded {
		p.notice(NotIncluded, t.pos, t.text)
		return "", false, false
	}
	p.included += len(text)
	return text, mdx, true
}

// includeFile returns the blocks of a part of a file, see include.
func (p *parser) includeFile(f dialect.File, props map[string]any, t *tag) []Block {
	text, mdx, found := p.file(f, t)
	if !found {
		return nil
	}
	values := map[string]any{"props": props}
	maps.Copy(values, props) // as some generators name them
	return p.textOf(f.Name, text, mdx, values, t, true)
}

// textOf returns the blocks of a text in place of a tag. The text of a file shows no further
// files. One that the front matter or a template of the page gives is like text of the page.
func (p *parser) textOf(name, text string, mdx bool, values map[string]any, t *tag, ofFile bool) []Block {
	options := Options{MDX: mdx, Dialect: p.options.Dialect, Include: p.options.Include}
	if ofFile {
		options.Include = func(string) (string, bool, bool) { return "", false, false }
	}
	inner := newParser(text, options)
	inner.files, inner.doc.Included = p.files, slices.Clip(p.doc.Included)
	inner.values, inner.anchors, inner.included, inner.searched, inner.within = values, p.anchors, p.included, p.searched, p.within+1
	inner.parse()
	p.anchors, p.included, p.searched, p.anchored = inner.anchors, inner.included, inner.searched, append(p.anchored, inner.anchored...)
	inner.doc.moveTo(t.pos)
	if !ofFile {
		for _, media := range inner.shown {
			p.show(media.address, t.pos)
		}
		p.files, p.doc.Included = inner.files, inner.doc.Included
	}
	for _, n := range inner.notices.Sorted(inner.doc.place) {
		p.notice(n.Kind, t.pos, reference.Plain(name)+": "+n.Text)
	}
	for _, note := range inner.footnoted {
		note.block, note.said = nil, inlineSource{} // already parsed
		note.footnote.Number += len(p.footnoted)
	}
	p.footnoted = append(p.footnoted, inner.footnoted...)
	p.doc.Footnotes = append(p.doc.Footnotes, inner.doc.Footnotes...)
	return inner.doc.Blocks
}

// maxDefined limits the nesting of definitions in front matter.
const maxDefined = 4

// defined returns the blocks that the front matter or a template gives for a mark.
func (p *parser) defined(t *tag) ([]Block, bool) {
	if t.mark != nil && t.mark.Include != nil && !t.mark.Code {
		return p.includeFile(*t.mark.Include, nil, t), true
	}
	if t.mark == nil || !t.mark.LeftOut || p.within == maxDefined {
		return nil, false
	}
	text, found := p.values[t.mark.Info].(string)
	if p.included += len(text); !found || p.included > MaxIncluded {
		return nil, false
	}
	return p.textOf(t.mark.Info, text, false, p.values, t, false), true
}

func (d *Document) moveTo(pos Pos) {
	d.Walk(func(n Node) bool {
		n.(interface{ move(to Pos) }).move(pos)
		return true
	})
}

// Embed returns blocks of another page as a quotation at the position of a paragraph.
func Embed(blocks []Block, below *Paragraph) *Quote {
	(&Document{Blocks: blocks}).moveTo(below.pos)
	return &Quote{below.at, blocks, true}
}

// includeInline is include in a line of text, which can only show paragraphs.
func (p *parser) includeInline(t *tag, blocks []Block) (nodes []Inline) {
	for _, b := range blocks {
		paragraph, ok := b.(*Paragraph)
		switch {
		case !ok:
			p.notice(NotInLine, t.pos, t.text)
			continue
		case len(nodes) > 0:
			nodes = append(nodes, &Break{at{t.pos}, true})
		}
		nodes = append(nodes, paragraph.Inlines...)
	}
	return nodes
}

// gatherHeadings sorts the headings in reading order.
func (d *Document) gatherHeadings() {
	d.headings = d.headings[:0]
	d.Walk(func(n Node) bool {
		if h, ok := n.(*Heading); ok {
			d.headings = append(d.headings, h)
		}
		return true
	})
}
