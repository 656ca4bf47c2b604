// Package document turns the content of a page, Markdown or MDX, into one typed
// tree, from which every rendering is made: HTML, PDF and the text for search.
// It reads CommonMark, GitHub's tables, task lists, strikethrough, bare links
// and alerts, footnotes, definition lists, attributes, admonitions, the notes of
// several generators on fenced code, and MDX, of which nothing is executed.
//
// Parse never fails. What a tree cannot show, such as an expression of MDX that
// is no literal, is told as a Notice with its line and column, and text is never
// dropped. Parsing takes linear time and bounded depth on any input.
//
// The package knows no store, resolves no links and writes no output. Content
// comes from strangers and is parsed at every write, while they wait.
package document

import (
	"sort"
	"unicode/utf8"

	"github.com/octavo-docs/octavo/internal/document/reference"
)

// Pos is a place in the source, to be turned into a Position by the Document.
type Pos int32

// Position is a place in the source as people count: lines and characters from
// 1.
type Position struct {
	Line, Column int
}

// Document is the tree of a page.
type Document struct {
	Blocks    []Block
	Footnotes []*Footnote // those that are referred to, in order of their numbers
	Notices   []Notice    // in the order of the source
	Shown     []string    // addresses of images and the like, shown here or not, in the order of the source
	Included  []string    // the Markdown and MDX files that components stand for, as imports name them

	Places []Place // where addresses and labels stand, in their order; only where Options.Places is set

	headings  []*Heading         // of the whole tree in reading order
	anchors   *reference.Anchors // once they are asked for
	labels    bool               // links may name its anchors without the page
	source    string
	lines     []Pos // where each starts
	firstLine int
}

// Position returns the line and column of a place.
func (d *Document) Position(p Pos) Position {
	line := sort.Search(len(d.lines), func(i int) bool { return d.lines[i] > p }) - 1
	if line < 0 {
		return Position{Line: d.firstLine, Column: 1}
	}
	start, end := int(d.lines[line]), min(int(p), len(d.source))
	return Position{Line: d.firstLine + line, Column: utf8.RuneCountInString(d.source[start:end]) + 1}
}

// Line is the line of a position, without the time to count its column.
func (d *Document) Line(p Pos) int {
	line := sort.Search(len(d.lines), func(i int) bool { return d.lines[i] > p }) - 1
	return d.firstLine + max(line, 0)
}

// Footnote is a note that the text refers to. Number counts from 1 in order of
// first reference; References is how often it is referred to.
type Footnote struct {
	at
	Label      string
	Number     int
	References int
	Blocks     []Block
}

// Node is a Block, an Inline or a part of one.
type Node interface {
	// Pos returns where the node starts in the source.
	Pos() Pos
}

// at is the place of a node.
type at struct{ pos Pos }

// Pos returns where the node starts in the source.
func (a at) Pos() Pos { return a.pos }

func (a *at) move(to Pos) { a.pos = to }
