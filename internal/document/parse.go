package document

import (
	"encoding/json"
	"slices"

	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/home"
	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/source"
)

// MaxSize and MaxLines are the limits in bytes and lines. Longer content becomes a code block
// with a Notice.
const (
	MaxSize  = 64 << 20
	MaxLines = 1 << 20
)

// maxDepth limits the nesting of blocks, elements and marks.
const maxDepth = 64

// Options configure parsing.
type Options struct {
	MDX bool

	// Dialect names the tool whose syntax the page uses in addition to Markdown (decision 86);
	// "" for none.
	Dialect string

	// Frontmatter is a JSON object. MDX expressions may refer to its members, as in
	// frontmatter.title, besides constants of the page. That of a home page is rendered
	// before the content.
	Frontmatter []byte

	// Include returns the text of an imported Markdown or MDX file, and whether it is MDX. If
	// nil, there are no notices about such files.
	Include func(file string) (text string, mdx, found bool)

	// Ranges records addresses and labels in Document.Ranges.
	Ranges bool

	// FirstLine is the number of the first line, 0 means 1. It differs if front matter was cut
	// off.
	FirstLine int
}

// Parse returns the tree of content.
func Parse(content string, o Options) *Document {
	p := newParser(content, o)
	front := map[string]any{}
	if len(o.Frontmatter) > 0 && json.Unmarshal(o.Frontmatter, &front) == nil { // only an object defines names
		p.values, p.label = dialect.Values(o.Dialect, front)
		if text := dialect.Definitions(o.Dialect, front); text != "" {
			site := newParser(text, Options{Dialect: o.Dialect})
			site.references = p.references
			site.divide()
			p.abbreviations = site.abbreviations
		}
		if o.MDX {
			p.values = map[string]any{"frontmatter": front}
		}
	}
	if len(p.source) > MaxSize || len(p.doc.lines) > MaxLines {
		p.notice(TooLarge, 0, "")
		p.doc.Blocks = []Block{&Code{Text: p.source}}
	} else {
		p.parse()
		p.nameComponents()
		p.resolveLabels()
		if p.dialect != nil && p.dialect.Summaries {
			p.doc.mentions = true
			if text := home.Lead(front); text != "" {
				_, title := p.doc.Says("")
				p.doc.Blocks = slices.Insert(p.doc.Blocks, title+1, Block(&Paragraph{Inlines: []Inline{&Text{Text: source.Normalise(text)}}}))
			}
		}
	}
	p.doc.Notices, p.doc.Shown = p.notices.Sorted(p.doc.place), p.sortedShown()
	p.doc.sortRanges()
	return p.doc
}

func newParser(content string, o Options) *parser {
	text := source.Normalise(content)
	return &parser{
		options: o, mdx: o.MDX, source: text, dialect: dialect.Of(o.Dialect),
		scan:       inline.NewBudget(len(content)),
		references: inline.NewReferences(len(content)),
		footnotes:  map[string]*footnoteSource{},
		imports:    map[string]string{},
		doc:        &Document{firstLine: max(1, o.FirstLine), source: text, lines: source.LineStarts[Pos](text)},
	}
}

// parser turns a source into a tree in three steps: divider makes blocks, package inline makes
// tokens of their text, and both become typed nodes nested in tags.
type parser struct {
	doc    *Document
	source string
	mdx    bool
	values map[string]any
	label  string // of the page

	dialect *dialect.Dialect // nil for none
	marks   []dialect.Mark   // in the current text
	ends    []markEnd        // of the open marks

	options         Options
	imports         map[string]string // included files by component name
	included, files int               // bytes of included files, and how often one was to be read
	searched        int               // bytes in which parts of files were looked for
	within          int               // how many definitions the text is in

	scan       inline.Budget
	segments   []segment // text of all blocks
	references *inline.References
	footnotes  map[string]*footnoteSource
	footnoted  []*footnoteSource // in order of first reference

	abbreviations dialect.Abbreviations
	explained     int // bytes of all explanations
	anchors       inline.Anchors
	anchored      []*Component  // that may get anchors
	defining      *inlineSource // the paragraph being searched for definitions
	notices       source.Notices
	shown         []shown

	scratch   []Inline  // of the active builder
	pieces    []piece   // result of the last flow
	texts     []Text    // preallocated, see newText
	idle      [][]event // of finished assemblers, for reuse
	inHeading bool      // parsing the text of a heading
	tokens    inline.Tokenizer
	behind    []Attributes // per target of the tokens
}

func (p *parser) parse() {
	p.tokens = inline.Tokenizer{
		MDX: p.mdx, CJK: true, Scan: &p.scan, References: p.references,
		Footnote: func(label string) bool { return p.footnotes[label] != nil },
		Behind:   p.attributesBehind, Notes: !p.mdx && p.dialect == nil || p.dialect != nil && p.dialect.Notes, Wary: p.dialect == nil,
	}
	if p.dialect != nil {
		p.tokens.Mark, p.tokens.Starts, p.tokens.Label = p.markAt, p.dialect.Starts, p.dialect.Label
		p.tokens.Loose, p.tokens.Plain = p.dialect.Loose, p.dialect.Python
		p.anchors.Of, p.anchors.Number = p.dialect.Anchor, p.dialect.Number
	}
	if p.options.Ranges {
		p.references.Found = p.placeDefinition
	}
	p.references.Anchors(p.dialect.Settings(p.source))
	home := p.home()
	p.doc.Blocks = append(home, p.blocks(p.divide(), false)...)
	for i := 0; i < len(p.footnoted); i++ { // footnotes may refer to further ones
		if note := p.footnoted[i]; note.block != nil {
			note.footnote.Blocks = p.blocks(note.block, false)
		} else if note.said.text != "" {
			note.footnote.Blocks = []Block{&Paragraph{note.footnote.at, false, p.inline(note.said)}}
		}
	}
	if p.included > 0 {
		p.doc.gatherHeadings()
	}
}
