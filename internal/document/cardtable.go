package document

import (
	"strings"
	"unicode"
)

// cardTable makes cards of the rows of a table of GitBook. The heads of its columns tell
// which of them have the target and the picture of a card.
func (p *parser) cardTable(pos Pos, parts []Block) *Component {
	all := &Component{at: at{pos}, Kind: Cards, Name: "Cards"}
	var heads []Attributes
	for _, part := range elementsIn(parts) {
		for _, row := range elementsIn(part.Blocks) {
			cells := elementsIn(row.Blocks)
			if part.Name == "thead" {
				for _, head := range cells {
					heads = append(heads, head.Attributes)
				}
				continue
			}
			card := &Component{at: at{row.pos}, Kind: Card, Name: "Card"}
			for i, cell := range cells {
				is := func(name string) bool { return i < len(heads) && heads[i].Bool(name) }
				said, link := firstOf(cell.Blocks)
				switch {
				case is("data-card-target") && link != nil:
					card.Attributes = Attributes{{Name: "href", Value: link.Href}}
				case is("data-card-cover") && link != nil:
					p.show(link.Href, link.pos)
					card.Blocks = append([]Block{&Paragraph{at{link.pos}, false, []Inline{&Image{at{link.pos}, link.Href, "", "", nil}}}}, card.Blocks...)
				case is("data-hidden"):
				case card.Title == nil && strings.ContainsFunc(PlainText(said), unicode.IsLetter):
					card.Title = said
					card.Blocks = append(card.Blocks, cell.Blocks[1:]...)
				default:
					card.Blocks = append(card.Blocks, cell.Blocks...)
				}
			}
			all.Blocks = append(all.Blocks, card)
		}
	}
	return all
}

func elementsIn(blocks []Block) (list []*Element) {
	for _, b := range blocks {
		if e, ok := b.(*Element); ok {
			list = append(list, e)
		}
	}
	return list
}

// firstOf returns what the first block says if it is text or a heading, and the link
// that it begins with.
func firstOf(blocks []Block) (said []Inline, link *Link) {
	if len(blocks) == 0 {
		return nil, nil
	}
	switch b := blocks[0].(type) {
	case *Element:
		if strings.Contains(" h1 h2 h3 h4 h5 h6 ", " "+b.Name+" ") {
			return firstOf(b.Blocks)
		}
	case *Paragraph:
		link, _ = b.Inlines[0].(*Link) // nil where it begins with something else
		return b.Inlines, link
	}
	return nil, nil
}
