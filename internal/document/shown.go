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
	attributes := p.readAttributes(t, false)
	names := []string{"src", "poster"}
	if t.Name == "object" {
		names = append(names, "data")
	}
	for _, name := range names {
		if address := attributes.String(name); address != "" {
			p.show(address, t.pos)
		}
	}
	for candidate := range strings.SplitSeq(attributes.String("srcset"), ",") {
		if words := strings.Fields(candidate); len(words) > 0 {
			p.show(words[0], t.pos)
		}
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
