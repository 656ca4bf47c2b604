package document

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/element"
)

// componentName returns the name of a tag of Markdown as written if it is that of
// a component: one that is known, or one with a capital that HTML does not know.
func componentName(t *tag) string {
	start := 1
	if t.Closing {
		start = 2
	}
	name := t.text[start : start+len(t.Name)]
	switch {
	case !element.StartsUpper(name):
		return ""
	case element.ClassOf(t.Name) == element.Unknown:
		return name
	case name == strings.ToUpper(name) || element.KindOf(name) == NoKind && !element.IsLink(name) && !element.IsImage(name):
		return "" // <BR>, <Div>
	}
	return name
}

// componentPairs tells which tags in a text of Markdown are of components. A word
// in angle brackets that nothing closes is text, as in List<String>.
type componentPairs struct {
	closing map[string]int // where the last closing tag of each name starts
	open    map[string]int // how many are open
}

// nameComponent gives a tag that ends at a place of the text its name as written
// if it closes itself or has a partner, and otherwise that of an element.
func (b *builder) nameComponent(t *tag, end int) {
	name := componentName(t)
	if t.Name = strings.ToLower(t.Name); name == "" {
		return
	}
	if b.pairs == nil {
		b.pairs = &componentPairs{closing: map[string]int{}, open: map[string]int{}}
		for s, at := b.source.text, 0; ; {
			next := strings.Index(s[at:], "</")
			if next < 0 {
				break
			}
			at += next + len("</")
			if width := strings.IndexByte(s[at:min(len(s), at+64)], '>'); width > 0 {
				b.pairs.closing[s[at:at+width]] = at
			}
		}
	}
	switch {
	case t.SelfClosing:
	case t.Closing:
		if b.pairs.open[name] == 0 {
			return
		}
		b.pairs.open[name]--
	case b.pairs.closing[name] < end:
		return
	default:
		b.pairs.open[name]++
	}
	t.Name = name
}
