package document

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/inline"
)

// takeLines makes a block of the source from the current place on, as much as
// scan says, if nothing else stands on its last line.
func (d *divider) takeLines(matched int, scan func(string) int, make func(start, end int) block) lineResult {
	start := d.Place()
	width := scan(d.source[start:])
	if width == 0 {
		return no
	}
	end := start + width
	last := end + inline.Blanks(d.source[end:])
	if last < len(d.source) && d.source[last] != '\n' {
		d.scan.Spend(width)
		return no
	}
	d.pos = min(last+1, len(d.source))
	content := make(start, end)
	content.pos = start
	return d.addLeaf(matched, content, segment{start: start, end: end})
}

// startTag takes the tags of MDX that a line consists of; the last may reach
// over several lines. What stands between tags needs no block to hold it: it is
// parsed as if they were not there, and put between them later. A tag with text
// on its line is part of a paragraph.
func (d *divider) startTag(matched int, ahead string) lineResult {
	if strings.HasPrefix(ahead, "<!--") { // which MDX of some generators has
		d.nest(matched, htmlBlock)
		d.push(block{kind: htmlBlock, length: inline.HTMLComment, pos: d.Place()})
		return yes
	}
	return d.takeLines(matched, func(s string) int {
		if width := d.program(s); width > 0 {
			return width
		}
		total := 0
		for {
			gap := inline.Blanks(s[total:])
			if total+gap == len(s) || s[total+gap] != '<' {
				return total
			}
			_, width := inline.ScanTag(s[total+gap:], true, &d.scan)
			if width == 0 {
				return total
			}
			total += gap + width
		}
	}, func(int, int) block { return block{kind: tagBlock} })
}

// startExpression takes an expression of MDX, such as a comment, that stands on
// lines of its own.
func (d *divider) startExpression(matched int) lineResult {
	return d.takeLines(matched,
		func(s string) int { return inline.ScanExpression(s, &d.scan) },
		func(int, int) block { return block{kind: expressionBlock} })
}

// program returns the width of a script or style sheet with its tags, or 0.
func (p *parser) program(s string) int {
	t, width := inline.ScanTag(s, true, &p.scan)
	if width == 0 || t.Closing || t.SelfClosing || t.Name != "script" && t.Name != "style" {
		return 0
	}
	end := strings.Index(s[width:], "</"+t.Name+">")
	if end < 0 {
		p.scan.Spend(len(s))
		return 0
	}
	return width + end + len("</>") + len(t.Name)
}

// tagRun gathers the tags of lines of their own.
func (p *parser) tagRun(b *block, a *assembler) {
	source := p.sourceOf(b)
	s := source.text
	unbounded := inline.NewBudget(len(s)) // the same scan has succeeded before
	for offset := 0; offset < len(s); {
		offset += inline.Spaces(s[offset:])
		if width := p.program(s[offset:]); width > 0 {
			p.notice(ElementOmitted, source.at(offset), s[offset:])
			offset += width
			continue
		}
		t, width := scanTag(s[offset:], true, &unbounded, source.at(offset))
		if width == 0 {
			return
		}
		p.showTag(&t)
		a.tag(&t, false)
		offset += width
	}
}
