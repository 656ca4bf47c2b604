package document

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	gmast "github.com/yuin/goldmark/ast"
	gmextension "github.com/yuin/goldmark/extension"
	gmparser "github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
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

	// Frontmatter is a JSON object whose members expressions of MDX may name,
	// as in frontmatter.title, beside the constants that the page exports.
	Frontmatter []byte

	// FirstLine is the number of the first line, 0 for 1: notices count from
	// there when front matter was taken off.
	FirstLine int
}

// Parse returns the tree of content.
func Parse(content string, o Options) *Document {
	p := &parser{
		mdx:        o.MDX,
		scan:       inline.NewBudget(len(content)),
		references: inline.NewReferences[string](len(content)),
		footnotes:  map[string]*footnoteSource{},
		doc:        &Document{firstLine: max(1, o.FirstLine)},
	}
	if o.MDX && len(o.Frontmatter) > 0 {
		var front map[string]any
		if json.Unmarshal(o.Frontmatter, &front) == nil { // what is no object names nothing
			p.values = map[string]any{"frontmatter": front}
		}
	}
	p.source = normalise(content)
	p.doc.source, p.doc.lines = p.source, lineStarts(p.source)
	if len(p.source) > MaxSize || len(p.doc.lines) > MaxLines {
		p.notice(TooLarge, 0, "")
		p.doc.Blocks = []Block{&Code{Text: p.source}}
	} else {
		p.parse()
	}
	p.doc.Notices = p.sortedNotices()
	return p.doc
}

// normalise makes valid text with line feeds, without a byte order mark. No
// place in a line moves.
func normalise(content string) string {
	content = strings.TrimPrefix(content, "\uFEFF")
	if strings.IndexByte(content, '\r') >= 0 {
		content = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(content)
	}
	if strings.IndexByte(content, 0) >= 0 {
		content = strings.ReplaceAll(content, "\x00", "\uFFFD")
	}
	if !utf8.ValidString(content) {
		content = strings.ToValidUTF8(content, "\uFFFD")
	}
	return content
}

func lineStarts(source string) []Pos {
	starts := append(make([]Pos, 0, strings.Count(source, "\n")+1), 0)
	for i := 0; i < len(source); i++ {
		next := strings.IndexByte(source[i:], '\n')
		if next < 0 {
			break
		}
		i += next
		starts = append(starts, Pos(i+1))
	}
	return starts
}

// parser turns one source into a tree, in three steps: goldmark divides it into
// blocks, with block parsers of our own for what it does not know; tokens are
// made of the text of each; and both become typed nodes, in which tags hold
// what stands between them.
type parser struct {
	doc    *Document
	source string
	mdx    bool
	values map[string]any

	scan       inline.Budget
	deepest    int // how deep goldmark may nest blocks
	references *inline.References[string]
	footnotes  map[string]*footnoteSource
	footnoted  []*footnoteSource // in order of first reference
	anchors    inline.Anchors
	notices    []placed

	scratch   []Inline // of the builder at work
	inHeading bool     // whether the text of a heading is being read
	tokens    inline.Tokenizer[string]
	behind    []Attributes // of each of the tokens' targets
}

func (p *parser) parse() {
	p.tokens = inline.Tokenizer[string]{
		MDX: p.mdx, Scan: &p.scan, References: p.references,
		Footnote: func(label string) bool { return p.footnotes[label] != nil },
		Behind:   p.attributesBehind,
	}
	source := []byte(p.source)
	p.deepest = deepest(len(p.doc.lines))
	root := p.blockParser().Parse(text.NewReader(source))
	p.doc.Blocks = p.blocks(root, false)
	for i := 0; i < len(p.footnoted); i++ { // notes may refer to further notes
		note := p.footnoted[i]
		note.footnote.Blocks = p.blocks(note.node, false)
	}
}

// deepest returns how deep blocks may be nested in a source of so many lines.
// For each line goldmark remembers every block that it continues, which bounds
// the product of both.
func deepest(lines int) int {
	const remembered = 2 << 20
	return min(maxDepth, max(3, remembered/(lines+1)))
}

// blockParser returns goldmark's parser of blocks, without its parsers of text.
func (p *parser) blockParser() gmparser.Parser {
	own := func(b gmparser.BlockParser, priority int) util.PrioritizedValue { return util.Prioritized(b, priority) }
	blocks := []util.PrioritizedValue{
		own(gmparser.NewSetextHeadingParser(), 100),
		own(bounded{gmextension.NewDefinitionListParser(), p}, 110),
		own(gmextension.NewDefinitionDescriptionParser(), 120),
		own(admonitions{p: p}, 130),
		own(formulas{p: p}, 140),
		own(gmparser.NewThematicBreakParser(), 200),
		own(bounded{gmparser.NewListParser(), p}, 300),
		own(gmparser.NewListItemParser(), 400),
		own(footnoteDefinitions{p: p}, 550),
		own(gmparser.NewATXHeadingParser(), 600),
		own(bounded{gmparser.NewBlockquoteParser(), p}, 800),
	}
	if p.mdx {
		blocks = append(blocks,
			own(modules{p: p}, 10),
			own(tagLines{p: p}, 20),
			own(expressionLines{p: p}, 30),
			own(indents{}, 500),
			own(fences{gmparser.NewFencedCodeBlockParser(), p}, 700),
			own(comments{gmparser.NewHTMLBlockParser()}, 900),
			own(indented{gmparser.NewParagraphParser()}, 1000))
	} else {
		blocks = append(blocks,
			own(gmparser.NewCodeBlockParser(), 500),
			own(gmparser.NewFencedCodeBlockParser(), 700),
			own(gmparser.NewHTMLBlockParser(), 900),
			own(gmparser.NewParagraphParser(), 1000))
	}
	return gmparser.NewParser(
		gmparser.WithBlockParsers(blocks...),
		gmparser.WithParagraphTransformers(
			util.Prioritized(definitions{p}, 100),
			util.Prioritized(tables{p}, 200)))
}

// bounded keeps a container of goldmark's from nesting too deeply.
type bounded struct {
	gmparser.BlockParser
	p *parser
}

func (b bounded) Open(parent gmast.Node, reader text.Reader, pc gmparser.Context) (gmast.Node, gmparser.State) {
	if _, inList := parent.(*gmast.List); !inList && b.p.tooDeep(parent) {
		return nil, gmparser.NoChildren
	}
	return b.BlockParser.Open(parent, reader, pc)
}

// tooDeep reports whether no further container may open in a block.
func (p *parser) tooDeep(parent gmast.Node) bool {
	depth := 2 // a list brings its item
	for n := parent; n != nil; n = n.Parent() {
		depth++
	}
	return depth > p.deepest
}

// extra is a block of ours in goldmark's tree.
type extra struct {
	gmast.BaseBlock
	own any // *Code, *table, *admonition, *footnoteSource, *tagRun, indent
}

var kindExtra = gmast.NewNodeKind("Octavo")

// Kind implements goldmark's Node.
func (*extra) Kind() gmast.NodeKind { return kindExtra }

// IsRaw tells goldmark to leave the text alone.
func (*extra) IsRaw() bool { return true }

// Dump implements goldmark's Node.
func (b *extra) Dump(source []byte, level int) { gmast.DumpHelper(b, source, level, nil, nil) }
