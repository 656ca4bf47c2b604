package inline

import "strings"

// rawTag returns the width of a Liquid tag at the start of a text, such as {%- raw -%}, or 0.
func rawTag(s, name string) int {
	const longest = 24
	tag, isTag := strings.CutPrefix(s[:min(len(s), longest)], "{%")
	inside, _, found := strings.Cut(tag, "%}")
	if !found || !isTag || strings.Trim(inside, " \t-") != name {
		return 0
	}
	return len("{%") + len(inside) + len("%}")
}

// raw returns the width of {% raw %} at the current position if {% endraw %} follows, or of the
// latter. There are no expressions between them.
func (p *Tokenizer) raw(rest string) int {
	if p.pos == p.rawEnd && p.pos > 0 {
		return rawTag(rest, "endraw")
	}
	width := rawTag(rest, "raw")
	if width == 0 || p.pos < p.rawEnd || p.Scan.Spent() {
		return 0
	}
	for at := width; at < len(rest); at += 2 {
		next := strings.Index(rest[at:], "{%")
		if next < 0 {
			break
		}
		if at += next; rawTag(rest[at:], "endraw") > 0 {
			p.rawEnd = p.pos + at
			return width
		}
	}
	p.Scan.Spend(len(rest))
	return 0
}
