package document

import (
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/inline"
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

	kramdownComment = -1 // {::comment}
)

// startHTML opens a block of HTML.
func (d *divider) startHTML(matched int, ahead string) lineResult {
	kind := htmlStart(ahead)
	if kind == htmlTag {
		_, width := inline.ScanTag(ahead, false, &d.scan)
		if width == 0 || strings.TrimSpace(ahead[width:]) != "" {
			kind = 0
		}
		if d.tip().kind == paragraphBlock {
			kind = 0 // this one does not interrupt a paragraph
		}
	}
	if kind == 0 {
		return no
	}
	d.nest(matched, htmlBlock)
	d.push(block{kind: htmlBlock, length: kind, pos: d.place()})
	return yes
}

// htmlStart tells which kind of HTML a line may start, 0 for none. Of htmlTag
// only the first characters are seen to.
func htmlStart(s string) int {
	switch {
	case strings.HasPrefix(s, "<!--"):
		return htmlComment
	case strings.HasPrefix(s, "<?"):
		return htmlInstruction
	case strings.HasPrefix(s, "<![CDATA["):
		return htmlCDATA
	case len(s) > 2 && s[1] == '!' && inline.IsLetter(s[2]):
		return htmlDeclaration
	}
	name, closing := strings.CutPrefix(s[1:], "/")
	n := 0
	for n < len(name) && (inline.IsLetter(name[n]) || n > 0 && inline.IsDigit(name[n])) {
		n++
	}
	if n == 0 {
		return 0
	}
	tag, after := strings.ToLower(name[:n]), name[n:]
	ends := after == "" || inline.IsBlank(after[0]) || after[0] == '>'
	switch {
	case ends && !closing && isTextElement(tag):
		return htmlText
	case (ends || strings.HasPrefix(after, "/>")) && isBlockElement(tag):
		return htmlElement
	}
	return htmlTag
}

// htmlEnds reports whether a line ends the block of HTML that it is part of.
func htmlEnds(kind int, line string) bool {
	switch kind {
	case htmlText:
		line = strings.ToLower(line)
		return strings.Contains(line, "</script>") || strings.Contains(line, "</pre>") ||
			strings.Contains(line, "</style>") || strings.Contains(line, "</textarea>")
	case htmlComment:
		return strings.Contains(line, "-->")
	case kramdownComment:
		return strings.Contains(line, "{:/")
	case htmlInstruction:
		return strings.Contains(line, "?>")
	case htmlDeclaration:
		return strings.IndexByte(line, '>') >= 0
	case htmlCDATA:
		return strings.Contains(line, "]]>")
	}
	return false
}

// StartsHTML reports whether the tag of an element, named in lower case, starts
// a block of HTML wherever a line begins with it.
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

// html gathers the tags and text of a block of HTML.
func (p *parser) html(b *block, a *assembler) {
	source := p.sourceOf(b)
	switch b.length {
	case htmlComment: // text may stand behind it, on its last line
		if end := strings.Index(source.text, "-->"); end >= 0 {
			a.markup(source.from(end + len("-->")))
		}
	case htmlInstruction, htmlDeclaration, htmlCDATA, kramdownComment:
	default:
		a.markup(source)
	}
}
