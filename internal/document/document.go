// Package document parses the content of a page, Markdown or MDX, into one typed tree, from
// which HTML, PDF and the text for search are made. It supports CommonMark, GitHub's
// tables, task lists, strikethrough, autolinks and alerts, footnotes, definition lists,
// attributes, admonitions, fence options of several generators, and MDX without executing
// it.
//
// Parse never fails. What a tree cannot represent, such as an MDX expression that is not a
// literal, gives a Notice with line and column; text is never dropped. Parsing takes
// linear time and bounded depth on any input.
//
// The package knows no store, resolves no links and writes no output. Its input is
// untrusted and parsed on every write.
package document

import (
	"sort"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/document/reference"
)

// Pos is an offset in the source; Document.Position converts it.
type Pos int32

// Document is the tree of a page.
type Document struct {
	Blocks    []Block
	Footnotes []*Footnote // those referred to, by number
	Notices   []Notice    // in source order
	Shown     []string    // addresses of images and other media, rendered or not, in source order
	Included  []string    // Markdown and MDX files included by components, as named by imports

	Ranges []Range // addresses and labels in source order; only with Options.Ranges

	headings  []*Heading         // of the whole tree in reading order
	anchors   *reference.Anchors // computed on first use
	labels    bool               // the anchors are labels too
	mentions  bool               // links may show the titles of pages
	source    string
	lines     []Pos // their starts
	firstLine int
}

func (d *Document) Position(p Pos) Position {
	line := sort.Search(len(d.lines), func(i int) bool { return d.lines[i] > p }) - 1
	if line < 0 {
		return Position{Line: d.firstLine, Column: 1}
	}
	start, end := int(d.lines[line]), min(int(p), len(d.source))
	return Position{Line: d.firstLine + line, Column: utf8.RuneCountInString(d.source[start:end]) + 1}
}

func (d *Document) place(at int) Position { return d.Position(Pos(at)) }

// Line returns the line of a position; it is faster than Position.
func (d *Document) Line(p Pos) int {
	line := sort.Search(len(d.lines), func(i int) bool { return d.lines[i] > p }) - 1
	return d.firstLine + max(line, 0)
}

// Footnote is a footnote. Number counts from 1 in order of first reference; References is
// the number of references.
type Footnote struct {
	at
	Label      string
	Number     int
	References int
	Blocks     []Block
	Embedded   bool // see Quote
}

// Node is a Block, an Inline or a part of one.
type Node interface {
	Pos() Pos
}

// at is embedded in nodes for their position.
type at struct{ pos Pos }

// Pos returns the start of the node in the source.
func (a at) Pos() Pos { return a.pos }

func (a *at) move(to Pos) { a.pos = to }
