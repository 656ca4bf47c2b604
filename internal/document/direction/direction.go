// Package direction tells in which direction parts of a page run, by their letters or their
// language. What turns them round is in package html and in pdf.
package direction

import (
	"strings"
	"unicode"

	"github.com/octavo-docs/octavo/internal/document"
)

// maxCounted bounds the letters by which the direction of a block is told.
const maxCounted = 2000

// ToLeft reports whether a block that holds others, such as a list, a table or a
// callout, or a paragraph among text from right to left, runs from right to left. Its
// letters tell, code aside; without any, and for all other blocks, what is around it does.
func ToLeft(b document.Block, around bool) bool {
	switch b := b.(type) {
	case *document.List, *document.Table, *document.Quote, *document.DefinitionList, *document.Component:
	case *document.Paragraph:
		if !around || b.Tight {
			return around // a browser does it, or what holds it
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

// Page reports whether a page runs from right to left: its language does, and it is not
// all in another, as one is that is not translated yet.
func Page(d *document.Document, language string) bool {
	return RightToLeft(language) && runs(d, true)
}

// runs tells the direction by the letters.
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

// Turns reports whether some text of a document runs from right to left.
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
