package document

import (
	"slices"
	"strings"
)

// show records the address of media on the page.
func (p *parser) show(address string, pos Pos) {
	p.shown = append(p.shown, shown{address, pos})
}

type shown struct {
	address string
	pos     Pos
}

// showTag records the addresses in literal attributes of a tag.
func (p *parser) showTag(t *tag) {
	p.addTagRanges(t)
	if t.mark == nil && !strings.Contains(t.Inside, "src") && !strings.Contains(t.Inside, "poster") && t.Name != "object" {
		return
	}
	for _, address := range p.readAttributes(t, false).Media(t.Name) {
		p.show(address, t.pos)
	}
}

func (p *parser) sortedShown() []string {
	slices.SortStableFunc(p.shown, func(a, b shown) int { return int(a.pos) - int(b.pos) })
	addresses := make([]string, len(p.shown))
	for i := range p.shown {
		addresses[i] = p.shown[i].address
	}
	return addresses
}
