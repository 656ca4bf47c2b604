package moving

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"github.com/octavo-docs/octavo/internal/moving/markup"
)

// webMarks converts the HTML of site generators to plain HTML.
type webMarks struct {
	lost   losing
	titled string // title of the page, "" after its heading was removed
}

// aside are the classes and roles of elements outside of the text.
var aside = strings.Fields("headerlink toc-backlink sphinxsidebar md-sidebar md-source-file md-tags breadcrumbs wy-breadcrumbs rst-footer-buttons theme-doc-footer hash-link viewcode-link linenos edit-this-page pagination-nav skip-link toctree-wrapper-hidden table-of-contents")

var kinds = map[string]string{
	"info": "info", "tip": "tip", "hint": "tip", "success": "tip", "important": "info", "seealso": "info", "todo": "info",
	"warning": "warning", "caution": "warning", "attention": "warning", "danger": "danger", "error": "danger", "failure": "danger", "bug": "danger",
}

var codeClass = regexp.MustCompile(`(?:^|\s)(?:highlight|language)-([\w+#.-]+)`)

func (m *webMarks) rewrite(parent *html.Node) {
	for n := parent.FirstChild; n != nil; {
		next := n.NextSibling
		switch {
		case n.Type == html.CommentNode, n.Type == html.ElementNode && !m.element(n):
			parent.RemoveChild(n)
		default:
			m.rewrite(n)
		}
		n = next
	}
}

// element converts an element; it returns false to remove it.
func (m *webMarks) element(n *html.Node) bool {
	role := markup.Attr(n, "role")
	switch {
	case n.Data == "script" && strings.HasPrefix(markup.Attr(n, "type"), "math/"):
	case n.Data == "nav", n.Data == "footer", n.Data == "script", n.Data == "style", n.Data == "aside" && !markup.HasClass(n, "admonition", "footnote", "footnote-list", "citation", "citation-list", "topic", "sidebar"),
		role == "navigation", role == "search", role == "contentinfo", markup.HasClass(n, aside...):
		return false
	case n.Data == "h1" && m.titled != "" && strings.TrimRight(markup.Text(n), "¶#\uf0c1 ") == m.titled:
		m.titled = ""
		return false
	case markup.HasClass(n, "admonition"):
		kind := "note"
		for class := range strings.FieldsSeq(markup.Attr(n, "class")) {
			if kinds[class] != "" {
				kind = kinds[class]
			}
		}
		title := take(n, "admonition-title")
		if strings.EqualFold(title, kind) {
			title = ""
		}
		box(n, kind, title)
	case n.Data == "aside" && markup.HasClass(n, "sidebar"):
		title := take(n, "sidebar-title")
		if title == "" {
			return false // of the site
		}
		box(n, "note", title)
	case n.Data == "pre":
		m.code(n)
	case n.Data == "section" || n.Data == "div" && markup.HasClass(n, "section"):
		name(n)
	}
	return true
}

// name sets the anchor of a section's heading if it differs from the generated one.
func name(section *html.Node) {
	id := markup.Attr(section, "id")
	heading := markup.Find(section, func(e *html.Node) bool { return len(e.Data) == 2 && e.Data[0] == 'h' && e.Parent == section })
	if id == "" || heading == nil || heading.Data == "h1" || markup.Attr(heading, "id") != "" {
		return
	}
	section.Attr = nil
	if words := strings.Fields(strings.ToLower(strings.TrimRight(markup.Text(heading), "¶#\uf0c1 "))); strings.Join(words, "-") != id {
		heading.Attr = append(heading.Attr, html.Attribute{Key: "id", Val: id})
	}
}

// code sets the language of a code block from an enclosing element.
func (m *webMarks) code(n *html.Node) {
	for up := n.Parent; up != nil && up.Data == "div"; up = up.Parent {
		if found := codeClass.FindStringSubmatch(markup.Attr(up, "class")); found != nil {
			if name := found[1]; name != "default" && name != "none" && name != "text" {
				n.Attr = append(n.Attr, html.Attribute{Key: "data-language", Val: name})
			}
			return
		}
	}
}
