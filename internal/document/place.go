package document

import (
	"cmp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// PlaceKind tells what stands at a place.
type PlaceKind uint8

// The kinds of places.
const (
	LinkPlace       PlaceKind = iota // the address of a link
	ShownPlace                       // the address of an image and the like
	DefinitionPlace                  // the address of a link reference definition
	UsePlace                         // what refers to a definition behind the text: [label], [] or nothing
	NotePlace                        // the label of a reference to a footnote
	NotedPlace                       // the label of a footnote
	ModulePlace                      // imports and exports of MDX
)

// Place is where something stands in the source that whoever rewrites a page has to know.
type Place struct {
	Kind     PlaceKind
	From, To Pos
	Address  string // with escapes and character references resolved; of links, images and definitions
	Label    string // folded; of definitions, footnotes and what refers to them

	// Of a definition, a footnote and a module: where it starts, up to the line behind it.
	Start, End Pos
}

// Source returns the text that places are of: the content as valid text with line feeds.
func (d *Document) Source() string { return d.source }

// notePlaces prepares for noting places, if that is asked for.
func (p *parser) notePlaces() {
	if p.options.Places {
		p.references.Found = p.placeDefinition
	}
}

// addPlace notes a place in the text of a block, if the source has it in one piece.
func (p *parser) addPlace(place Place, source *inlineSource, from int, written string) {
	if !p.options.Places || place.Kind == LinkPlace && place.Address == "" {
		return
	}
	at := source.at(from)
	if end := at + Pos(len(written)); int(end) <= len(p.source) && p.source[at:end] == written {
		place.From, place.To = at, end
		p.doc.Places = append(p.doc.Places, place)
	}
}

// placeTarget notes where a link or image leads that stands between two tokens.
func (p *parser) placeTarget(open, end *inline.Token, to inline.Target, source *inlineSource) {
	if !p.options.Places {
		return
	}
	if to.At < 0 {
		written := source.text[end.Start+1 : end.End]
		label := strings.Trim(written, "[]")
		if label == "" {
			label = source.text[open.End:end.Start]
		}
		p.addPlace(Place{Kind: UsePlace, Label: inline.FoldLabel(label)}, source, int(end.Start)+1, written)
		return
	}
	place := Place{Kind: LinkPlace, Address: inline.Unescape(to.Destination)}
	if open.Kind == inline.Image {
		place.Kind = ShownPlace
	}
	p.addPlace(place, source, to.At, to.Destination)
}

func (p *parser) placeDefinition(found inline.Definition) {
	s := p.defining
	p.addPlace(Place{
		Kind: DefinitionPlace, Label: found.Label, Address: inline.Unescape(found.Target.Destination),
		Start: s.at(found.Start), End: s.at(found.Behind-1) + 1,
	}, s, found.Target.At, found.Target.Destination)
}

// placeNote notes a footnote whose block ends before the current line.
func (d *divider) placeNote(b *block) {
	if !d.options.Places {
		return
	}
	label, _ := inline.FootnoteLabel(firstLine(d.source[b.pos:]))
	source := plainSource(d.source, 0)
	d.addPlace(Place{Kind: NotedPlace, Label: inline.FoldLabel(label), Start: Pos(b.pos), End: Pos(d.Start)}, &source, b.pos+len("[^"), label)
}

// placeImport notes the file of Markdown or MDX that a statement imports.
func (p *parser) placeImport(statement string, pos Pos) {
	_, from, _ := strings.Cut(statement, " from ")
	from = strings.TrimSpace(from)
	if from == "" {
		return
	}
	if file, _, closed := strings.Cut(from[1:], from[:1]); closed && reference.IsText(file) {
		source := plainSource(statement, pos)
		p.addPlace(Place{Kind: ShownPlace, Address: file}, &source, strings.LastIndex(statement, from)+1, file)
	}
}

// placeTag notes the addresses that a tag has literally.
func (p *parser) placeTag(t *tag) {
	if !p.options.Places || t.Closing || p.class(t.Name) == element.Unknown && !p.mdx && !element.StartsUpper(t.Name) {
		return
	}
	start := len(t.text) - tagEnd(t) - len(t.Inside)
	source := plainSource(t.text, t.pos)
	for a := range t.Attributes() {
		kind := LinkPlace
		switch strings.ToLower(a.Name) {
		case "href", "to", "link":
		case "src", "poster":
			kind = ShownPlace
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
				continue // no string, or one with escapes
			}
		}
		if strings.IndexByte("\"'`", written[0]) >= 0 {
			written, at = written[1:len(written)-1], at+1
		}
		p.addPlace(Place{Kind: kind, Address: text}, &source, at, written)
	}
}

// sortPlaces puts the places in their order, each once.
func (d *Document) sortPlaces() {
	slices.SortStableFunc(d.Places, func(a, b Place) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To)) })
	d.Places = slices.CompactFunc(d.Places, func(a, b Place) bool { return a.From == b.From && a.To == b.To && a.Kind == b.Kind })
}
