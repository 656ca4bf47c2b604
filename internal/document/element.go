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
	if c, found := elements[name]; found {
		return c
	}
	if p.mdx && (kindOf(name) != NoKind || isLink(name) || isImage(name)) {
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

// elements are the elements of HTML by class. Those of forms are shown as the
// text in them.
var elements = map[string]class{
	"a": phrasingElement, "abbr": phrasingElement, "b": phrasingElement, "bdi": phrasingElement, "bdo": phrasingElement,
	"big": phrasingElement, "cite": phrasingElement, "code": phrasingElement, "data": phrasingElement, "del": phrasingElement,
	"dfn": phrasingElement, "em": phrasingElement, "font": phrasingElement, "i": phrasingElement, "ins": phrasingElement,
	"kbd": phrasingElement, "mark": phrasingElement, "q": phrasingElement, "rp": phrasingElement, "rt": phrasingElement,
	"ruby": phrasingElement, "s": phrasingElement, "samp": phrasingElement, "small": phrasingElement, "span": phrasingElement,
	"strike": phrasingElement, "strong": phrasingElement, "sub": phrasingElement, "sup": phrasingElement,
	"time": phrasingElement, "tt": phrasingElement, "u": phrasingElement, "var": phrasingElement,

	"address": flowElement, "article": flowElement, "aside": flowElement, "blockquote": flowElement, "caption": flowElement,
	"center": flowElement, "colgroup": flowElement, "dd": flowElement, "details": flowElement, "div": flowElement,
	"dl": flowElement, "dt": flowElement, "figcaption": flowElement, "figure": flowElement, "footer": flowElement,
	"h1": flowElement, "h2": flowElement, "h3": flowElement, "h4": flowElement, "h5": flowElement, "h6": flowElement,
	"header": flowElement, "li": flowElement, "main": flowElement, "nav": flowElement, "ol": flowElement, "p": flowElement,
	"pre": flowElement, "section": flowElement, "summary": flowElement, "table": flowElement, "tbody": flowElement,
	"td": flowElement, "tfoot": flowElement, "th": flowElement, "thead": flowElement, "tr": flowElement, "ul": flowElement,

	"br": voidElement, "hr": voidElement, "img": voidElement, "col": voidElement, "wbr": voidElement,

	"body": transparentElement, "button": transparentElement, "fieldset": transparentElement, "form": transparentElement,
	"html": transparentElement, "label": transparentElement, "legend": transparentElement, "menu": transparentElement,
	"noscript": transparentElement, "optgroup": transparentElement, "option": transparentElement,
	"picture": transparentElement, "Fragment": transparentElement, "Teleport": transparentElement, "search": transparentElement, "select": transparentElement, "slot": transparentElement,
	"textarea": transparentElement, "dialog": transparentElement, "hgroup": transparentElement, "output": transparentElement,

	"area": droppedElement, "base": droppedElement, "basefont": droppedElement, "canvas": droppedElement,
	"head": droppedElement, "input": droppedElement, "link": droppedElement, "map": droppedElement, "math": droppedElement,
	"meta": droppedElement, "meter": droppedElement, "param": droppedElement, "progress": droppedElement,
	"script": droppedElement, "source": droppedElement, "style": droppedElement, "svg": droppedElement,
	"template": droppedElement, "title": droppedElement, "track": droppedElement,

	"audio": embeddedElement, "embed": embeddedElement, "frame": embeddedElement, "iframe": embeddedElement,
	"object": embeddedElement, "Video": embeddedElement, "video": embeddedElement, "YouTubeEmbed": embeddedElement,
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
