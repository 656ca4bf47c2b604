package inline

import (
	"slices"
	"strings"
)

// The start conditions of HTML blocks (CommonMark section 4.6).
const (
	HTMLText        = 1 + iota // script, pre, style, textarea
	HTMLComment                // <!--
	HTMLInstruction            // <?
	HTMLDeclaration            // <!X
	HTMLCDATA                  // <![CDATA[
	HTMLElement                // a block element
	HTMLTag                    // any complete tag alone on its line

	KramdownComment = -1 // {::comment}
	LiquidComment   = -2 // {% comment %}
	KramdownHTML    = -3 // {::nomarkdown}
)

// HTMLStart returns the start condition of a line, or 0. For HTMLTag it checks only the first
// characters.
func HTMLStart(s string) int {
	switch {
	case strings.HasPrefix(s, "<!--"):
		return HTMLComment
	case strings.HasPrefix(s, "<?"):
		return HTMLInstruction
	case strings.HasPrefix(s, "<![CDATA["):
		return HTMLCDATA
	case len(s) > 2 && s[1] == '!' && IsLetter(s[2]):
		return HTMLDeclaration
	}
	name, closing := strings.CutPrefix(s[1:], "/")
	n := 0
	for n < len(name) && (IsLetter(name[n]) || n > 0 && IsDigit(name[n])) {
		n++
	}
	if n == 0 {
		return 0
	}
	tag, after := strings.ToLower(name[:n]), name[n:]
	ends := after == "" || IsBlank(after[0]) || after[0] == '>'
	switch {
	case ends && !closing && isTextElement(tag):
		return HTMLText
	case (ends || strings.HasPrefix(after, "/>")) && isBlockElement(tag):
		return HTMLElement
	}
	return HTMLTag
}

// HTMLEnds reports whether a line ends its HTML block.
func HTMLEnds(kind int, line string) bool {
	switch kind {
	case HTMLText:
		line = strings.ToLower(line)
		return strings.Contains(line, "</script>") || strings.Contains(line, "</pre>") ||
			strings.Contains(line, "</style>") || strings.Contains(line, "</textarea>")
	case HTMLComment:
		return strings.Contains(line, "-->")
	case KramdownComment, KramdownHTML:
		return strings.Contains(line, "{:/")
	case LiquidComment:
		return strings.Contains(line, "endcomment")
	case HTMLInstruction:
		return strings.Contains(line, "?>")
	case HTMLDeclaration:
		return strings.IndexByte(line, '>') >= 0
	case HTMLCDATA:
		return strings.Contains(line, "]]>")
	}
	return false
}

// StartsHTML reports whether the tag of an element starts an HTML block at the start of any
// line. The name is in lower case.
func StartsHTML(name string) bool { return isBlockElement(name) || isTextElement(name) }

func isTextElement(name string) bool {
	return name == "script" || name == "pre" || name == "style" || name == "textarea"
}

func isBlockElement(name string) bool {
	_, found := slices.BinarySearch(blockElements[:], name)
	return found
}

// blockElements is sorted.
var blockElements = [...]string{
	"address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col", "colgroup",
	"dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form",
	"frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html", "iframe", "legend",
	"li", "link", "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup", "option", "p", "param",
	"search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "title", "tr", "track", "ul",
}
