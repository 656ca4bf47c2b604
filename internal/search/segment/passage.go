package segment

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// passages splits a text into pieces of about a paragraph: at ends of lines
// and sentences if possible, otherwise at spaces, and never within a word
// unless that is longer than the piece.
func passages(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for rest := trimSpace(text); rest != ""; {
			n := breakAfter(rest)
			if !yield(rest[:n]) {
				return
			}
			rest = trimSpace(rest[n:])
		}
	}
}

func trimSpace(text string) string { return strings.TrimFunc(text, unicode.IsSpace) }

// breakAfter returns the end of a passage at the start of text.
func breakAfter(text string) int {
	if len(text) <= passageSize*3/2 {
		return len(text)
	}
	window := text[:passageSize*3/2]
	if n := strings.LastIndex(window, "\n\n"); n >= passageSize/3 {
		return n
	}
	if n := strings.LastIndexByte(window, '\n'); n >= passageSize/2 {
		return n
	}
	if n := strings.LastIndexByte(window, ' '); n > 0 {
		if stop := strings.LastIndex(window[:n], ". "); stop >= passageSize/2 {
			return stop + 1
		}
		return n
	}
	if n := strings.LastIndexFunc(window, func(r rune) bool {
		return r >= utf8.RuneSelf && r != utf8.RuneError && (unicode.IsPunct(r) || unicode.IsSpace(r))
	}); n > 0 {
		_, width := utf8.DecodeRuneInString(window[n:])
		return n + width
	}
	n := len(window)
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return n
}

// mergeSections merges the sections beyond a limit into the last one within it.
func mergeSections(sections []Section) []Section {
	if len(sections) <= maxSections {
		return sections
	}
	var text, code strings.Builder
	for _, s := range sections[maxSections-1:] {
		text.WriteString(s.Heading + "\n" + s.Text + "\n")
		code.WriteString(s.Code + "\n")
	}
	kept := append([]Section(nil), sections[:maxSections]...)
	kept[maxSections-1].Text, kept[maxSections-1].Code = text.String(), code.String()
	return kept
}

// cut shortens a heading that is too long.
func cut(heading string) string {
	if len(heading) <= maxName {
		return heading
	}
	n := maxName
	for n > 0 && !utf8.RuneStart(heading[n]) {
		n--
	}
	return heading[:n]
}
