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

// extension returns the width of an extension of kramdown at the current position, or 0: of
// {::options a="b" /}, of {::comment} to its end, or of the start or end of {::nomarkdown}, between
// which only tags and entities are read.
func (p *Tokenizer) extension(rest string) int {
	inside, _, closed := strings.Cut(rest[:min(len(rest), 256)], "}")
	width := len(inside) + len("}")
	if p.pos == p.verbatim && p.pos > 0 {
		return width
	}
	name, isExtension := strings.CutPrefix(inside, "{::")
	name, alone := strings.CutSuffix(name, "/")
	name, _, _ = strings.Cut(name, " ")
	content := name == "comment" || name == "nomarkdown"
	switch {
	case !closed || !isExtension || p.MDX || !content && name != "options":
		return 0
	case alone:
		return width
	case !content || p.Scan.Spent():
		return 0
	}
	for at := width; ; at += len("{:/") {
		next := strings.Index(rest[at:], "{:/")
		if next < 0 {
			p.Scan.Spend(len(rest))
			return 0
		}
		at += next
		if behind := strings.TrimPrefix(rest[at+len("{:/"):], name); strings.HasPrefix(behind, "}") {
			if p.verbatim = p.pos + at; name == "comment" {
				return len(rest) - len(behind) + len("}")
			}
			return width
		}
	}
}
