package document

import "strings"

// bracket is a [ or ![ that may turn out to open a link or image.
type bracket struct {
	token    int32
	pos      int32 // after the bracket
	runs     int32 // length of inlines.runs before it
	image    bool
	inactive bool // a link may not contain links
	nested   bool // brackets follow, so that its text is no label
}

// open notes a bracket of n bytes that may open a link or image.
func (p *inlines) open(n int) {
	if len(p.brackets) > 0 {
		p.brackets[len(p.brackets)-1].nested = true
	}
	p.emit(textToken, n)
	p.brackets = append(p.brackets, bracket{token: int32(len(p.tokens) - 1), pos: int32(p.pos), image: n == 2, runs: int32(len(p.runs))})
}

// close takes a closing bracket, and the link or image that it ends if it
// does.
func (p *inlines) close() {
	if len(p.brackets) == 0 {
		p.pos++
		return
	}
	opener := p.brackets[len(p.brackets)-1]
	p.brackets = p.brackets[:len(p.brackets)-1]
	p.linked = min(p.linked, len(p.brackets))
	if opener.inactive {
		p.pos++
		return
	}
	to, width, found := p.target(opener)
	if !found {
		if p.isFootnote(opener) {
			p.tokens = append(p.tokens[:opener.token], token{kind: footnoteToken, start: opener.pos + 1, end: int32(p.pos)})
			p.runs = p.runs[:opener.runs]
			p.plain = p.pos + 1
		}
		p.pos++
		return
	}
	first, last := linkToken, linkEndToken
	if opener.image {
		first, last = imageToken, imageEndToken
	}
	p.tokens[opener.token].kind = first
	p.tokens[opener.token].index = int32(len(p.targets))
	p.emit(last, 1+width)
	to.attributes = p.attributesBehind()
	p.targets = append(p.targets, to)
	p.pairRuns(int(opener.runs))
	if !opener.image {
		for ; p.linked < len(p.brackets); p.linked++ {
			around := &p.brackets[p.linked]
			around.inactive = !around.image
		}
	}
}

// target reads what follows the closing bracket at the current place, and
// returns where the link leads and the width of what was read.
func (p *inlines) target(opener bracket) (to target, width int, found bool) {
	rest := p.text[p.pos+1:]
	if strings.HasPrefix(rest, "(") && p.p.scan.left >= 0 {
		if to, width = p.inlineTarget(rest); width > 0 {
			return to, width, true
		}
	}
	label, used := "", 0
	if strings.HasPrefix(rest, "[") {
		label, used = scanLabel(rest)
	}
	if used <= 2 {
		label = p.text[opener.pos:p.pos]
		if opener.nested || len(label) > maxLabel {
			return target{}, 0, false
		}
	}
	if len(p.p.references) == 0 {
		return target{}, 0, false
	}
	ref, defined := p.p.references[foldLabel(label)]
	if !defined {
		return target{}, 0, false
	}
	if p.p.room -= len(ref.destination) + len(ref.title); p.p.room < 0 {
		return target{}, 0, false
	}
	return target{destination: ref.destination, title: ref.title}, used, true
}

// inlineTarget reads (destination "title"); width is 0 when it is none.
func (p *inlines) inlineTarget(s string) (to target, width int) {
	i := 1 + spaces(s[1:])
	destination, n := scanDestination(s[i:])
	if n == 0 {
		if i < len(s) && s[i] == ')' {
			return target{}, i + 1
		}
		p.p.scan.spend(destinationReach(s[i:]))
		return target{}, 0
	}
	to.destination = destination
	i += n
	gap := spaces(s[i:])
	if gap > 0 {
		if title := scanTitle(s[i+gap:]); title > 0 {
			to.title = s[i+gap+1 : i+gap+title-1]
			i += gap + title
			gap = spaces(s[i:])
		} else if i+gap < len(s) && strings.IndexByte("\"'(", s[i+gap]) >= 0 {
			p.p.scan.spend(len(s) - i)
		}
	}
	i += gap
	if i >= len(s) || s[i] != ')' {
		p.p.scan.spend(i)
		return target{}, 0
	}
	return to, i + 1
}

// destinationReach bounds how far a scan for a destination has gone in vain.
func destinationReach(s string) int {
	end := strings.IndexAny(s, " \t\n")
	if strings.HasPrefix(s, "<") {
		end = strings.IndexAny(s, "\n>")
	}
	if end < 0 {
		return len(s)
	}
	return end
}

// isFootnote reports whether the brackets name a footnote that is defined.
func (p *inlines) isFootnote(opener bracket) bool {
	label := p.text[opener.pos:p.pos]
	if len(p.p.footnotes) == 0 || opener.image || len(label) < 2 || label[0] != '^' || len(label) > maxLabel || strings.ContainsAny(label, " \t\n") {
		return false
	}
	return p.p.footnotes[foldLabel(label[1:])] != nil
}

// attributesBehind takes the attributes behind a link or image of Markdown, as
// in ![](map.png){width=300}.
func (p *inlines) attributesBehind() Attributes {
	rest := p.text[p.pos:]
	if p.p.mdx || p.p.inHeading || !strings.HasPrefix(rest, "{") {
		return nil
	}
	end := strings.IndexAny(rest[:min(len(rest), 256)], "}\n")
	if end < 0 || rest[end] != '}' {
		return nil
	}
	attributes, ok := parseAttributes(rest[1:end])
	if !ok {
		return nil
	}
	p.pos += end + 1
	p.plain = p.pos
	return attributes
}
