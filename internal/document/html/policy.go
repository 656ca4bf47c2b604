package html

import (
	"regexp"
	"strings"

	"github.com/microcosm-cc/bluemonday"
)

// allowedAttribute reports whether an author may set an attribute to a value. Allowed ones
// cannot load, run or style anything.
func allowedAttribute(element, name, value string) bool {
	switch name {
	case "id":
		return idValue.MatchString(value)
	case "title", "abbr":
		return true
	case "lang", "dir", "datetime":
		return wordValue.MatchString(value)
	case "width", "height":
		return element == "img" && sizeValue.MatchString(value)
	case "colspan", "rowspan":
		return (element == "td" || element == "th") && numberValue.MatchString(value)
	case "start", "value":
		return (element == "ol" || element == "li") && numberValue.MatchString(value)
	case "type":
		return element == "ol" && len(value) == 1 && strings.Contains("1aAiI", value)
	case "reversed":
		return element == "ol" && value == ""
	case "open":
		return element == "details" && value == ""
	case "scope":
		return element == "th" && wordValue.MatchString(value)
	}
	return false
}

var (
	idValue     = regexp.MustCompile(`^[^\s"'<>&]{1,200}$`)
	wordValue   = regexp.MustCompile(`^[A-Za-z0-9:.+-]{1,40}$`)
	sizeValue   = regexp.MustCompile(`^[0-9]{1,4}%?$`)
	numberValue = regexp.MustCompile(`^-?[0-9]{1,9}$`)
	classValue  = regexp.MustCompile(`^[A-Za-z0-9_ -]{1,500}$`)
)

// policy is the allow list for fragments, a second line of defence after the writer.
func policy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	p.AllowElements(
		"a", "abbr", "address", "article", "aside", "b", "bdi", "bdo", "blockquote", "br", "caption", "cite", "code", "colgroup",
		"data", "dd", "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "footer", "h1", "h2", "h3",
		"h4", "h5", "h6", "header", "hr", "i", "img", "ins", "kbd", "li", "main", "mark", "nav", "ol", "p", "pre", "q", "rp",
		"rt", "ruby", "s", "samp", "section", "small", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot",
		"th", "thead", "time", "tr", "u", "ul", "var", "wbr")
	p.AllowNoAttrs().OnElements("a", "data", "bdo", "main")
	p.AllowAttrs("id").Matching(regexp.MustCompile(`^[^\s"'<>&]+$`)).Globally()
	p.AllowAttrs("class").Matching(classValue).Globally()
	p.AllowAttrs("title").Globally()
	p.AllowAttrs("lang", "dir", "datetime").Matching(wordValue).Globally()
	p.AllowAttrs("role").Matching(regexp.MustCompile(`^(note|img|doc-noteref|doc-backlink|doc-endnotes)$`)).Globally()
	p.AllowAttrs("aria-label", "abbr").Globally()
	p.AllowAttrs("tabindex").Matching(regexp.MustCompile(`^0$`)).OnElements("pre", "div")
	p.AllowAttrs("width", "height").Matching(sizeValue).OnElements("img")
	p.AllowAttrs("alt").OnElements("img")
	p.AllowAttrs("colspan", "rowspan").Matching(numberValue).OnElements("td", "th")
	p.AllowAttrs("scope").Matching(wordValue).OnElements("th")
	p.AllowAttrs("start", "value").Matching(numberValue).OnElements("ol", "li")
	p.AllowAttrs("type").Matching(regexp.MustCompile(`^[1aAiI]$`)).OnElements("ol")
	p.AllowAttrs("reversed").Matching(regexp.MustCompile(`^$`)).OnElements("ol")
	p.AllowAttrs("open").Matching(regexp.MustCompile(`^$`)).OnElements("details")
	p.AllowAttrs("name").Matching(idValue).OnElements("a", "details")
	p.AllowAttrs("href").OnElements("a")
	p.AllowAttrs("src").OnElements("img")
	p.AllowURLSchemes("http", "https", "mailto", "tel")
	p.AllowRelativeURLs(true)
	p.RequireParseableURLs(true)
	p.AllowDataURIImages()
	return p
}
