// Package segment stores documents in a searchable form. An immutable
// segment has the sorted terms of its documents, for each term its documents
// and positions, and the compressed text for excerpts. Segments are built
// from documents, merged without analysis, and encoded to bytes and decoded.
//
// It does not interpret queries, rank documents or decide who may see them.
// Start with [Segment] and [Builder].
package segment

import (
	"time"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

// Document is the indexed form of a page.
type Document struct {
	ID          string
	Title       string
	Slug        string
	Description string   // by the author, from front matter
	Tags        []string // found as words; filters use them exactly
	Language    string   // for filters; "" means none
	FormerSlugs []string // earlier addresses, which still name the page
	Ancestors   []string // titles of the pages above it, unordered
	LinkTexts   []string // of the links on other pages to it, unordered
	Labels      []string // texts of its links to other pages, unordered
	UpdatedAt   time.Time
	Published   bool
	Sections    []Section // in reading order
	Origins     []Origin  // not searchable
}

// Section is the text under one heading. The text before the first heading
// is a section without one.
type Section struct {
	Anchor  string // fragment of the section's address
	Heading string
	Level   int // of the heading, 1 to 6; 0 without one
	Text    string
	Code    string // fenced code, separate from the text
}

// Field is a part of a document with its own weight.
type Field uint8

// The fields. Those up to Link and Name have positions; the others only
// count how often a term occurs. Name has the parts of program names in
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
	Fields // the number of fields
)

// String returns the name of the field for settings and explanations.
func (f Field) String() string {
	return [...]string{"body", "code", "headings", "title", "description", "links", "slug", "tags", "ancestors", "former", "names"}[f]
}

// Positional reports whether the field has positions of terms.
func (f Field) Positional() bool { return f <= Link || f == Name }

// Gaps between the positions of parts of a document, so that no phrase crosses them.
const (
	gapTitle   = 64 // after the title and link texts: nothing is near them
	gapHeading = 2
	gapCode    = 4
	gapSection = 16
)

// Limits of a document, beyond which parts are combined.
const (
	maxSections = 4096
	maxLinks    = 64            // different link texts
	maxName     = 1000          // bytes of a heading or an anchor
	passageSize = 800           // approximate bytes
	chunkSize   = 8192          // minimum bytes of text that are compressed together
	maxChunk    = 4 * chunkSize // bytes of a chunk; its last piece is a passage or a name
)

// Lengths are the lengths of the fields of a document, in words.
type Lengths [Fields]uint32

// shortLengths are Lengths in a compact form, because they are read for each
// posting: more of them then fit into the processor's caches. A field does
// not count beyond 65,535 words, except for the body, which is not in them.
type shortLengths [Fields]uint16

func shorten(l *Lengths) (short shortLengths) {
	for f := Body + 1; f < Fields; f++ {
		short[f] = uint16(min(l[f], 1<<16-1))
	}
	return short
}

// Info is the data of a document in a segment besides its text.
type Info struct {
	ID, Title, Slug string
	Updated         int64            // milliseconds since 1970
	layout          uint32           // start of its layout
	chunk           uint32           // its first chunk
	News            bool             // see news
	stemmer         analysis.Stemmer // of its language
}
