package markdown

import (
	"bytes"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// The ways in which a block of HTML starts, by CommonMark section 4.6.
const (
	htmlText        = 1 + iota // script, pre, style, textarea
	htmlComment                // <!--
	htmlInstruction            // <?
	htmlDeclaration            // <!X
	htmlCDATA                  // <![CDATA[
	htmlElement                // a known block element
	htmlTag                    // any tag alone on its line
)

// startHTML opens a block of HTML.
func (p *blockParser) startHTML(matched int, ahead []byte) lineResult {
	kind := htmlStart(ahead)
	if kind == htmlTag {
		_, width := inline.ScanTag(ahead, false, &p.scan)
		if width == 0 || len(bytes.TrimSpace(ahead[width:])) > 0 {
			kind = 0
		}
		if p.tip().kind == paragraphBlock {
			kind = 0 // this one does not interrupt a paragraph
		}
	}
	if kind == 0 {
		return no
	}
	p.nest(matched, htmlBlock)
	p.push(block{kind: htmlBlock, length: kind})
	return yes
}

// htmlStart tells which kind of HTML a line may start, 0 for none. Of htmlTag
// only the first characters are seen to.
func htmlStart(s []byte) int {
	switch {
	case bytes.HasPrefix(s, []byte("<!--")):
		return htmlComment
	case bytes.HasPrefix(s, []byte("<?")):
		return htmlInstruction
	case bytes.HasPrefix(s, []byte("<![CDATA[")):
		return htmlCDATA
	case len(s) > 2 && s[1] == '!' && inline.IsLetter(s[2]):
		return htmlDeclaration
	}
	name := bytes.TrimPrefix(s[1:], []byte("/"))
	closing := len(name) < len(s)-1
	n := 0
	for n < len(name) && (inline.IsLetter(name[n]) || n > 0 && inline.IsDigit(name[n])) {
		n++
	}
	if n == 0 {
		return 0
	}
	tag, after := strings.ToLower(string(name[:n])), name[n:]
	ends := len(after) == 0 || inline.IsBlank(after[0]) || after[0] == '>'
	switch {
	case ends && !closing && isTextElement(tag):
		return htmlText
	case (ends || bytes.HasPrefix(after, []byte("/>"))) && isBlockElement(tag):
		return htmlElement
	}
	return htmlTag
}

// htmlEnds reports whether a line ends the block of HTML that it is part of.
func htmlEnds(kind int, line []byte) bool {
	switch kind {
	case htmlText:
		line = bytes.ToLower(line)
		return bytes.Contains(line, []byte("</script>")) || bytes.Contains(line, []byte("</pre>")) ||
			bytes.Contains(line, []byte("</style>")) || bytes.Contains(line, []byte("</textarea>"))
	case htmlComment:
		return bytes.Contains(line, []byte("-->"))
	case htmlInstruction:
		return bytes.Contains(line, []byte("?>"))
	case htmlDeclaration:
		return bytes.IndexByte(line, '>') >= 0
	case htmlCDATA:
		return bytes.Contains(line, []byte("]]>"))
	}
	return false
}

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
