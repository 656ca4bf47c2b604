package layout

import (
	"slices"
	"unicode"

	"github.com/go-text/typesetting/bidi"
	unicodebidi "golang.org/x/text/unicode/bidi"

	"github.com/octavo-docs/octavo/internal/pdf/font"
)

// firstRightToLeft is the first character of right-to-left scripts.
const firstRightToLeft = 0x590

// levels returns the embedding level of each character and of the paragraph, or nil if all is left to
// right. Code runs from left to right and does not determine the paragraph's direction;
// mirrored takes precedence over the letters.
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

// isolated replaces code while its surroundings are resolved.
const isolated = '\ufffc'

// twoWays reports whether a text has right-to-left characters.
func twoWays(text []rune) bool {
	return slices.ContainsFunc(text, func(r rune) bool {
		return r >= firstRightToLeft && runsLeft(r) || r == 0x200f || 0x202a <= r && r <= 0x202e || 0x2066 <= r && r <= 0x2069
	})
}

// embedCode raises the levels of code above that of its surroundings.
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

// embed returns the level of each character in a paragraph of level base.
func (t *Typesetter) embed(text []rune, base uint8) []uint8 {
	direction := bidi.LeftToRight
	if base == 1 {
		direction = bidi.RightToLeft
	}
	oneParagraph := slices.Clone(text)
	for i, r := range oneParagraph {
		if unicode.IsControl(r) || r == '\u2029' { // could end the paragraph
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

// lowerTail restores the level of left-to-right text after a number in right-to-left text: both get
// the number's level and would be reordered together.
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
			return // the author set the direction
		}
	}
	clear(levels[number:])
}

// baseLevel returns the level of a paragraph: that of its surroundings if mirrored, else that of its
// first letter.
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

// runsLeft reports whether a letter is of a right-to-left script.
func runsLeft(r rune) bool {
	return unicode.IsLetter(r) && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Samaritan, unicode.Mandaic, unicode.Adlam, unicode.Hanifi_Rohingya)
}

// reorder converts the pieces of a line from logical to visual order (rule L2 of UAX 9).
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
