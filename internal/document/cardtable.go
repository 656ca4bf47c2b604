package document

import (
	"strings"
	"unicode"
)

// cardTable makes a card of each row of a table of GitBook. The heads of the columns tell
// which have the target and the picture of a card.
func (p *parser) cardTable(pos Pos, parts []Block) *Component {
	all := &Component{at: at{pos}, Kind: Cards, Name: "Cards"}
	var heads []*Element
	for _, part := range elementsIn(parts) {
		for _, row := range elementsIn(part.Blocks) {
			if part.Name == "thead" {
				heads = elementsIn(row.Blocks)
				continue
			}
			card := &Component{at: at{row.pos}, Kind: Card, Name: "Card"}
			all.Blocks = append(all.Blocks, card)
			for i, cell := range elementsIn(row.Blocks) {
				is := func(name string) bool { return i < len(heads) && heads[i].Attributes.Bool(name) }
				said, first := firstText(cell.Blocks), Inline(nil)
				if len(said) > 0 {
					first = said[0]
				}
				link, linked := first.(*Link)
				switch {
				case linked && is("data-card-target"):
					card.Attributes = Attributes{{Name: "href", Value: link.Href}}
				case linked && is("data-card-cover"):
					p.show(link.Href, link.pos)
					card.Blocks = append([]Block{&Paragraph{at{link.pos}, false, []Inline{&Image{at{link.pos}, link.Href, "", "", nil}}}}, card.Blocks...)
				case linked && is("data-card-cover-dark"):
					p.show(link.Href, link.pos) // which an import keeps
				case is("data-hidden"):
				case card.Title == nil && strings.ContainsFunc(PlainText(said), unicode.IsLetter):
					card.Title = said
					card.Blocks = append(card.Blocks, cell.Blocks[1:]...)
				default:
					card.Blocks = append(card.Blocks, cell.Blocks...)
				}
			}
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

// firstText returns the text of the first block if that is a paragraph, a heading or the like.
func firstText(blocks []Block) []Inline {
	if len(blocks) == 0 {
		return nil
	}
	e, ok := blocks[0].(*Element)
	if ok && strings.Contains(" h1 h2 h3 h4 h5 h6 p div ", " "+e.Name+" ") && len(e.Blocks) == 1 {
		blocks = e.Blocks
	}
	said, ok := blocks[0].(*Paragraph)
	if !ok {
		return nil
	}
	return said.Inlines
}
