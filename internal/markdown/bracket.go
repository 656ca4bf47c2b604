package markdown

import "bytes"

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
	destination, width := p.target(opener)
	if destination == nil {
		if p.isFootnote(opener) {
			p.tokens = append(p.tokens[:opener.token], token{kind: footnoteToken, start: opener.pos, end: int32(p.pos)})
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
	p.tokens[opener.token].link = int32(len(p.destinations))
	p.destinations = append(p.destinations, destination)
	p.emit(last, 1+width)
	p.pairRuns(int(opener.runs))
	if !opener.image {
		for ; p.linked < len(p.brackets); p.linked++ {
			around := &p.brackets[p.linked]
			around.inactive = !around.image
		}
	}
}

// target reads what follows the closing bracket at the current place. It
// returns the destination as written, nil when this is no link, and the width
// of what follows.
func (p *inlines) target(opener bracket) (destination []byte, width int) {
	rest := p.text[p.pos+1:]
	if len(rest) > 0 && rest[0] == '(' {
		if destination, width = inlineTarget(rest); width > 0 {
			return destination, width
		}
	}
	label, used := []byte(nil), 0
	if len(rest) > 0 && rest[0] == '[' {
		label, used = scanLabel(rest)
	}
	if used <= 2 {
		label = p.text[opener.pos:p.pos]
		if opener.nested || len(label) > maxLabel || len(p.doc.references) == 0 {
			return nil, 0
		}
	}
	if len(p.doc.references) == 0 {
		return nil, 0
	}
	destination = p.doc.references[foldLabel(label)].destination
	if p.doc.room -= len(destination); p.doc.room < 0 {
		return nil, 0
	}
	return destination, used
}

// inlineTarget reads (destination "title"); width is 0 when it is none.
func inlineTarget(s []byte) (destination []byte, width int) {
	i := 1 + spaces(s[1:])
	destination, n := scanDestination(s[i:])
	if n == 0 {
		if i >= len(s) || s[i] != ')' {
			return nil, 0
		}
		return []byte{}, i + 1
	}
	i += n
	gap := spaces(s[i:])
	if gap > 0 {
		if title := scanTitle(s[i+gap:]); title > 0 {
			i += gap + title
			gap = spaces(s[i:])
		}
	}
	i += gap
	if i >= len(s) || s[i] != ')' {
		return nil, 0
	}
	return destination, i + 1
}

// isFootnote reports whether the brackets name a footnote that is defined.
func (p *inlines) isFootnote(opener bracket) bool {
	label := p.text[opener.pos:p.pos]
	if len(p.doc.footnotes) == 0 || opener.image || len(label) < 2 || label[0] != '^' || len(label) > maxLabel || bytes.ContainsAny(label, " \t\n") {
		return false
	}
	return p.doc.footnotes[foldLabel(label[1:])]
}
