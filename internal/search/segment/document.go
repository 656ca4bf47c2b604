// Package segment keeps documents in a form that can be searched: an immutable
// segment holds the sorted terms of its documents, for each term the documents
// and places where it stands, and the text itself, compressed, for excerpts.
// Segments are built from documents, merged without analysis, and written to bytes
// and read back.
//
// It answers what stands where. What a query means, which documents are the
// best and who may see them are not its business.
package segment

import (
	"time"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

// Document is what the index knows of a page.
type Document struct {
	ID          string
	Title       string
	Slug        string
	Description string   // by the author, from front matter
	Tags        []string // found as words and asked for by filters, exactly
	Language    string   // asked for by filters; "" says none
	FormerSlugs []string // earlier addresses, which still name the page
	Ancestors   []string // titles of the pages above it, in any order
	LinkTexts   []string // of the links on other pages that lead to it, in any order
	Labels      []string // texts of the links on it that lead to other pages, in any order
	UpdatedAt   time.Time
	Published   bool
	Sections    []Section // in reading order
	Origins     []Origin  // nothing is found by them
}

// Section is the text under one heading. The text before the first heading is
// a section without one.
type Section struct {
	Anchor  string // fragment of the address of the section
	Heading string
	Level   int // of the heading, 1 to 6; 0 without one
	Text    string
	Code    string // fenced code, apart from the text
}

// Field is a part of a document that has a weight of its own.
type Field uint8

// The fields. Those up to Link and Name have places, the others count only how
// often a term occurs. Name are the parts of names as programs write them, in
// headings: the words of an option are not those of a sentence.
const (
	Body Field = iota
	Code
	Heading
	Title
	Description
	Link
	Slug
	Tag
	Ancestor
	Former
	Name
	Fields // how many there are
)

// String returns the name of the field as settings and explanations write it.
func (f Field) String() string {
	return [...]string{"body", "code", "headings", "title", "description", "links", "slug", "tags", "ancestors", "former", "names"}[f]
}

// Positional reports whether the places of terms in the field are known.
func (f Field) Positional() bool { return f <= Link || f == Name }

// Gaps between the places of parts of a document, so that no phrase reaches
// from one into the next.
const (
	gapTitle   = 64 // after the title and what links call the document: nothing is near them
	gapHeading = 2
	gapCode    = 4
	gapSection = 16
)

// Limits of a document, beyond which parts are taken together.
const (
	maxSections = 4096
	maxLinks    = 64            // different texts of links
	maxName     = 1000          // bytes of a heading or an anchor
	passageSize = 800           // bytes, about
	chunkSize   = 8192          // bytes of text that are compressed together, at least
	maxChunk    = 4 * chunkSize // bytes of a chunk; the last piece of it is a passage or a name
)

// Lengths are the lengths of the fields of a document, in words.
type Lengths [Fields]uint32

// shortLengths are Lengths as they are read for each posting: the closer they
// lie together, the more of them the processor's caches hold. Beyond 65,535
// words a field counts no longer, but for the body, which is not in them.
type shortLengths [Fields]uint16

func shorten(l *Lengths) (short shortLengths) {
	for f := Body + 1; f < Fields; f++ {
		short[f] = uint16(min(l[f], 1<<16-1))
	}
	return short
}

// Info is what a segment holds of a document besides its text.
type Info struct {
	ID, Title, Slug string
	Updated         int64            // milliseconds since 1970
	layout          uint32           // where its layout starts
	chunk           uint32           // its first chunk
	News            bool             // see news
	stemmer         analysis.Stemmer // of its language
}
