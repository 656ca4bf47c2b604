package document

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/document/element"
)

// componentName returns the original name of a tag that is a component: a known name, or a
// capitalised one that is not HTML.
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

// componentPairs finds the component tags in a Markdown text. A word in angle brackets that
// is never closed is text, as in List<String>.
type componentPairs struct {
	closing map[string]int // offset of the last closing tag per name
	open    map[string]int // number of open tags per name
}

// nameComponent restores the original name of a tag that is closed, by itself or by a
// partner. Others keep the element name.
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
