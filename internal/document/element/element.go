// Package element classifies the names of HTML elements and of the components of
// documentation generators. Package document makes nodes of them.
package element

import (
	"cmp"
	"strings"
)

// Class determines the treatment of a tag by its name.
type Class uint8

const (
	Unknown     Class = iota
	Phrasing          // inline
	Flow              // contains blocks
	Void              // has no content
	Transparent       // only its content is shown
	Dropped           // neither it nor its content is shown
	Embedded          // shown as a link
	Component         // a known MDX component
)

// ClassOf returns the class of an HTML element, Unknown for others. Form elements are shown as
// their text.
func ClassOf(name string) Class {
	switch name {
	case "a", "abbr", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "font", "i", "ins", "kbd", "mark", "q", "rp", "rt",
		"ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u", "var":
		return Phrasing
	case "address", "article", "aside", "blockquote", "caption", "center", "colgroup", "dd", "details", "div", "dl", "dt", "figcaption",
		"figure", "footer", "h1", "h2", "h3", "h4", "h5", "h6", "header", "li", "main", "nav", "ol", "p", "pre", "section", "summary", "table",
		"tbody", "td", "template", "tfoot", "th", "thead", "tr", "ul":
		return Flow
	case "br", "hr", "img", "col", "wbr":
		return Void
	case "body", "button", "fieldset", "form", "html", "label", "legend", "menu", "noscript", "optgroup", "option", "picture", "Fragment",
		"Teleport", "search", "select", "slot", "datalist", "textarea", "dialog", "hgroup", "output":
		return Transparent
	case "area", "base", "basefont", "canvas", "head", "input", "link", "map", "math", "meta", "meter", "param", "progress", "script",
		"style", "svg", "title", "track":
		return Dropped
	case "audio", "embed", "frame", "iframe", "object", "source", "Video", "video",
		"YouTube", "YouTubeEmbed", "YouTubeVideo", "LiteYouTubeEmbed", "Youtube", "YoutubeEmbed", "YoutubeVideo":
		return Embedded
	}
	return Unknown
}

// ClassOfTag returns the class of an element or component.
func ClassOfTag(name string) Class {
	if c := ClassOf(name); c != Unknown {
		return c
	}
	if KindOf(name) != NoKind || IsLink(name) || IsImage(name) {
		return Component
	}
	if strings.IndexByte(name, '-') > 0 {
		return Transparent // a custom element
	}
	return Unknown
}

// IsBlock reports whether a tag is at block level.
func IsBlock(name string) bool {
	switch ClassOfTag(name) {
	case Flow:
		return true
	case Void:
		return name == "hr"
	case Component:
		return !KindOf(name).Inline()
	}
	return name == "CodeBlock"
}

// InText reports whether an element may stand within a line of text.
func InText(name string) bool {
	return ClassOf(name) == Phrasing || name == "picture" || name == "button" || name == "label"
}

// HoldsNothing reports whether an element has no closing tag.
func HoldsNothing(name string) bool {
	switch name {
	case "area", "base", "basefont", "br", "col", "embed", "frame", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}

// modern maps obsolete elements to present ones.
var modern = map[string]string{"big": "span", "font": "span", "center": "div", "main": "div", "template": "div", "strike": "s", "tt": "code"}

// Modern returns the present equivalent of an obsolete element.
func Modern(name string) string { return cmp.Or(modern[name], name) }

func IsLink(name string) bool {
	switch name {
	case "a", "A", "Link", "NavLink", "Anchor", "Button", "LinkButton":
		return true
	}
	return false
}

func IsImage(name string) bool {
	switch name {
	case "img", "Image", "Img", "ThemedImage", "ThemeImage", "Zoom.Image":
		return true
	}
	return false
}

// ImpliedEnd reports whether the element open ends implicitly where next starts.
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
