package moving

import (
	"cmp"
	"encoding/json"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/net/html"

	"github.com/octavo-docs/octavo/internal/moving/markup"
)

// macros converts the HTML of macros to plain HTML.
type macros struct {
	*space
	page    *wikiPage
	lost    losing
	linked  map[string]bool // files that the page refers to
	anchors map[string]bool // anchors set by the author
}

// panels maps classes of information macros to callouts by colour: Confluence's note is
// yellow, its warning red.
var panels = map[string]string{
	"confluence-information-macro-information": "info", "confluence-information-macro-tip": "tip",
	"confluence-information-macro-note": "warning", "confluence-information-macro-warning": "danger",
}

// lists are macros that generate lists on each view.
var lists = map[string]string{
	"childpages-macro": "children", "recently-updated": "recently-updated", "recently-updated-macro": "recently-updated",
	"blog-posts-listing": "blog-posts", "plugin-contributors": "contributors",
	"metadata-summary-macro": "detailssummary", "content-by-label": "contentbylabel", "popularlabels": "popular-labels",
}

// gone are macros without text.
var gone = map[string]string{
	"search-macro": "livesearch", "plugin_pagetree": "pagetree", "toc-macro": "toc", "plugin_attachments_container": "attachments",
	"confluence-information-macro-icon": "", "aui-icon": "", "expand-control-icon": "", "refresh-module-id": "", "aui-message-icon": "",
}

// known are macros whose HTML is complete.
var known = strings.Fields("code noformat info tip note warning panel expand toc status jira details excerpt section column children anchor tasklist view-file attachments gallery profile profile-picture multimedia widget")

// rewrite converts the descendants of a node, outer ones first.
func (m *macros) rewrite(parent *html.Node) {
	for n := parent.FirstChild; n != nil; {
		next := n.NextSibling
		if n.Type == html.ElementNode && !m.element(n) {
			parent.RemoveChild(n)
		} else {
			m.rewrite(n)
		}
		n = next
	}
}

// element converts an element; it returns false to remove it.
func (m *macros) element(n *html.Node) bool {
	line := markup.Line(n)
	if name := markup.Attr(n, "data-macro-name"); name != "" && !slices.Contains(known, name) {
		words := "its content at the time of the export stays"
		if markup.Text(n) == "" && element(n, "img") == nil {
			words = "the export contains nothing of it"
		}
		m.lost(line, "macro "+name, words)
	}
	for class := range strings.FieldsSeq(markup.Attr(n, "class")) {
		if variant := panels[class]; variant != "" {
			box(n, variant, take(n, "title"))
			return true
		}
		if name, ok := gone[class]; ok {
			if name != "" {
				m.lost(line, "macro "+name, "it is left out")
			}
			return false
		}
		if name := lists[class]; name != "" {
			m.lost(line, "macro "+name, "the list keeps its state at the export")
		}
		switch class {
		case "panel":
			m.panel(n)
			return true
		case "expand-container":
			m.expand(n)
			return true
		case "status-macro":
			n.Data, n.DataAtom = "strong", 0
		case "inline-task-list":
			m.tasks(n)
		case "columnLayout", "columnMacro", "sectionMacroRow":
			columns(n)
		case "emoticon":
			return m.emoticon(n)
		case "jira-issue":
			m.issue(n)
		case "jira-table", "jira-issues":
			m.lost(line, "macro jira", "the table keeps its state at the export")
		case "unknown-macro":
			m.lost(line, "macro", "Confluence itself could not show it: "+markup.Text(n))
			return false
		case "confluence-anchor-link":
			id := local(m.page, markup.Attr(n, "id"))
			n.Attr = []html.Attribute{{Key: "id", Val: id}}
			m.anchors[id] = true
		case "user-mention", "confluence-userlink":
			n.Data, n.DataAtom, n.Attr = "span", 0, nil
			return true
		}
	}
	if strings.Contains(markup.Attr(n, "style"), "color:") {
		m.lost(line, "colour", "colours of text are left out")
	}
	src := markup.Attr(n, "src")
	switch {
	case n.Data == "style": // of a macro
		return false
	case len(n.Data) == 2 && n.Data[0] == 'h': // links refer to headings by text
		n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "id" })
	case n.Data == "div" && markup.HasClass(n, "error") && strings.Contains(markup.Text(n), "macro"):
		m.lost(line, "macro", "Confluence itself could not show it: "+markup.Text(n))
		return false
	case n.Data == "img" && strings.Contains(src, "/placeholder/"):
		address, err := url.Parse(src)
		if err != nil {
			address = &url.URL{}
		}
		m.lost(line, "placeholder", strings.TrimSpace(path.Base(address.Path)+" "+address.Query().Get("name"))+" is left out")
		return false
	case n.Data == "img" && (markup.HasClass(n, "userLogo", "icon") || strings.HasPrefix(src, "images/icons/")):
		return false
	case n.Data == "img":
		m.image(n)
	}
	return true
}

