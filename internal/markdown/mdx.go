package markdown

import "bytes"

// module passes over an import or export of MDX at the start of a line, up to
// the next blank line outside brackets, and reports whether there was one.
func (p *blockParser) module() bool {
	if !startsModule(p.src[p.pos:]) || p.tip().kind == paragraphBlock || p.tip().literal() {
		return false
	}
	depth, first := 0, -1 // first is where the first blank line starts
	rest := p.src[p.pos:]
	rest = rest[:min(len(rest), maxExpression)]
	i := 0
	for i < len(rest) && p.scan.left >= 0 {
		line := rest[i:]
		if end := bytes.IndexByte(line, '\n'); end >= 0 {
			line = line[:end+1]
		}
		if len(bytes.TrimSpace(line)) == 0 {
			if depth <= 0 {
				break
			}
			if first < 0 {
				first = i
			}
		}
		for _, c := range line {
			switch c {
			case '{', '(', '[':
				depth++
			case '}', ')', ']':
				depth--
			}
		}
		i += len(line)
	}
	if depth > 0 && first >= 0 { // never closed: less of the text is lost so
		p.scan.spend(i)
		i = first
	}
	p.closeTo(0)
	p.pos += i
	return i > 0
}

// startsModule reports whether MDX sees a statement and not a sentence.
func startsModule(s []byte) bool {
	s = s[:min(len(s), 256)]
	if rest, ok := bytes.CutPrefix(s, []byte("import")); ok {
		return startsImport(rest)
	}
	rest, ok := bytes.CutPrefix(s, []byte("export "))
	if !ok {
		return false
	}
	for _, word := range []string{"const ", "let ", "var ", "function ", "function* ", "async ", "default ", "class ", "{", "*"} {
		if bytes.HasPrefix(rest, []byte(word)) {
			return true
		}
	}
	return false
}

// startsImport reports whether s goes on as an import does: import 'a',
// import {a}, import * as a, import a from 'b' or import a, {b}.
func startsImport(s []byte) bool {
	trimmed := bytes.TrimLeft(s, " ")
	if len(trimmed) == 0 {
		return false
	}
	if bytes.IndexByte([]byte("\"'{*"), trimmed[0]) >= 0 {
		return true
	}
	n := 0
	for n < len(trimmed) && (isLetter(trimmed[n]) || isDigit(trimmed[n]) || trimmed[n] == '_' || trimmed[n] == '$') {
		n++
	}
	if n == 0 || len(trimmed) == len(s) {
		return false
	}
	after := bytes.TrimLeft(trimmed[n:], " ")
	if after, ok := bytes.CutPrefix(after, []byte(",")); ok {
		after = bytes.TrimLeft(after, " \r\n")
		return len(after) > 0 && (after[0] == '{' || after[0] == '*')
	}
	after, ok := bytes.CutPrefix(after, []byte("from"))
	after = bytes.TrimLeft(after, " ")
	return ok && len(after) > 0 && (after[0] == '"' || after[0] == '\'')
}

// startTag takes the tags of MDX that a line consists of; the last may reach
// over several lines. The children of a component need no block to hold them:
// they are parsed as if its tags were not there. A tag with text on its line is
// part of a paragraph and left to the second step.
func (p *blockParser) startTag(matched int) lineResult {
	if ahead := p.ahead(); bytes.HasPrefix(ahead, []byte("<!--")) {
		p.nest(matched, htmlBlock)
		p.push(block{kind: htmlBlock, length: htmlComment})
		return yes
	}
	return p.takeLines(matched, tagBlock, func(s []byte) int {
		total := 0
		for {
			gap := spacesOnLine(s[total:])
			if total+gap == len(s) || s[total+gap] != '<' {
				return total
			}
			_, width := scanTag(s[total+gap:], true, &p.scan)
			if width == 0 {
				return total
			}
			total += gap + width
		}
	})
}

// startExpression drops an expression of MDX, such as a comment, that stands
// on lines of its own.
func (p *blockParser) startExpression(matched int) lineResult {
	return p.takeLines(matched, tagBlock, func(s []byte) int { return scanExpression(s, &p.scan) })
}

// takeLines makes a block of the source from the current place on, as much as
// scan says, if nothing else stands on its last line.
func (p *blockParser) takeLines(matched int, kind blockKind, scan func([]byte) int) lineResult {
	start := min(p.lf, p.cr) - len(p.ahead())
	width := scan(p.src[start:])
	if width == 0 {
		return no
	}
	end := start + width
	last := end + spacesOnLine(p.src[end:])
	if last < len(p.src) && p.src[last] != '\n' && p.src[last] != '\r' {
		p.scan.spend(width)
		return no
	}
	p.pos = end // and over the rest of the line, which is blank
	p.nextLine()
	return p.addLeaf(matched, block{kind: kind, text: p.src[start:end]})
}

// spacesOnLine returns the width of the blanks that s starts with.
func spacesOnLine(s []byte) int {
	n := 0
	for n < len(s) && isBlankByte(s[n]) {
		n++
	}
	return n
}
