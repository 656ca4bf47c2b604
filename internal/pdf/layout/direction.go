package layout

import (
	"slices"
	"unicode"

	"github.com/go-text/typesetting/bidi"
	unicodebidi "golang.org/x/text/unicode/bidi"

	"github.com/octavo-docs/octavo/internal/pdf/font"
)

// firstRightToLeft is the first character of a script from right to left.
const firstRightToLeft = 0x590

// levels returns the level of embedding of each character and that of the
// paragraph; nil when all is from left to right. Code among the spans runs from
// left to right within what is around it, and does not tell the direction of the
// paragraph; mirrored does before its letters.
func (t *Typesetter) levels(text []rune, spans []Span, ends []int, mirrored bool) (levels []uint8, base uint8) {
	if !mirrored && !twoWays(text) {
		return nil, 0
	}
	around := slices.Clone(text)
	from := 0
	for i, end := range ends {
		if spans[i].Style.Font&font.Mono != 0 {
			for at := from; at < end; at++ {
				around[at] = isolated
			}
		}
		from = end
	}
	base = baseLevel(around, mirrored)
	levels = t.embed(around, base)
	from = 0
	for i, end := range ends {
		if spans[i].Style.Font&font.Mono != 0 {
			t.embedCode(text[from:end], levels[from:end])
		}
		from = end
	}
	return levels, base
}

// isolated stands for a character of code while what is around it is arranged.
const isolated = '\ufffc'

// twoWays reports whether some of a text runs from right to left.
func twoWays(text []rune) bool {
	return slices.ContainsFunc(text, func(r rune) bool {
		return r >= firstRightToLeft && runsLeft(r) || r == 0x200f || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
	})
}

// embedCode gives code levels above those that it has as a whole.
func (t *Typesetter) embedCode(text []rune, levels []uint8) {
	var own []uint8
	if twoWays(text) {
		own = t.embed(text, 0)
	}
	for i := range levels {
		levels[i] += levels[i] % 2
		if own != nil {
			levels[i] += own[i]
		}
	}
}

// embed returns the level of each character in a paragraph of that level.
func (t *Typesetter) embed(text []rune, base uint8) []uint8 {
	direction := bidi.LeftToRight
	if base == 1 {
		direction = bidi.RightToLeft
	}
	oneParagraph := slices.Clone(text)
	for i, r := range oneParagraph {
		if unicode.IsControl(r) || r == '\u2029' { // might end it
			oneParagraph[i] = ' '
		}
	}
	runs := t.bidi.Segment(oneParagraph, direction)
	levels := make([]uint8, len(text))
	for i := range runs.NumRuns() {
		run := runs.Run(i)
		for at := run.Start; at < min(run.End, len(levels)); at++ {
			levels[at] = uint8(run.Level)
		}
		if base == 0 && run.Level == 2 {
			lowerTail(text[run.Start:run.End], levels[run.Start:run.End])
		}
	}
	return levels
}

// lowerTail gives text behind a number that follows text from right to left its
// own level: both run from left to right, so the number's level stands for all
// of it, and it would be taken along.
func lowerTail(text []rune, levels []uint8) {
	number := 0
	for at, r := range text {
		properties, _ := unicodebidi.LookupRune(r)
		switch properties.Class() {
		case unicodebidi.EN, unicodebidi.AN:
			number = at + 1
		case unicodebidi.L:
			clear(levels[number:])
			return
		case unicodebidi.LRE, unicodebidi.RLE, unicodebidi.LRO, unicodebidi.RLO, unicodebidi.LRI, unicodebidi.RLI, unicodebidi.FSI:
			return // the author says how
		}
	}
	clear(levels[number:])
}

// baseLevel returns the level of a paragraph: that of what is around it, or on a page
// from left to right that of its first letter.
func baseLevel(text []rune, mirrored bool) uint8 {
	if mirrored {
		return 1
	}
	for _, r := range text {
		if runsLeft(r) || r == '\u200f' {
			return 1
		}
		if unicode.IsLetter(r) {
			return 0
		}
	}
	return 0
}

// runsLeft reports whether a letter belongs to a script from right to left.
func runsLeft(r rune) bool {
	return unicode.IsLetter(r) && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic, unicode.Adlam, unicode.Hanifi_Rohingya)
}

// reorder puts the pieces of a line from the order of reading into that from
// left to right (rule L2 of UAX 9).
func reorder(pieces []piece) {
	highest, lowestOdd := uint8(0), uint8(255)
	for _, p := range pieces {
		highest = max(highest, p.level)
		if p.level%2 == 1 {
			lowestOdd = min(lowestOdd, p.level)
		}
	}
	for level := highest; level >= lowestOdd && level > 0; level-- {
		for from := 0; from < len(pieces); from++ {
			to := from
			for to < len(pieces) && pieces[to].level >= level {
				to++
			}
			slices.Reverse(pieces[from:to])
			from = max(from, to)
		}
	}
}