// box marks an element as a box of Octavo.
func box(n *html.Node, kind, title string) {
	n.Data, n.DataAtom = "div", 0
	n.Attr = append([]html.Attribute{{Key: "data-octavo", Val: kind}, {Key: "data-title", Val: title}}, n.Attr...)
}

// take removes the first element with a class and returns its text.
func take(n *html.Node, classes ...string) string {
	found := markup.Find(n, func(e *html.Node) bool { return e != n && markup.HasClass(e, classes...) })
	if found == nil {
		return ""
	}
	found.Parent.RemoveChild(found)
	return markup.Text(found)
}

var (
	brush = regexp.MustCompile(`brush:\s*([\w#+.-]+)`)
	names = map[string]string{"c#": "csharp", "py": "python", "jscript": "javascript", "js": "javascript", "none": "", "plain": "", "text": "", "actionscript3": "actionscript", "html/xml": "xml", "yml": "yaml"}
)

// panel converts a panel to code if it contains any, else to a note.
func (m *macros) panel(n *html.Node) {
	title := take(n, "panelHeader", "codeHeader", "preformattedHeader")
	if markup.HasClass(n, "code", "preformatted") {
		pre := element(n, "pre")
		if pre == nil {
			return
		}
		language := ""
		if found := brush.FindStringSubmatch(markup.Attr(pre, "data-syntaxhighlighter-params") + " " + markup.Attr(pre, "class")); found != nil {
			language = strings.TrimSuffix(found[1], ";")
			if plain, ok := names[strings.ToLower(language)]; ok {
				language = plain
			}
		}
		pre.Attr = append(pre.Attr, html.Attribute{Key: "data-language", Val: language}, html.Attribute{Key: "data-title", Val: title})
		return
	}
	box(n, "note", title)
}

func (m *macros) expand(n *html.Node) {
	title := take(n, "expand-control", "expand-control-text")
	n.Data, n.DataAtom = "details", 0
	if title == "" {
		return
	}
	summary := &html.Node{Type: html.ElementNode, Data: "summary"}
	summary.AppendChild(&html.Node{Type: html.TextNode, Data: title})
	n.InsertBefore(summary, n.FirstChild)
}

// issue keeps only the key of an issue that the export had not loaded.
func (m *macros) issue(n *html.Node) {
	key := markup.Find(n, func(e *html.Node) bool { return markup.HasClass(e, "jira-issue-key") })
	if key == nil || markup.Find(n, func(e *html.Node) bool { return e.Parent == n && markup.HasClass(e, "issue-placeholder") }) == nil {
		return
	}
	m.lost(markup.Line(n), "macro jira", "the title and state of an issue are not in the export")
	key.Parent.RemoveChild(key)
	for n.FirstChild != nil {
		n.RemoveChild(n.FirstChild)
	}
	n.AppendChild(key)
}

func (m *macros) tasks(n *html.Node) {
	for item := range n.ChildNodes() {
		if item.Type != html.ElementNode || item.Data != "li" {
			continue
		}
		input := &html.Node{Type: html.ElementNode, Data: "input", Attr: []html.Attribute{{Key: "type", Val: "checkbox"}}}
		if markup.HasClass(item, "checked") {
			input.Attr = append(input.Attr, html.Attribute{Key: "checked"})
		}
		item.InsertBefore(input, item.FirstChild)
	}
}

// columns converts layout cells to columns if there are several.
func columns(n *html.Node) {
	var cells []*html.Node
	for c := range n.ChildNodes() {
		if markup.HasClass(c, "cell", "columnMacro", "column") {
			cells = append(cells, c)
		}
	}
	if len(cells) < 2 {
		return
	}
	box(n, "columns", "")
	for _, c := range cells {
		box(c, "column", "")
	}
}

var emoticons = map[string]string{
	"smile": "🙂", "sad": "🙁", "cheeky": "😛", "laugh": "😀", "wink": "😉", "thumbs-up": "👍", "thumbs-down": "👎", "information": "ℹ️",
	"tick": "✅", "cross": "❌", "warning": "⚠️", "plus": "➕", "minus": "➖", "question": "❓", "light-on": "💡", "light-off": "💡",
	"yellow-star": "⭐", "red-star": "⭐", "green-star": "⭐", "blue-star": "⭐", "heart": "❤️", "broken-heart": "💔",
}

