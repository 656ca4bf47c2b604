package document

import (
	"encoding/json"

	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/source"
)

// MaxSize and MaxLines are the lengths in bytes and lines past which content is
// shown as one block of code, with a Notice.
const (
	MaxSize  = 64 << 20
	MaxLines = 1 << 20
)

// maxDepth bounds how deep blocks, elements and marks are nested.
const maxDepth = 64

// Options tell how content is read.
type Options struct {
	MDX bool

	// Dialect names the tool whose marks the page has beside Markdown (decision
	// 86), "" for none.
	Dialect string

	// Frontmatter is a JSON object whose members expressions of MDX may name,
	// as in frontmatter.title, beside the constants that the page exports. That of
	// a home page is shown before its content.
	Frontmatter []byte

	// Include returns the text of a Markdown or MDX file that the page imports,
	// and whether it is MDX. Without it nothing is told of such files.
	Include func(file string) (text string, mdx, found bool)

	// Places has the document note where addresses and labels stand, see
	// Document.Places.
	Places bool

	// FirstLine is the number of the first line, 0 for 1: notices count from
	// there when front matter was taken off.
	FirstLine int
}

// Parse returns the tree of content.
func Parse(content string, o Options) *Document {
	p := newParser(content, o)
	if o.MDX && len(o.Frontmatter) > 0 {
		var front map[string]any
		if json.Unmarshal(o.Frontmatter, &front) == nil { // what is no object names nothing
			p.values = map[string]any{"frontmatter": front}
		}
	}
	if len(p.source) > MaxSize || len(p.doc.lines) > MaxLines {
		p.notice(TooLarge, 0, "")
		p.doc.Blocks = []Block{&Code{Text: p.source}}
	} else {
		p.parse()
		p.resolveLabels()
	}
	p.doc.Notices, p.doc.Shown = p.sortedNotices(), p.sortedShown()
	p.doc.sortPlaces()
	return p.doc
}

func newParser(content string, o Options) *parser {
	text := source.Normalise(content)
	return &parser{
		options: o, mdx: o.MDX, source: text, dialect: dialect.Of(o.Dialect),
		scan:       inline.NewBudget(len(content)),
		references: inline.NewReferences(len(content)),
		footnotes:  map[string]*footnoteSource{},
		doc:        &Document{firstLine: max(1, o.FirstLine), source: text, lines: source.LineStarts[Pos](text)},
	}
}

// parser turns one source into a tree, in three steps: it is divided into
// blocks (divider); tokens are made of the text of each (package inline); and
// both become typed nodes, in which tags hold what stands between them.
type parser struct {
	doc    *Document
	source string
	mdx    bool
	values map[string]any

	dialect *dialect.Dialect // nil for none
	marks   []dialect.Mark   // in the text at hand
	ends    []markEnd        // of those that are open

	options  Options
	imports  map[string]string // the files that components stand for, by their names
	included int               // bytes of files

	scan       inline.Budget
	segments   []segment // the text of all blocks
	references *inline.References
	footnotes  map[string]*footnoteSource
	footnoted  []*footnoteSource // in order of first reference

	abbreviations map[string][]abbreviation // by the words that they begin with
	explained     int                       // bytes of their explanations
	anchors       inline.Anchors
	defining      *inlineSource // the paragraph whose definitions are taken
	notices       []placed
	shown         []shown

	scratch   []Inline  // of the builder at work
	pieces    []piece   // what it returned last
	texts     []Text    // allocated ahead, see newText
	idle      [][]event // of assemblers whose work is done
	inHeading bool      // whether the text of a heading is being read
	tokens    inline.Tokenizer
	behind    []Attributes // of each of the tokens' targets
}

func (p *parser) parse() {
	p.tokens = inline.Tokenizer{
		MDX: p.mdx, CJK: true, Scan: &p.scan, References: p.references,
		Footnote: func(label string) bool { return p.footnotes[label] != nil },
		Behind:   p.attributesBehind,
	}
	if p.dialect != nil {
		p.tokens.Mark, p.tokens.Starts, p.tokens.Label = p.markAt, p.dialect.Starts, p.dialect.Label
	}
	if p.options.Places {
		p.references.Found = p.placeDefinition
	}
	home := p.home()
	p.doc.Blocks = append(home, p.blocks(p.divide(), false)...)
	for i := 0; i < len(p.footnoted); i++ { // notes may refer to further notes
		if note := p.footnoted[i]; note.block != nil {
			note.footnote.Blocks = p.blocks(note.block, false)
		}
	}
	if len(p.doc.Included) > 0 {
		p.doc.gatherHeadings()
	}
}
