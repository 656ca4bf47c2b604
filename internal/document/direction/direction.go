// Package direction detects the writing direction of parts of a page by their letters or
// language. Packages html and pdf apply it.
package direction

import (
	"strings"
	"unicode"

	"github.com/octavo-docs/octavo/internal/document"
)

// maxCounted limits the letters examined per block.
const maxCounted = 2000

// ToLeft reports whether a block runs from right to left. Containers such as lists, tables
// and callouts, and paragraphs in right-to-left text, are decided by their letters outside
// of code; without letters, and for all other blocks, around decides.
func ToLeft(b document.Block, around bool) bool {
	switch b := b.(type) {
	case *document.List, *document.Table, *document.Quote, *document.DefinitionList, *document.Component:
	case *document.Paragraph:
		if !around || b.Tight {
			return around // the browser or the container decides
		}
	case *document.Element:
		switch dir := strings.ToLower(b.Attributes.String("dir")); {
		case dir == "rtl", dir == "ltr":
			return dir == "rtl"
		case !holdsBlocks(b.Name):
			return around
		}
	default:
		return around
	}
	return runs(&document.Document{Blocks: []document.Block{b}}, around)
}

// Title reports whether a title runs from right to left.
func Title(title string, around bool) bool {
	text := &document.Paragraph{Inlines: []document.Inline{&document.Text{Text: title}}}
	return runs(&document.Document{Blocks: []document.Block{text}}, around)
}

// Page reports whether a page runs from right to left: its language does, and its text is
// not entirely left-to-right, as in an untranslated page.
func Page(d *document.Document, language string) bool {
	return RightToLeft(language) && runs(d, true)
}

// runs detects the direction by letters.
func runs(d *document.Document, around bool) bool {
	var toLeft, toRight int
	d.Walk(func(n document.Node) bool {
		if text, ok := n.(*document.Text); ok {
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
	return 2*toLeft > toRight // names of programs are in Latin letters
}

// holdsBlocks reports whether an HTML element contains blocks.
func holdsBlocks(name string) bool {
	switch name {
	case "article", "aside", "blockquote", "details", "div", "dl", "figure", "ol", "section", "table", "td", "th", "ul":
		return true
	}
	return false
}

// Turns reports whether any text of a document runs from right to left.
func Turns(d *document.Document) (found bool) {
	d.Walk(func(n document.Node) bool {
		if text, ok := n.(*document.Text); ok && !found {
			found = strings.ContainsFunc(text.Text, runsToLeft)
		}
		return !found
	})
	return found
}

func runsToLeft(r rune) bool {
	return r >= 0x590 && (r <= 0x8ff || 0xfb1d <= r && r <= 0xfdff || 0xfe70 <= r && r <= 0xfeff || 0x10800 <= r && r <= 0x10fff || 0x1e800 <= r && r <= 0x1efff)
}
