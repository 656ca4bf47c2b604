package document

import (
	"strings"
	"unicode"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// admonition is a container between lines of colons, as Docusaurus, VitePress
// and Starlight have it: ":::note Title". One that ends with colons too, ":::note
// Text :::", is a line of its own.
type admonition struct {
	colons     int
	name       string // in lower case
	written    string
	title      inlineSource
	text       inlineSource // of one on a line of its own
	attributes Attributes
	line       bool // it is a line of its own
	closed     bool // by its mark
	mdx        bool // of "::: v-pre": whether what is around is MDX
}

// admonition reads the line that opens one.
func (p *parser) admonition(line string, at int) (*admonition, bool) {
	own := &admonition{colons: inline.RunLength(line, ':')}
	offset := own.colons + inline.Blanks(line[own.colons:])
	n := 0
	for offset+n < len(line) && (inline.IsLetter(line[offset+n]) || n > 0 && (inline.IsDigit(line[offset+n]) || line[offset+n] == '-' || line[offset+n] == '_')) {
		n++
	}
	if own.colons < 3 || offset == len(line) || n == 0 && !strings.HasPrefix(line[offset:], "{.") {
		return nil, false
	}
	own.written = line[offset : offset+n]
	offset += n
	rest := strings.TrimRight(line[offset:], " \t")
	if text := strings.TrimRight(rest, ":"); len(rest)-len(text) >= 3 {
		own.line, rest = true, strings.TrimRight(text, " \t")
	}
	if strings.HasPrefix(rest, "[") {
		if end := closingBracket(rest); end > 0 {
			own.title = plainSource(rest[1:end], Pos(at+offset+1))
			offset += end + 1
			rest = rest[end+1:]
		}
	}
	if open := strings.LastIndexByte(rest, '{'); open >= 0 && strings.HasSuffix(rest, "}") {
		if attributes, ok := attribute.Parse(rest[open+1:len(rest)-1], true); ok {
			own.attributes, rest = attributes, rest[:open]
		}
	} else if attributes, ok := attribute.Parse(rest, false); ok && strings.HasSuffix(rest, `"`) {
		own.attributes, rest = attributes, ""
	}
	if rest != "" && !inline.IsBlank(rest[0]) {
		return nil, false
	}
	class, _, _ := strings.Cut(own.attributes.String("class"), " ")
	if n == 0 { // ::: {.note}, as Pandoc has it
		if own.written = strings.TrimPrefix(class, "callout-"); class == "" {
			return nil, false
		}
	}
	own.name = strings.ToLower(own.written)
	text := plainSource(strings.TrimSpace(rest), Pos(at+offset+inline.Blanks(rest)))
	switch {
	case own.line:
		own.text = text
	case text.text != "" && own.title.text == "":
		own.title = text
	case own.title.text == "":
		if title := own.attributes.String("title"); title != "" {
			own.title = plainSource(title, Pos(at))
		}
	}
	own.line = own.line || strings.HasSuffix(own.name, "-end")
	return own, true
}

// transparent are the names of containers that tell how what they hold is read or
// where it stands. It is shown as if they were not there.
var transparent = map[string]bool{
	"v-pre": true, "raw": true, "row": true, "zone": true, "moniker": true, "center": true, "left": true, "right": true, "image": true,
}

// container adds what an admonition holds.
func (p *parser) container(own *admonition, b *block, a *assembler) {
	pos := Pos(b.pos)
	if own.line {
		a.blocks(p.containerLine(own, pos))
		return
	}
	title := p.inline(own.title)
	mdx := p.mdx
	p.readMDX(mdx && own.name != "v-pre")
	blocks := p.blocks(b, false)
	p.readMDX(mdx)
	if transparent[own.name] {
		if len(title) > 0 {
			a.block(&Paragraph{at{pos}, false, []Inline{&Strong{at{pos}, title}}})
		}
		a.blocks(blocks)
		return
	}
	c := calloutOf(own.written, title, own.attributes, blocks, pos)
	if id := own.attributes.String("id"); id != "" && (c.Kind == Callout || c.Kind == Accordion) {
		a.block(&Element{at{pos}, "div", Attributes{{Name: "id", Value: id}}, []Block{c}})
		return
	}
	a.block(c)
}

func (p *parser) readMDX(mdx bool) { p.mdx, p.tokens.MDX = mdx, mdx }

// containerLine returns what a container shows that is a line of its own: an
// image or a link to what it names, or what it says.
func (p *parser) containerLine(own *admonition, pos Pos) []Block {
	paragraph := func(inlines ...Inline) []Block { return []Block{&Paragraph{at{pos}, false, inlines}} }
	source := own.attributes.String("source", "src")
	label := own.attributes.String("alt-text", "alt", "title")
	line := plainSource(firstLine(p.source[pos:]), pos)
	switch {
	case source != "" && own.name == "image":
		p.show(source, pos)
		p.addPlace(Place{Kind: ShownPlace, Address: source}, &line, max(0, strings.Index(line.text, source)), source)
		return paragraph(&Image{at{pos}, source, label, "", nil})
	case source != "":
		p.addPlace(Place{Kind: LinkPlace, Address: source}, &line, max(0, strings.Index(line.text, source)), source)
		if label == "" {
			label = source
		}
		return paragraph(&Link{at: at{pos}, Href: source, Embedded: true, Inlines: []Inline{&Text{at{pos}, label}}})
	case own.text.text == "" && own.title.text == "":
		return nil // a mark between parts of a page
	}
	title := p.inline(own.title)
	var blocks []Block
	if own.text.text != "" {
		blocks = paragraph(p.inline(own.text)...)
	}
	if transparent[own.name] {
		return blocks
	}
	return []Block{calloutOf(own.written, title, own.attributes, blocks, pos)}
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
	own := b.own.(*admonition)
	colons := inline.RunLength(d.ahead(), ':')
	behind := strings.TrimSpace(strings.TrimRight(d.ahead()[colons:], ": \t"))
	named := behind != "" && strings.ToLower(behind) == own.name+"-end" // :::zone-end
	if colons < own.colons || behind != "" && !named {
		return false
	}
	for _, inside := range d.open[number+1:] {
		if inside.fenced {
			return false
		}
		if inner, ok := inside.own.(*admonition); ok && !named && colons >= inner.colons && (colons == inner.colons || colons != own.colons) || ok && named && inner.name == own.name {
			return false
		}
	}
	own.closed = true
	return true
}

// finishAdmonition completes one. What nothing closes ends before a heading, so
// that it does not hold the rest of the page.
func (d *divider) finishAdmonition(b *block) {
	own := b.own.(*admonition)
	if own.name == "v-pre" {
		d.mdx = own.mdx
	}
	if own.closed || own.line {
		return
	}
	d.notice(Unclosed, Pos(b.pos), firstLine(d.source[b.pos:]))
	around := d.open[len(d.open)-2]
	for c := b.first; c != nil && c.next != nil; c = c.next {
		if c.next.kind == headingBlock {
			b.next, around.last, b.last, c.next = c.next, b.last, c, nil
			return
		}
	}
}

// alert takes "[!NOTE]" from the start of a quotation, where GitHub and
// Obsidian have the kind of an admonition, and a title behind it. It returns
// the offset at which the text goes on.
func alert(s string) (name, title string, width int) {
	line, found := strings.CutPrefix(firstLine(s), "[!")
	kind, rest, closed := strings.Cut(line, "]")
	name, _, _ = strings.Cut(kind, "|") // Obsidian's metadata
	if !found || !closed || name == "" || strings.HasPrefix(rest, "(") || strings.HasPrefix(rest, "[") || strings.ContainsFunc(name, notOfKind) {
		return "", "", 0
	}
	title = strings.TrimSpace(strings.TrimLeft(rest, "+-"))
	return name, title, min(len("[!")+len(line)+1, len(s))
}

// notOfKind reports whether a character is none of the name of a kind of callout.
func notOfKind(r rune) bool {
	return r != '-' && r != '_' && !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r)
}
