// Package element knows the names of the elements of HTML and of the components
// that generators of documentation have, and what they are. It makes nothing of
// them: package document does.
package element

import "cmp"

// Class tells what is done with a tag of a name.
type Class uint8

// The classes.
const (
	Unknown     Class = iota
	Phrasing          // part of a line of text
	Flow              // holds blocks
	Void              // holds nothing
	Transparent       // shown as what it holds
	Dropped           // not shown, nor what it holds
	Embedded          // shown as a link
	Component         // of MDX, known by name
)

// ClassOf returns the class of an element of HTML, Unknown for others.
// Those of forms are shown as the text in them.
func ClassOf(name string) Class {
	switch name {
	case "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q", "rp", "rt",
		"ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var":
		return Phrasing
	case "address", "article", "aside", "blockquote", "caption", "center", "colgroup", "dd", "details", "div", "dl", "dt", "figcaption",
		"figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table",
		"tbody", "td", "tfoot", "th", "thead", "tr", "ul":
		return Flow
	case "br", "hr", "img", "col", "wbr":
		return Void
	case "body", "button", "fieldset", "form", "html", "label", "legend", "menu", "noscript", "optgroup", "option", "picture", "Fragment",
		"Teleport", "search", "select", "slot", "datalist", "textarea", "dialog", "hgroup", "output":
		return Transparent
	case "area", "base", "basefont", "canvas", "head", "input", "link", "map", "math", "meta", "meter", "param", "progress", "script",
		"source", "style", "svg", "template", "title", "track":
		return Dropped
	case "audio", "embed", "frame", "iframe", "object", "Video", "video", "YouTubeEmbed":
		return Embedded
	}
	return Unknown
}

// HoldsNothing reports whether an element has no closing tag.
func HoldsNothing(name string) bool {
	switch name {
	case "area", "base", "basefont", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}

// modern are the elements that HTML has today for obsolete ones.
var modern = map[string]string{"big": "span", "font": "span", "center": "div", "main": "div", "strike": "s", "tt": "code"}

// Modern returns the element that HTML has today for an obsolete one.
func Modern(name string) string { return cmp.Or(modern[name], name) }

// IsLink reports whether an element or component is a link.
func IsLink(name string) bool {
	switch name {
	case "a", "A", "Link", "NavLink", "Anchor", "Button", "LinkButton":
		return true
	}
	return false
}

// IsImage is IsLink for images.
func IsImage(name string) bool {
	switch name {
	case "img", "Image", "Img", "ThemedImage", "ThemeImage", "Zoom.Image":
		return true
	}
	return false
}

// ImpliedEnd reports whether an element ends where the next of its like
// starts, as its closing tag may be left out.
func ImpliedEnd(open, next string) bool {
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
