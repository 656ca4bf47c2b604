// Package merge merges two texts with a common base. The result has the changes of both;
// if both changed the same lines differently, there is a conflict. It works by lines, like
// git merge-file, and never drops or invents one.
//
//	result := merge.Texts(base, ours, theirs)
//	if len(result.Conflicts) == 0 { use(result.Text) }
package merge

import (
	"slices"
	"strings"
)

type Result struct {
	Text      string // the merged text; the lines of ours in conflicts
	Conflicts []Conflict

	// Coarse reports that the texts have so little in common that their comparison was cut
	// short. There may be conflicts that a full comparison would avoid.
	Coarse bool
}

// Conflict is a range of lines that both texts changed differently, or touching ranges.
// Line numbers start at 0; To is exclusive.
type Conflict struct {
	Base, Ours, Theirs Range
}

type Range struct{ From, To int }

// Texts merges two texts without a shared [Effort].
func Texts(base, ours, theirs string) Result { return new(Effort).Texts(base, ours, theirs) }

// Texts merges two texts with a common base. It compares lines byte for byte, with line
// ends.
func (e *Effort) Texts(base, ours, theirs string) Result {
	if ours == theirs || theirs == base {
		return Result{Text: ours}
	}
	if ours == base {
		return Result{Text: theirs}
	}
	known := map[string]int{}
	source, oursLines, theirsLines := Lines(base), Lines(ours), Lines(theirs)
	b, o, t := number(known, source), number(known, oursLines), number(known, theirsLines)
	byOne, coarse := e.diff(b, o)
	byOther, coarseToo := e.diff(b, t)
	result := Result{Coarse: coarse || coarseToo}
	var text strings.Builder
	at := 0
	keep := func(to int) {
		for ; at < to; at++ {
			text.WriteString(source[at])
		}
	}
	for _, h := range join(byOne, byOther) {
		keep(h.Base.From)
		at = h.Base.To
		switch {
		case h.by == byOurs || h.by == byBoth && slices.Equal(o[h.Ours.From:h.Ours.To], t[h.Theirs.From:h.Theirs.To]):
			write(&text, oursLines[h.Ours.From:h.Ours.To])
		case h.by == byTheirs:
			write(&text, theirsLines[h.Theirs.From:h.Theirs.To])
		default:
			result.Conflicts = append(result.Conflicts, h.Conflict)
			write(&text, oursLines[h.Ours.From:h.Ours.To])
		}
	}
	keep(len(source))
	result.Text = text.String()
	return result
}

func write(text *strings.Builder, lines []string) {
	for _, line := range lines {
		text.WriteString(line)
	}
}

// Lines returns the lines of a text with their line ends.
func Lines(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// number gives equal lines the same number.
func number(known map[string]int, lines []string) []int {
	numbers := make([]int, len(lines))
	for i, line := range lines {
		n, found := known[line]
		if !found {
			n = len(known)
			known[line] = n
		}
		numbers[i] = n
	}
	return numbers
}

// Sides that changed a hunk.
const (
	byOurs = iota
	byTheirs
	byBoth
)

// hunk is a changed range of the base.
type hunk struct {
	Conflict
	by int
}

// join sorts the changes of both sides. Those that overlap or touch become one hunk.
func join(ours, theirs []change) (hunks []hunk) {
	oursBy, theirsBy := 0, 0 // offsets from base to each text
	for len(ours) > 0 || len(theirs) > 0 {
		var h hunk
		switch {
		case len(theirs) == 0 || len(ours) > 0 && ours[0].to < theirs[0].from:
			c := ours[0]
			h = hunk{Conflict{Range{c.from, c.to}, Range{c.newFrom, c.newTo}, Range{c.from + theirsBy, c.to + theirsBy}}, byOurs}
			oursBy, ours = c.newTo-c.to, ours[1:]
		case len(ours) == 0 || theirs[0].to < ours[0].from:
			c := theirs[0]
			h = hunk{Conflict{Range{c.from, c.to}, Range{c.from + oursBy, c.to + oursBy}, Range{c.newFrom, c.newTo}}, byTheirs}
			theirsBy, theirs = c.newTo-c.to, theirs[1:]
		default:
			h.by = byBoth
			from := min(ours[0].from, theirs[0].from)
			h.Base, h.Ours.From, h.Theirs.From = Range{from, from}, from+oursBy, from+theirsBy
			for touching := true; touching; {
				switch {
				case len(ours) > 0 && ours[0].from <= h.Base.To:
					h.Base.To, oursBy, ours = max(h.Base.To, ours[0].to), ours[0].newTo-ours[0].to, ours[1:]
				case len(theirs) > 0 && theirs[0].from <= h.Base.To:
					h.Base.To, theirsBy, theirs = max(h.Base.To, theirs[0].to), theirs[0].newTo-theirs[0].to, theirs[1:]
				default:
					touching = false
				}
			}
			h.Ours.To, h.Theirs.To = h.Base.To+oursBy, h.Base.To+theirsBy
		}
		hunks = append(hunks, h)
	}
	return hunks
}
