package inline

import (
	"strconv"
	"strings"
	"unicode"
)

// Anchors gives the headings of a document fragments that differ. Its zero
// value has given none.
type Anchors struct {
	used map[string]int // how often an anchor was given
}

// Unused returns the anchor of a heading with that text, see [Anchor]. One that
// was given before gets a number.
func (a *Anchors) Unused(text string) string {
	if a.used == nil {
		a.used = map[string]int{}
	}
	slug := Anchor(text)
	anchor := slug
	for {
		if _, taken := a.used[anchor]; !taken {
			a.used[anchor] = 0
			return anchor
		}
		a.used[slug]++
		anchor = slug + "-" + strconv.Itoa(a.used[slug])
	}
}

// Anchor returns the anchor of a heading with that text as GitHub makes it:
// letters, digits, hyphens and underscores stay, in lower case, spaces become
// hyphens, the rest goes.
func Anchor(text string) string { return strings.Map(anchorRune, text) }

func anchorRune(r rune) rune {
	switch {
	case r == ' ':
		return '-'
	case r == '-', r == '_', unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r):
		return unicode.ToLower(r)
	}
	return -1
}

// CutAnchor divides the text of a heading from the braces at its end, if these
// hold an anchor its author gave: {#anchor}, {: #anchor} or {/*anchor*/}. For MDX, a
// backslash may stand before them. Inside is all that they hold.
func CutAnchor(text string) (rest, anchor, inside string) {
	if !strings.HasSuffix(text, "}") {
		return text, "", ""
	}
	open := strings.LastIndexByte(text, '{')
	if open < 0 {
		return text, "", ""
	}
	inside = text[open+1 : len(text)-1]
	if comment, ok := strings.CutPrefix(inside, "/*"); ok && strings.HasSuffix(comment, "*/") {
		comment = strings.TrimPrefix(strings.TrimSpace(strings.TrimSuffix(comment, "*/")), "#")
		if comment != "" && !strings.ContainsFunc(comment, func(r rune) bool { return r <= ' ' || r == '*' || r == '/' }) {
			return strings.TrimSuffix(text[:open], `\`), comment, ""
		}
	}
	for _, field := range strings.Fields(strings.TrimPrefix(inside, ":")) {
		if len(field) > 1 && field[0] == '#' {
			return strings.TrimSuffix(text[:open], `\`), field[1:], inside
		}
	}
	return text, "", ""
}

// spanAttributes returns the width of attributes that kramdown gives what stands
// right before them in a line, as in *text*{:.red}, or 0.
func (p *Tokenizer) spanAttributes(rest string) int {
	if p.pos == 0 || p.plain != p.pos || !strings.HasPrefix(rest, "{:") || strings.IndexByte("`*_~>)", p.text[p.pos-1]) < 0 {
		return 0
	}
	end := strings.IndexAny(rest[:min(len(rest), 256)], "}\n")
	if end < 0 || rest[end] == '\n' {
		return 0
	}
	return end + 1
}

// PlainText returns a text without its marks and tags, as anchors are made of
// it.
func (p *Tokenizer) PlainText(text string) string {
	var b strings.Builder
	for _, t := range p.Parse(text) {
		piece := text[t.Start:t.End]
		switch t.Kind {
		case Plain, Code, Autolink:
			b.WriteString(piece)
		case Entity:
			decoded, _ := ScanEntity(piece)
			b.WriteString(decoded)
		case Break, HardBreak:
			b.WriteByte(' ')
		}
	}
	return b.String()
}
