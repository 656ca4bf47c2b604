package element

import "strings"

// ComponentName returns the name of a tag of Markdown, as written, if it is that of a
// component: one that is known, or one with a capital that HTML does not know. Lower
// is the name as it is read.
func ComponentName(written, lower string) string {
	switch {
	case !StartsUpper(written):
		return ""
	case ClassOf(lower) == Unknown:
		return written
	case written == strings.ToUpper(written) || KindOf(written) == NoKind && !IsLink(written) && !IsImage(written):
		return "" // <BR>, <Div>
	}
	return written
}

// Pairs tells which tags in a text of Markdown are of components. A word in angle
// brackets that nothing closes is text, as in List<String>.
type Pairs struct {
	closing map[string]int // where the last closing tag of each name starts
	open    map[string]int // how many are open
}

// NewPairs returns the pairs of a text.
func NewPairs(text string) *Pairs {
	p := &Pairs{closing: map[string]int{}, open: map[string]int{}}
	for at := 0; ; {
		next := strings.Index(text[at:], "</")
		if next < 0 {
			return p
		}
		at += next + len("</")
		if width := strings.IndexByte(text[at:min(len(text), at+64)], '>'); width > 0 {
			p.closing[text[at:at+width]] = at
		}
	}
}

// Has reports whether a tag that ends at a place of the text has a partner, and takes
// it up.
func (p *Pairs) Has(name string, closing bool, end int) bool {
	switch {
	case closing && p.open[name] > 0:
		p.open[name]--
		return true
	case closing || p.closing[name] < end:
		return false
	}
	p.open[name]++
	return true
}
