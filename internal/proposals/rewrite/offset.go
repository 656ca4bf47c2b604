package rewrite

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/document"
)

// offsets returns what tells where a place of a document is in the content that it was
// made of. There is a difference behind a byte order mark, line ends of two characters,
// and bytes that are no text.
func offsets(content string) func(document.Pos) int {
	type joint struct{ pos, offset int }
	joints := []joint{{0, 0}}
	i, pos := 0, 0
	if strings.HasPrefix(content, "\uFEFF") {
		i = len("\uFEFF")
		joints[0].offset = i
	}
	for i < len(content) {
		r, width := utf8.DecodeRuneInString(content[i:])
		made := width
		switch {
		case strings.HasPrefix(content[i:], "\r\n"):
			width, made = 2, 1
		case r == 0:
			made = len("\uFFFD")
		case r == utf8.RuneError && width == 1: // a run of such bytes becomes one character
			for invalid(content[i+width:]) {
				width++
			}
			made = len("\uFFFD")
		}
		if i, pos = i+width, pos+made; width != made {
			joints = append(joints, joint{pos, i})
		}
	}
	return func(p document.Pos) int {
		n := sort.Search(len(joints), func(n int) bool { return joints[n].pos > int(p) })
		j := joints[max(n-1, 0)]
		return j.offset + int(p) - j.pos
	}
}

func invalid(s string) bool {
	r, width := utf8.DecodeRuneInString(s)
	return r == utf8.RuneError && width == 1
}