func (m *macros) emoticon(n *html.Node) bool {
	text := markup.Attr(n, "data-emoji-fallback")
	if said := ""; strings.HasPrefix(text, `\u`) && json.Unmarshal([]byte(`"`+text+`"`), &said) == nil {
		text = said // as some exports write characters beyond the first plane
	}
	for class := range strings.FieldsSeq(markup.Attr(n, "class")) {
		name, ok := strings.CutPrefix(class, "emoticon-")
		own := name == "blue-star" && text != "" && text != ":blue_star:" // the class of all emoji that a site adds
		if ok && !own && (text == "" || text[0] == ':') {
			text = cmp.Or(emoticons[name], text)
		}
	}
	text = cmp.Or(text, markup.Attr(n, "alt"))
	n.Type, n.Data, n.Attr = html.TextNode, text, nil
	return text != ""
}

// image replaces a thumbnail by its picture. The preview of another file becomes its
// name.
func (m *macros) image(n *html.Node) {
	for i, a := range n.Attr {
		if a.Key != "src" || !strings.Contains(a.Val, "thumbnails/") {
			continue
		}
		n.Attr[i].Val = cmp.Or(markup.Attr(n, "data-image-src"), strings.Replace(a.Val, "thumbnails/", "", 1))
		link := n.Parent
		if link == nil || link.Data != "a" || path.Ext(markup.Attr(link, "href")) == "" || m.taken(n.Attr[i].Val) != "" {
			continue
		}
		name, err := url.Parse(cmp.Or(markup.Attr(link, "data-file-src"), markup.Attr(link, "href")))
		if err != nil {
			continue
		}
		n.Type, n.Data, n.Attr = html.TextNode, path.Base(name.Path), nil
		return
	}
}

// local converts an anchor to a generated heading anchor. Confluence prefixes it with
// the title, and uses the heading with hyphens for spaces.
func local(p *wikiPage, id string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || unicode.In(r, unicode.Letter, unicode.Mark, unicode.Number) {
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimPrefix(id, strings.Join(strings.Fields(p.title), "")+"-"))
}

// taken returns the path of a file in the tree, "" if it does not exist.
func (m *macros) taken(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	file := path.Clean(strings.TrimPrefix(u.Path, "/"))
	return cmp.Or(m.files[path.Clean(strings.TrimPrefix(u.EscapedPath(), "/"))], m.files[file])
}

var download = regexp.MustCompile(`/download/(?:attachments|thumbnails)/(\d+)/([^?]+)`)

// address returns the address in the tree of a link or picture.
func (m *macros) address(address string, line int) string {
	u, err := url.Parse(address)
	if err != nil || strings.HasPrefix(address, "data:") {
		return address
	}
	to := cmp.Or(m.pages[strings.TrimPrefix(u.EscapedPath(), "./")], m.pages[strings.TrimPrefix(u.Path, "./")], m.byID[u.Query().Get("pageId")])
	if parts := strings.Split(u.Path, "/"); to == nil && len(parts) > 2 {
		for i, part := range parts[:len(parts)-1] {
			switch {
			case part == "display" && i+2 < len(parts) && parts[i+1] == m.key:
				to = m.byTitle[strings.ReplaceAll(parts[i+2], "+", " ")]
			case part == "pages" && m.byID[parts[i+1]] != nil:
				to = m.byID[parts[i+1]]
			}
		}
	}
	fragment := ""
	if u.Fragment != "" {
		over := m.page
		if to != nil {
			over = to
		}
		fragment = "#" + (&url.URL{Fragment: local(over, u.Fragment)}).EscapedFragment()
	}
	switch {
	case to != nil && (to != m.page || fragment == ""):
		return between(m.page.path, to.path) + fragment
	case to != nil || u.Path == "" && u.Host == "" && u.Scheme == "":
		return cmp.Or(fragment, address)
	}
	if u.Scheme != "" && u.Host != "" && !download.MatchString(u.Path) {
		return address
	}
	file := path.Clean(strings.TrimPrefix(u.Path, "/"))
	if !strings.HasPrefix(file, "attachments/") && !strings.HasPrefix(file, "download/") {
		return address
	}
	if name := m.taken(address); name != "" {
		m.linked[file] = true
		return between(m.page.path, name)
	}
	m.lost(line, "attachment", address+" is not in the export")
	return address
}
