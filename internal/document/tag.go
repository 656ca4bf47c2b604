package document

import (
	"html"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/literal"
)

// tag is an HTML or MDX tag and its position.
type tag struct {
	inline.Tag
	text string // source
	pos  Pos
	mark *dialect.Mark // an equivalent mark of the dialect
}

// scanTag reads the tag at the start of s; width is 0 if there is none.
func scanTag(s string, jsx bool, scan *inline.Budget, pos Pos) (t tag, width int) {
	read, width := inline.ScanTag(s, jsx, scan)
	return tag{Tag: read, text: s[:width], pos: pos}, width
}

// attributes returns the attributes of a tag. MDX values that are not literals are omitted,
// with a notice.
func (p *parser) attributes(t *tag) Attributes { return p.readAttributes(t, true) }

// readAttributes is attributes with optional notices.
func (p *parser) readAttributes(t *tag, notices bool) Attributes {
	if t.mark != nil {
		return t.mark.Attributes
	}
	var all Attributes
	start := t.pos + Pos(len(t.text)-tagEnd(t)-len(t.Inside))
	for a := range t.Attributes() {
		if value, ok := p.attributeValue(a.Name, a.Value); ok {
			if text, isText := value.(string); isText && (a.Name == "href" || a.Name == "src") && strings.HasPrefix(text, "{") {
				if value = p.leads(text, start+Pos(a.Start)); value == "" {
					continue
				}
			}
			all = append(all, Attribute{Name: a.Name, Value: value})
		} else if notices && !literal.Comment(a.Value) {
			p.notice(AttributeOmitted, start+Pos(a.Start), t.Inside[a.Start:a.End])
		}
	}
	return all
}

// tagEnd is the width of the end of a tag.
func tagEnd(t *tag) int {
	if t.SelfClosing {
		return len("/>")
	}
	return len(">")
}

// attributeValue evaluates an attribute; ok is false for a spread or a value that is not a
// literal.
func (p *parser) attributeValue(name, written string) (value any, ok bool) {
	switch {
	case name == "":
		return nil, false
	case written == "":
		return true, true
	case written[0] == '{' && written[len(written)-1] == '}':
		return literal.Value(written[1:len(written)-1], p.values)
	case len(written) > 1 && strings.IndexByte("\"'`", written[0]) >= 0:
		written = written[1 : len(written)-1]
	}
	written = html.UnescapeString(written)
	if name == "href" || name == "src" {
		written = p.dialect.Fill(written, p.values)
	}
	if (name == "href" || name == "src") && p.dialect != nil && p.dialect.Address != nil {
		written, ok = p.dialect.Address(written)
		return written, ok
	}
	return written, true
}

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
