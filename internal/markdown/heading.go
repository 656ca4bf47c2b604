package markdown

import (
	"bytes"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
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
	if h, ok := LeadingHeading(content); ok {
		return h, true
	}
	return firstHeading(content, format)
}

// LeadingHeading returns the first heading where content begins with it and its
// line alone tells it, whatever follows and in either format. Where it finds
// none FirstHeading may find one still.
func LeadingHeading(content []byte) (Heading, bool) {
	line := bytes.TrimLeft(content, "\r\n")
	if len(line) == 0 || line[0] != '#' {
		return Heading{}, false
	}
	if end := bytes.IndexAny(line, "\r\n"); end >= 0 {
		line = line[:end]
	}
	if bytes.ContainsAny(line, "[<{") { // may refer to what follows, or mean something else in MDX
		return Heading{}, false
	}
	if h, ok := wordsHeading(line); ok {
		return h, true
	}
	return firstHeading(line, Markdown)
}

// wordsHeading returns the heading that a line of nothing but words is, as most
// are: there is nothing in it to be divided.
func wordsHeading(line []byte) (Heading, bool) {
	text := bytes.TrimLeft(line, "#")
	level := len(line) - len(text)
	if level > 6 || len(text) == 0 || text[0] != ' ' {
		return Heading{}, false
	}
	for _, c := range text {
		if c != ' ' && c != '-' && c != ',' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return Heading{}, false
		}
	}
	label := plainLabel(text)
	return Heading{Level: level, Text: label, Anchor: inline.Anchor(label)}, label != ""
}

// firstHeading divides all of content into blocks.
func firstHeading(content []byte, format Format) (Heading, bool) {
	found := headings(content, format, func(h Heading) bool { return h.Text == "" })
	if len(found) == 0 || found[len(found)-1].Text == "" {
		return Heading{}, false
	}
	return found[len(found)-1], true
}

// headings gathers headings for as long as more are wanted.
func headings(content []byte, format Format, more func(Heading) bool) []Heading {
	doc := parse(content, format)
	h := headingList{text: doc.tokenizer(), more: more}
	h.block(doc.root)
	return h.found
}

type headingList struct {
	text    inline.Tokenizer[[]byte]
	anchors inline.Anchors
	more    func(Heading) bool
	found   []Heading
}

func (l *headingList) block(b *block) bool {
	if b.kind == headingBlock {
		text, anchor, _ := inline.CutAnchor(b.text)
		h := Heading{Level: b.level, Text: plainLabel([]byte(l.text.PlainText(text))), Anchor: anchor}
		if h.Anchor == "" {
			h.Anchor = l.anchors.Unused(h.Text)
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
