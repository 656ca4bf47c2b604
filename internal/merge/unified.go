package merge

import (
	"fmt"
	"strings"

	"github.com/octavo-docs/octavo"
)

// MediaType is the media type of a unified diff.
const MediaType = "text/x-diff"

// NoNewline marks a last line without a line feed.
const NoNewline = `\ No newline at end of file`

// Around is the number of context lines.
const Around = 3

// Hunks returns the hunks of a unified diff from a to b.
func Hunks(a, b string) []octavo.DiffHunk {
	known := map[string]int{}
	oldLines, newLines := Lines(a), Lines(b)
	list, _ := new(Effort).diff(number(known, oldLines), number(known, newLines))
	hunks := []octavo.DiffHunk{}
	for i := 0; i < len(list); {
		last := i
		for last+1 < len(list) && list[last+1].from-list[last].to <= 2*Around {
			last++
		}
		from, newFrom := max(0, list[i].from-Around), max(0, list[i].from-Around)+list[i].newFrom-list[i].from
		var h octavo.DiffHunk
		add := func(kind string, lines []string) {
			for _, line := range lines {
				text, ended := strings.CutSuffix(line, "\n")
				if h.Lines = append(h.Lines, kind+text); !ended {
					h.Lines = append(h.Lines, NoNewline)
				}
			}
		}
		at, size := from, list[last].to+Around-from+2
		for _, c := range list[i : last+1] {
			size += c.newTo - c.newFrom
		}
		h.Lines = make([]string, 0, size)
		for _, c := range list[i : last+1] {
			add(" ", oldLines[at:c.from])
			add("-", oldLines[c.from:c.to])
			add("+", newLines[c.newFrom:c.newTo])
			at = c.to
		}
		to := min(len(oldLines), at+Around)
		add(" ", oldLines[at:to])
		h.OldStart, h.OldLines = start(from, to)
		h.NewStart, h.NewLines = start(newFrom, list[last].newTo+to-at)
		hunks = append(hunks, h)
		i = last + 1
	}
	return hunks
}

// start returns the start of a range in a hunk header, and its length.
func start(from, to int) (line, lines int) {
	if from == to {
		return from, 0
	}
	return from + 1, to - from
}

// Unified writes hunks as a unified diff of two files.
func Unified(hunks []octavo.DiffHunk, oldName, newName string) string {
	if len(hunks) == 0 {
		return ""
	}
	var text strings.Builder
	fmt.Fprintf(&text, "--- %s\n+++ %s\n", oldName, newName)
	for _, h := range hunks {
		fmt.Fprintf(&text, "@@ -%d,%d +%d,%d @@\n", h.OldStart, h.OldLines, h.NewStart, h.NewLines)
		for _, line := range h.Lines {
			text.WriteString(line + "\n")
		}
	}
	return text.String()
}
