package dialect

import (
	"cmp"
	"path"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
)

// mdcNames maps components of Nuxt Content, which are written in MDC, to elements and components.
var mdcNames = map[string]string{
	"callout": "Callout", "alert": "Callout", "code-group": "CodeGroup", "code-tree": "CodeGroup", "tabs": "Tabs", "tabs-item": "Tab", "tab": "Tab", "steps": "div", "div": "div",
	"accordion": "AccordionGroup", "accordion-item": "Accordion", "collapsible": "Accordion", "card-group": "CardGroup", "card": "Card",
	"u-page-grid": "CardGroup", "u-page-card": "Card", "read-more": "Link", "u-button": "Link", "field": "Field", "field-group": "div",
	"icon": "Icon", "badge": "Badge", "kbd": "kbd", "br": "br",
}

// mdcLine parses a component of MDC: "::name[text]{attributes}", which reaches to a line with
// as many colons, or ":name{attributes}" alone on its line.
func mdcLine(line string) (Mark, bool) {
	run := inline.RunLength(line, ':')
	if run == 0 {
		return Mark{}, false
	}
	if run == 1 {
		m, ok := mdcText(line, 0)
		if part := m.Attributes.String("content"); ok && strings.HasPrefix(line, ":partial{") && part != "" {
			file := File{Name: path.Join("_partials", part+".md")}
			return Mark{Include: &file}, true
		}
		if name, _, _, width := mdcCall(line[1:]); 1+width == len(line) && strings.Contains(name, "-") && !ok {
			return Mark{LeftOut: true}, true
		}
		return m, ok && m.Width == len(line)
	}
	name, text, attributes, width := mdcCall(line[run:])
	bare := text == "" && len(attributes) == 0
	if name == "" || run+width != len(line) || bare && run > 2 && mdcNames[name] == "" {
		return Mark{}, false // a container, or text
	}
	m := Mark{Form: Fenced, Exact: true, Alone: true, Title: text}
	m.With = func(m Mark, options attribute.List) Mark { return mdc(name, m, append(attributes, options...)) }
	return m, true
}

// mdcText parses a component of MDC in a text: ":name[text]{attributes}".
func mdcText(text string, at int) (Mark, bool) {
	s := text[at:min(len(text), at+maxReach)]
	name, content, attributes, width := mdcCall(strings.TrimPrefix(s, ":"))
	if s[0] != ':' || width == len(name) && name != "br" || at > 0 && strings.IndexByte(" \t\n([*_|>\"", text[at-1]) < 0 {
		return Mark{}, false
	}
	m := mdc(name, Mark{Width: 1 + width, Text: content}, attributes)
	if m.Text = cmp.Or(m.Text, m.Title); m.Text == "" && attributes.String("text", "title") != "" {
		m.Text, m.Attributes = attributes.String("text", "title"), nil
	}
	if m.Text == "" && m.Name != "Icon" && m.Name != "br" {
		m.Name, m.LeftOut = "", true
	}
	m.Title = ""
	return m, true
}

// mdcCall parses the name of a component, its text and its attributes.
func mdcCall(s string) (name, text string, attributes attribute.List, width int) {
	for width < len(s) && (inline.IsLetter(s[width]) || width > 0 && (inline.IsDigit(s[width]) || s[width] == '-')) {
		width++
	}
	name = s[:width]
	if name != "" && strings.HasPrefix(s[width:], "[") {
		if end := closingBracket(s[width:]); end > 0 {
			text = s[width+1 : width+end]
			width += end + 1
		}
	}
	if inside, _, closed := strings.Cut(s[width:], "}"); name != "" && closed && inside != "" && inside[0] == '{' {
		if list, ok := attribute.Parse(inside[1:], true); ok {
			attributes = list
			width += len(inside) + 1
		}
	}
	return name, text, attributes, width
}

// mdc completes the mark of a component.
func mdc(name string, m Mark, a attribute.List) Mark {
	m.Name, m.Attributes = cmp.Or(mdcNames[name], unknownName(name)), a
	kind := cmp.Or(element.Variant(name), element.Variant(a.String("color", "type")))
	href := a.String("to", "href")
	if id := a.String("videoId"); id != "" && a.String("platform") == "vimeo" {
		href = "https://vimeo.com/" + id
	} else if id != "" {
		href = "https://www.youtube.com/watch?v=" + id
	}
	switch {
	case name == "div" && a.String("label") != "": // among tabs
		m.Name = "Tab"
	case m.Name == "Callout" || element.Variant(name) != "":
		m.Name, m.Title, m.Attributes = "Callout", cmp.Or(m.Title, a.String("title")), with(nil, "type", cmp.Or(kind, "note"))
		if href != "" {
			m.Beneath = "[" + href + "](" + href + ")"
		}
	case m.Name == "Link", mdcNames[name] == "" && m.Form == Leaf && href != "":
		m.Name = "Link"
		m.Text, m.Attributes = cmp.Or(m.Text, m.Title, a.String("title", "label"), href), with(nil, "href", href)
		m.Title = ""
	case m.Name == "kbd":
		m.Text = cmp.Or(m.Text, a.String("value"))
	case m.Name == "Badge":
		m.Text = cmp.Or(m.Text, m.Title, a.String("label"))
	case href != "":
		m.Attributes = with(a, "href", href)
	}
	return m
}
