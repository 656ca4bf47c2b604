package markdown

import (
	"bytes"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// module passes over an import or export of MDX at the start of a line, up to
// the next blank line outside brackets, and reports whether there was one.
func (p *blockParser) module() bool {
	if p.tip().kind == paragraphBlock || p.tip().literal() {
		return false
	}
	width := inline.ScanModule(p.src[p.pos:], &p.scan)
	if width == 0 {
		return false
	}
	p.closeTo(0)
	p.pos += width
	return true
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
			gap := inline.Blanks(s[total:])
			if total+gap == len(s) || s[total+gap] != '<' {
				return total
			}
			_, width := inline.ScanTag(s[total+gap:], true, &p.scan)
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
	return p.takeLines(matched, tagBlock, func(s []byte) int { return inline.ScanExpression(s, &p.scan) })
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
	last := end + inline.Blanks(p.src[end:])
	if last < len(p.src) && p.src[last] != '\n' && p.src[last] != '\r' {
		p.scan.Spend(width)
		return no
	}
	p.pos = end // and over the rest of the line, which is blank
	p.nextLine()
	return p.addLeaf(matched, block{kind: kind, text: p.src[start:end]})
}
