package dialect

import (
	"cmp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
)

// gitbookLine reads a line of GitBook: a block between braces.
func gitbookLine(line string) (Mark, bool) {
	c, ok := scanCall(line, "{%", "%}")
	if !ok || c.width != len(line) {
		return Mark{}, false
	}
	return gitbookBlock(c)
}

// gitbookText reads a block of GitBook that stands within a line.
func gitbookText(text string, at int) (Mark, bool) {
	c, ok := scanCall(text[at:], "{%", "%}")
	if !ok {
		return Mark{}, false
	}
	m, ok := gitbookBlock(c)
	m.Width = c.width
	return m, ok && m.Form != Literal
}

func gitbookBlock(c call) (Mark, bool) {
	name, closing := strings.CutPrefix(c.name, "end")
	m := Mark{Form: Opening, Attributes: c.attributes}
	if closing {
		m.Form, m.Attributes = Closing, nil
	}
	title := func() attribute.List { return with(c.attributes, "title", c.attributes.String("title", "caption")) }
	switch name {
	case "hint":
		m.Name = "Callout"
		m.Attributes = with(nil, "type", cmp.Or(c.attributes.String("style"), "info"))
	case "tabs":
		m.Name = "Tabs"
	case "tab":
		m.Name = "Tab"
	case "stepper":
		m.Name = "Steps"
	case "step":
		m.Name = "Step"
	case "columns":
		m.Name = "Columns"
	case "column":
		m.Name = "Column"
	case "code":
		m.Name, m.Attributes = "Code", title()
	default:
		return Mark{}, false
	}
	return m, true
}
