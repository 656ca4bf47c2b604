package document

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/element"
)

// componentName returns the original name of a tag that is a component, else "".
func componentName(t *tag) string {
	return element.ComponentName(strings.TrimPrefix(t.text[1:], "/")[:len(t.Name)], t.Name)
}

// nameComponent restores the original name of a tag that is closed, by itself or by a
// partner. Others keep the element name.
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
