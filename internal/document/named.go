package document

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/element"
)

// componentName returns the name of a tag of Markdown if it is that of a component.
func componentName(t *tag) string {
	start := 1
	if t.Closing {
		start = 2
	}
	return element.ComponentName(t.text[start:start+len(t.Name)], t.Name)
}

// nameComponent gives a tag that ends at a place of the text its name as written
// if it closes itself or has a partner, and otherwise that of an element.
func (b *builder) nameComponent(t *tag, end int) {
	name := componentName(t)
	if t.Name = strings.ToLower(t.Name); name == "" {
		return
	}
	if b.pairs == nil {
		b.pairs = element.NewPairs(b.source.text)
	}
	if t.SelfClosing || b.pairs.Has(name, t.Closing, end) {
		t.Name = name
	}
}
