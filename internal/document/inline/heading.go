package inline

import (
	"cmp"
	"strconv"
	"strings"
	"unicode"
)

// Anchors generates unique fragments for headings. The zero value is ready to use.
type Anchors struct {
	Of     func(text string) string // nil for [Anchor]
	Number string                   // before the number of a duplicate, "" for a hyphen
	used   map[string]int           // number of uses per anchor
}

// Unused returns the anchor of a heading text. A duplicate gets a number.
func (a *Anchors) Unused(text string) string {
	if a.used == nil {
		a.used = map[string]int{}
	}
	slug := Anchor(text)
	if a.Of != nil {
		slug = a.Of(text)
	}
	anchor := slug
	for {
		if _, taken := a.used[anchor]; !taken {
			a.used[anchor] = 0
			return anchor
		}
		a.used[slug]++
		anchor = slug + cmp.Or(a.Number, "-") + strconv.Itoa(a.used[slug])
	}
}

// Anchor returns the anchor of a heading text as on GitHub: letters, digits, hyphens and
// underscores in lower case, spaces as hyphens, nothing else.
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

// CutAnchor splits the braces off the end of a heading if they contain an anchor: {#anchor},
// {: #anchor}, {/*anchor*/} or, of sites of Vue, %{#anchor}%. In MDX, a backslash may
// precede them. inside is their content. So do :id=anchor of Docsify and [#anchor] of Nextra.
func CutAnchor(text string) (rest, anchor, inside string) {
	if rest, anchor, found := strings.Cut(text, " :id="); found && anchor != "" && !strings.ContainsAny(anchor, " `\"") {
		return rest, anchor, ""
	}
	if start := strings.LastIndex(text, " [#"); start > 0 && strings.HasSuffix(text, "]") && !strings.ContainsAny(text[start+len(" [#"):len(text)-1], " []`\"") && start+len(" [#]") < len(text) {
		return text[:start], text[start+len(" [#") : len(text)-1], "" // of Nextra
	}
	if start := strings.LastIndex(text, "%{#"); start >= 0 && strings.HasSuffix(text, "}%") {
		if _, anchor, inside = CutAnchor(text[start+1 : len(text)-1]); anchor != "" {
			return text[:start], anchor, inside
		}
	}
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

// spanAttributes returns the width of kramdown attributes for the preceding span, as in
// *text*{:.red}, or 0.
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

// PlainText strips marks and tags from a text, for anchors.
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
