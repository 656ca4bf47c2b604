package document

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// RightToLeft reports whether a language, a tag of BCP 47, is written from right
// to left.
func RightToLeft(language string) bool {
	tag := strings.ToLower(language)
	primary, rest, _ := strings.Cut(tag, "-")
	switch script, _, _ := strings.Cut(rest, "-"); script {
	case "arab", "hebr", "syrc", "thaa", "nkoo", "adlm", "rohg":
		return true
	case "latn", "cyrl", "deva":
		return false
	}
	switch primary {
	case "ar", "he", "iw", "fa", "ur", "yi", "ps", "sd", "ug", "ckb", "dv", "syr", "nqo":
		return true
	}
	return false
}

// maxCounted bounds the letters by which the direction of a block is told.
const maxCounted = 2000

// Mirrored reports whether a block that holds others, such as a list, a table or
// a callout, runs from right to left. Its letters tell, code aside; without any,
// and for all other blocks, what is around it does.
func Mirrored(b Block, around bool) bool {
	switch b := b.(type) {
	case *List, *Table, *Quote, *DefinitionList, *Component:
	case *Element:
		switch dir := strings.ToLower(b.Attributes.String("dir")); {
		case dir == "rtl", dir == "ltr":
			return dir == "rtl"
		case !holdsBlocks(b.Name):
			return around
		}
	default:
		return around
	}
	var toLeft, toRight int
	walkBlocks([]Block{b}, func(n Node) bool {
		if text, ok := n.(*Text); ok {
			for _, r := range text.Text {
				switch {
				case !unicode.IsLetter(r):
				case runsToLeft(r):
					toLeft++
				default:
					toRight++
				}
			}
		}
		return toLeft+toRight < maxCounted
	})
	if around {
		return toLeft > 0 || toRight == 0
	}
	return 2*toLeft > toRight // names of programs are written in Latin letters
}

// holdsBlocks reports whether an element of HTML is drawn around others.
func holdsBlocks(name string) bool {
	switch name {
	case "article", "aside", "blockquote", "details", "div", "dl", "figure", "ol", "section", "table", "ul":
		return true
	}
	return false
}

func runsToLeft(r rune) bool {
	return r >= 0x590 && (r <= 0x8ff || 0xfb1d <= r && r <= 0xfdff || 0xfe70 <= r && r <= 0xfeff || 0x10800 <= r && r <= 0x10fff || 0x1e800 <= r && r <= 0x1efff)
}

// RunsBothWays reports whether some of the text may run from right to left.
func (d *Document) RunsBothWays() bool {
	if len(d.Included) > 0 { // whose text is not in the source
		return true
	}
	for i := 0; i < len(d.source); {
		if d.source[i] < 0xd6 { // begins no such letter
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(d.source[i:])
		if runsToLeft(r) {
			return true
		}
		i += size
	}
	return strings.Contains(d.source, "&") // as a letter may be written
}
