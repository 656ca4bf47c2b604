package inline

import (
	"unicode"
	"unicode/utf8"
)

// maxRun limits the length of delimiter runs; longer ones are text.
const maxRun = 100

// run is a delimiter run of *, _ or ~; each delimiter is a token. The unmatched ones are
// tokens[first : first+length].
type run struct {
	first, length     int
	original          int // length before any match
	mark              byte
	canOpen, canClose bool
	previous, next    int32 // indexes of other unmatched runs
}

// run parses a delimiter run.
func (p *Tokenizer) run(rest string) {
	mark := rest[0]
	n := RunLength(rest, mark)
	canOpen, canClose := p.flanks(mark, n)
	if !canOpen && !canClose || n > maxRun || mark == '~' && n > 2 {
		p.pos += n
		return
	}
	p.flush()
	first := len(p.tokens)
	for range n {
		p.emit(Plain, 1)
	}
	p.runs = append(p.runs, run{first: first, length: n, original: n, mark: mark, canOpen: canOpen, canClose: canClose})
}

// flanks reports whether a delimiter run can open and close emphasis (CommonMark section 6.2).
// Next to Chinese, Japanese or Korean, which has no spaces between words, full-width
// punctuation counts as a letter, and a letter as a word boundary next to other
// punctuation.
func (p *Tokenizer) flanks(mark byte, n int) (canOpen, canClose bool) {
	before, after := ' ', ' '
	if p.pos > 0 {
		before, _ = utf8.DecodeLastRuneInString(p.text[max(0, p.pos-utf8.UTFMax):p.pos])
	}
	if p.pos+n < len(p.text) {
		after, _ = utf8.DecodeRuneInString(p.text[p.pos+n:])
	}
	spaceBefore, spaceAfter := unicode.IsSpace(before), unicode.IsSpace(after)
	punctBefore, punctAfter := isPunctuation(before), isPunctuation(after)
	wideBefore, wideAfter := p.CJK && isWide(before), p.CJK && isWide(after)
	left := !spaceAfter && (!punctAfter || wideAfter || spaceBefore || punctBefore || wideBefore)
	right := !spaceBefore && (!punctBefore || wideBefore || spaceAfter || punctAfter || wideAfter)
	if mark == '_' {
		return left && (!right || punctBefore), right && (!left || punctAfter)
	}
	return left, right
}

// isWide reports whether a character is Chinese, Japanese or Korean, including punctuation and
// full-width forms.
func isWide(r rune) bool {
	return r >= 0x1100 && (r <= 0x11FF || r >= 0x2E80 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Bopomofo) ||
		r >= 0x3000 && r <= 0x303F || r >= 0x30FB && r <= 0x30FC || r >= 0xFE30 && r <= 0xFE4F || r >= 0xFF00 && r <= 0xFFEF)
}

func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return IsPunct(byte(r))
	}
	return unicode.IsPunct(r) || unicode.IsSymbol(r)
}

// pairRuns matches the runs from the given one on and removes them. The next run like one
// without a match stops at the same floor, which keeps the algorithm linear.
func (p *Tokenizer) pairRuns(from int) {
	runs := p.runs[from:]
	for i := range runs {
		runs[i].previous, runs[i].next = int32(i)-1, int32(i)+1
	}
	var floors [3 * 2 * 3]int32 // index below which there is no opener, by kind of closer
	for closing := int32(0); closing < int32(len(runs)); {
		c := &runs[closing]
		if !c.canClose {
			closing = c.next
			continue
		}
		floor := &floors[c.key()]
		opening := c.previous
		for opening >= *floor && !runs[opening].matches(c) {
			opening = runs[opening].previous
		}
		if opening < *floor {
			*floor = closing
			if !c.canOpen {
				remove(runs, closing)
			}
			closing = c.next
			continue
		}
		p.pair(&runs[opening], c)
		runs[opening].next, c.previous = closing, opening
		if runs[opening].length == 0 {
			remove(runs, opening)
		}
		if c.length == 0 {
			remove(runs, closing)
			closing = c.next
		}
	}
	p.runs = p.runs[:from]
}

// key identifies closing runs to which the same rules apply.
func (r *run) key() int {
	kind := 0
	switch r.mark {
	case '_':
		kind = 1
	case '~':
		kind = 2
	}
	if r.canOpen {
		kind += 3
	}
	return kind*3 + r.original%3
}

// matches reports whether r can open what c closes.
func (r *run) matches(c *run) bool {
	if r.mark != c.mark || !r.canOpen {
		return false
	}
	if r.mark == '~' {
		return r.length == c.length
	}
	both := r.canClose || c.canOpen
	return !both || c.original%3 == 0 || (r.original+c.original)%3 != 0
}

// pair makes the innermost delimiters of two runs opening and closing tokens.
func (p *Tokenizer) pair(opening, closing *run) {
	n, first, last := 1, Emphasis, EmphasisEnd
	if opening.length >= 2 && closing.length >= 2 {
		n, first, last = 2, Strong, StrongEnd
	}
	if opening.mark == '~' {
		n, first, last = opening.length, Deleted, DeletedEnd
	}
	opening.length -= n
	for i := range n {
		p.tokens[opening.first+opening.length+i].Kind = Spent
		p.tokens[closing.first+i].Kind = Spent
	}
	p.tokens[opening.first+opening.length].Kind = first
	p.tokens[closing.first+n-1].Kind = last
	closing.first += n
	closing.length -= n
}

// remove unlinks a run.
func remove(runs []run, i int32) {
	r := &runs[i]
	if r.previous >= 0 {
		runs[r.previous].next = r.next
	}
	if int(r.next) < len(runs) {
		runs[r.next].previous = r.previous
	}
}
