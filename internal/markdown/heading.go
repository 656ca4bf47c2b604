package markdown

import (
	"bytes"
	"html"
	"strconv"
	"strings"
	"unicode"
)

// Heading is a heading of Markdown. Anchor is the fragment under which GitHub
// would offer it, unique in its content, or the one that its author gave by
// {#anchor}.
type Heading struct {
	Level  int // 1 to 6
	Text   string
	Anchor string
}

// Headings returns the headings of content in reading order.
func Headings(content []byte, format Format) []Heading {
	return headings(content, format, func(Heading) bool { return true })
}

// FirstHeading returns the first heading of content that has any text.
func FirstHeading(content []byte, format Format) (Heading, bool) {
	found := headings(content, format, func(h Heading) bool { return h.Text == "" })
	if len(found) == 0 || found[len(found)-1].Text == "" {
		return Heading{}, false
	}
	return found[len(found)-1], true
}

// headings gathers headings for as long as more are wanted.
func headings(content []byte, format Format, more func(Heading) bool) []Heading {
	doc := parse(content, format)
	h := headingList{inlines: inlines{doc: doc, scan: newBudget(len(content))}, used: map[string]int{}, more: more}
	h.block(doc.root)
	return h.found
}

type headingList struct {
	inlines inlines
	used    map[string]int // how often an anchor was given
	more    func(Heading) bool
	found   []Heading
}

func (l *headingList) block(b *block) bool {
	if b.kind == headingBlock {
		text, anchor := customAnchor(b.text)
		h := Heading{Level: b.level, Text: plainLabel(l.inlines.plainText(text)), Anchor: anchor}
		if h.Anchor == "" {
			h.Anchor = l.unused(slug(h.Text))
		}
		l.found = append(l.found, h)
		return l.more(h)
	}
	for child := b.first; child != nil; child = child.next {
		if !l.block(child) {
			return false
		}
	}
	return true
}

// customAnchor divides a heading from the {#anchor} at its end.
func customAnchor(text []byte) (rest []byte, anchor string) {
	open := bytes.LastIndexByte(text, '{')
	if open < 0 || !bytes.HasSuffix(text, []byte("}")) {
		return text, ""
	}
	for _, field := range bytes.Fields(text[open+1 : len(text)-1]) {
		if len(field) > 1 && field[0] == '#' {
			return text[:open], string(field[1:])
		}
	}
	return text, ""
}

// unused gives a slug a number if it was given before.
func (l *headingList) unused(slug string) string {
	anchor := slug
	for {
		if _, taken := l.used[anchor]; !taken {
			l.used[anchor] = 0
			return anchor
		}
		l.used[slug]++
		anchor = slug + "-" + strconv.Itoa(l.used[slug])
	}
}

// slug makes an anchor of a heading as GitHub does: letters, digits, hyphens
// and underscores stay, in lower case, spaces become hyphens, the rest goes.
func slug(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-', r == '_', unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r):
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}

// plainText returns the text of a heading or paragraph without its marks.
func (p *inlines) plainText(text []byte) []byte {
	out := make([]byte, 0, len(text))
	for _, t := range p.parse(text) {
		piece := text[t.start:t.end]
		switch t.kind {
		case textToken, codeToken, autolinkToken:
			out = append(out, piece...)
		case entityToken:
			out = append(out, html.UnescapeString(string(piece))...)
		case breakToken:
			out = append(out, ' ')
		}
	}
	return out
}
