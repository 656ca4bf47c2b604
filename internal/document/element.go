package document

import "strings"

// class tells what is done with a tag of a name.
type class uint8

const (
	unknownName        class = iota
	phrasingElement          // part of a line of text
	flowElement              // holds blocks
	voidElement              // holds nothing
	transparentElement       // shown as what it holds
	droppedElement           // not shown, nor what it holds
	embeddedElement          // shown as a link
	component                // of MDX, known by name
)

// class returns the class of a name.
func (p *parser) class(name string) class {
	if p.imports[name] != "" {
		return unknownName
	}
	if c := classOfElement(name); c != unknownName {
		return c
	}
	if kindOf(name) != NoKind || isLink(name) || isImage(name) {
		return component
	}
	if strings.IndexByte(name, '-') > 0 {
		return transparentElement // an element of somebody's own
	}
	return unknownName
}

// isBlock reports whether a tag stands between blocks, not in a line of text.
func (p *parser) isBlock(name string) bool {
	switch p.class(name) {
	case flowElement:
		return true
	case voidElement:
		return name == "hr"
	case component:
		return !kindOf(name).inline()
	case unknownName:
		return p.imports[name] != ""
	}
	return false
}

// classOfElement returns the class of an element of HTML, unknownName for others.
// Those of forms are shown as the text in them.
func classOfElement(name string) class {
	switch name {
	case "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q", "rp", "rt",
		"ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var":
		return phrasingElement
	case "address", "article", "aside", "blockquote", "caption", "center", "colgroup", "dd", "details", "div", "dl", "dt", "figcaption",
		"figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table",
		"tbody", "td", "tfoot", "th", "thead", "tr", "ul":
		return flowElement
	case "br", "hr", "img", "col", "wbr":
		return voidElement
	case "body", "button", "fieldset", "form", "html", "label", "legend", "menu", "noscript", "optgroup", "option", "picture", "Fragment",
		"Teleport", "search", "select", "slot", "textarea", "dialog", "hgroup", "output":
		return transparentElement
	case "area", "base", "basefont", "canvas", "head", "input", "link", "map", "math", "meta", "meter", "param", "progress", "script",
		"source", "style", "svg", "template", "title", "track":
		return droppedElement
	case "audio", "embed", "frame", "iframe", "object", "Video", "video", "YouTubeEmbed":
		return embeddedElement
	}
	return unknownName
}

// holdsNothing reports whether an element has no closing tag.
func holdsNothing(name string) bool {
	switch name {
	case "area", "base", "basefont", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}

// modern returns the element that HTML has today for an obsolete one.
func modern(name string) string {
	switch name {
	case "big", "font":
		return "span"
	case "center", "main":
		return "div"
	case "strike":
		return "s"
	case "tt":
		return "code"
	}
	return name
}

// isLink and isImage tell elements and components that are one.
func isLink(name string) bool {
	switch name {
	case "a", "A", "Link", "NavLink", "Anchor", "Button", "LinkButton":
		return true
	}
	return false
}

func isImage(name string) bool {
	switch name {
	case "img", "Image", "Img", "ThemedImage", "ThemeImage", "Zoom.Image":
		return true
	}
	return false
}

// impliedEnd reports whether an element ends where the next of its like
// starts, as its closing tag may be left out.
func impliedEnd(open, next string) bool {
	switch open {
	case "li", "p", "tr", "option":
		return next == open
	case "td", "th":
		return next == "td" || next == "th" || next == "tr"
	case "dt", "dd":
		return next == "dt" || next == "dd"
	}
	return false
}
