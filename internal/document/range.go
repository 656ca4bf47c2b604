package document

import (
	"cmp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

type RangeKind uint8

// The kinds of ranges.
const (
	LinkRange        RangeKind = iota // address of a link
	MediaRange                        // address of an image or other media
	DefinitionRange                   // address in a link reference definition
	ReferenceRange                    // the part of a reference after its text: [label], [] or nothing
	FootnoteRefRange                  // label in a footnote reference
	FootnoteRange                     // label of a footnote definition
	ModuleRange                       // imports and exports of MDX
)

// Range is a part of the source that has to be known to rewrite a page.
type Range struct {
	Kind     RangeKind
	From, To Pos
	Address  string // unescaped; of links, media and definitions
	Label    string // folded; of definitions, footnotes and references

	// Whole lines of a definition, footnote or module.
	Start, End Pos
}

// Source returns the text to which ranges refer: valid UTF-8 with line feeds.
func (d *Document) Source() string { return d.source }

// addRange records a range in a block's text, if it is contiguous in the source.
func (p *parser) addRange(r Range, source *inlineSource, from int, written string) {
	if !p.options.Ranges || r.Kind == LinkRange && r.Address == "" {
		return
	}
	at := source.at(from)
	if end := at + Pos(len(written)); int(end) <= len(p.source) && p.source[at:end] == written {
		r.From, r.To = at, end
		p.doc.Ranges = append(p.doc.Ranges, r)
	}
}

// addTargetRange records the address of the link or image between two tokens.
func (p *parser) addTargetRange(open, end *inline.Token, to inline.Target, source *inlineSource) {
	if !p.options.Ranges {
		return
	}
	if to.At < 0 {
		written := source.text[end.Start+1 : end.End]
		label := strings.Trim(written, "[]")
		if label == "" {
			label = source.text[open.End:end.Start]
		}
		p.addRange(Range{Kind: ReferenceRange, Label: inline.FoldLabel(label)}, source, int(end.Start)+1, written)
		return
	}
	r := Range{Kind: LinkRange, Address: inline.Unescape(to.Destination)}
	if open.Kind == inline.Image {
		r.Kind = MediaRange
	}
	p.addRange(r, source, to.At, to.Destination)
}

func (p *parser) placeDefinition(found inline.Definition) {
	s := p.defining
	p.addRange(Range{
		Kind: DefinitionRange, Label: found.Label, Address: inline.Unescape(found.Target.Destination),
		Start: s.at(found.Start), End: s.at(found.Behind-1) + 1,
	}, s, found.Target.At, found.Target.Destination)
}

// addFootnoteRange records a footnote whose block ends before the current line.
func (d *divider) addFootnoteRange(b *block) {
	if !d.options.Ranges {
		return
	}
	label, _ := inline.FootnoteLabel(inline.FirstLine(d.source[b.pos:]))
	source := plainSource(d.source, 0)
	d.addRange(Range{Kind: FootnoteRange, Label: inline.FoldLabel(label), Start: Pos(b.pos), End: Pos(d.Start)}, &source, b.pos+len("[^"), label)
}

// addImportRange records the Markdown or MDX file of an import.
func (p *parser) addImportRange(statement string, pos Pos) {
	_, from, _ := strings.Cut(statement, " from ")
	from = strings.TrimSpace(from)
	if from == "" {
		return
	}
	if file, _, closed := strings.Cut(from[1:], from[:1]); closed && reference.IsText(file) {
		source := plainSource(statement, pos)
		p.addRange(Range{Kind: MediaRange, Address: file}, &source, strings.LastIndex(statement, from)+1, file)
	}
}

// addTagRanges records the literal addresses in the attributes of a tag.
func (p *parser) addTagRanges(t *tag) {
	if !p.options.Ranges || t.Closing || p.class(t.Name) == element.Unknown && !p.mdx && !element.StartsUpper(t.Name) {
		return
	}
	start := len(t.text) - tagEnd(t) - len(t.Inside)
	source := plainSource(t.text, t.pos)
	for a := range t.Attributes() {
		kind := LinkRange
		switch strings.ToLower(a.Name) {
		case "href", "to", "link":
		case "src", "poster":
			kind = MediaRange
		default:
			continue
		}
		value, ok := p.attributeValue(a.Name, a.Value)
		text, isText := value.(string)
		if !ok || !isText {
			continue
		}
		written, at := a.Value, start+a.End-len(a.Value)
		if written[0] == '{' {
			inner := strings.TrimLeft(written[1:], " \t\n")
			written, at = strings.TrimRight(inner[:len(inner)-1], " \t\n"), at+len(written)-len(inner)
			if len(written) != len(text)+len("''") || written[1:len(written)-1] != text {
				continue // not a string, or one with escapes
			}
		}
		if strings.IndexByte("\"'`", written[0]) >= 0 {
			written, at = written[1:len(written)-1], at+1
		}
		p.addRange(Range{Kind: kind, Address: text}, &source, at, written)
	}
}

// sortRanges sorts the ranges and removes duplicates.
func (d *Document) sortRanges() {
	slices.SortStableFunc(d.Ranges, func(a, b Range) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	d.Ranges = slices.CompactFunc(d.Ranges, func(a, b Range) bool { return a.From == b.From && a.To == b.To && a.Kind == b.Kind })
}
