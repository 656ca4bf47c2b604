package dialect

import (
	"cmp"
	"path"
	"regexp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// hugoLine parses a shortcode of Hugo or a theme on a separate line.
func hugoLine(line string) (Mark, bool) {
	c, ok := hugoCall(line)
	if !ok {
		return attributeLine(line)
	}
	if m := hugoBlock(c); c.width == len(line) {
		return m, true
	} else if m.In != nil {
		return tabLine(c, m, line[c.width:])
	}
	return Mark{}, false
}

// tabLine parses the rest of a line that begins with a tab, if it also ends it.
func tabLine(c call, m Mark, rest string) (Mark, bool) {
	content, last, _ := strings.Cut(rest, "{{")
	if end, ok := hugoCall("{{" + last); !ok || end.name != "/"+c.name || end.width != len("{{"+last) {
		return Mark{}, false
	}
	in := m.In
	return Mark{Name: m.Name, In: func(pane Mark) Mark {
		m := in(pane)
		return Mark{Name: m.Name, Attributes: m.Attributes, Beneath: strings.TrimSpace(content), Code: m.Form == Literal, Info: m.Info}
	}}, true
}

// hugoText parses a shortcode in a text, or an emoji.
func hugoText(text string, at int) (Mark, bool) {
	if text[at] == ':' {
		return emojiAt(text[at:min(len(text), at+maxReach)])
	}
	c, ok := hugoCall(text[at:])
	if !ok {
		return Mark{}, false
	}
	m := hugoBlock(c)
	if m.Form == Literal { // on one line
		behind := text[at+c.width : min(len(text), at+c.width+maxReach)]
		end := strings.Index(behind, "{{")
		last, closed := hugoCall(behind[max(0, end):])
		if end < 0 || !closed || last.name != "/"+c.name {
			return Mark{}, false
		}
		if m.Name, m.Text = "code", behind[:end]; m.Hidden {
			m.Name, m.Text = "", ""
		}
		m.Form = Leaf
		c.width += end + last.width
	}
	m.Width = c.width
	return m, true
}

// hugoCall parses {{< name >}} or {{% name %}}. A closing one begins with a slash; a
// self-closing one ends with it.
func hugoCall(s string) (c call, ok bool) {
	if !strings.HasPrefix(s, "{{") || len(s) < 3 {
		return c, false
	}
	if s[2] == '<' {
		c, ok = scanCall(s, "{{<", ">}}")
	} else {
		c, ok = scanCall(s, "{{%", "%}}")
	}
	if first := c.name + " "; !ok || !inline.IsLetter(first[0]) && first[0] != '/' && first[0] != '_' {
		return c, false
	}
	if c.name == "/" && len(c.words) > 0 {
		c.name, c.words = "/"+c.words[0], nil
	}
	if n := len(c.words) - 1; n >= 0 && c.words[n] == "/" {
		c.name, c.words = c.name+"/", c.words[:n]
	}
	c.verbatim = s[2] == '<'
	return c, true
}

// Call returns the width of a call of Hugo, or of an integration of GitBook, at the start of
// a text if it spans several whole lines, else 0.
func Call(s string) int {
	line, _, more := strings.Cut(s, "\n")
	end, limit := "", min(len(s), maxCall)
	switch {
	case strings.HasPrefix(line, "{{<"):
		end = ">}}"
	case strings.HasPrefix(line, "{{%"):
		end = "%}}"
	case strings.HasPrefix(line, "{% @"):
		before, _, _ := strings.Cut(s[2:], "{%")
		end, limit = "%}", len("{%")+len(before)
	}
	if end == "" || !more || strings.Contains(line, end) {
		return 0
	}
	inside, behind, closed := strings.Cut(s[:limit], end)
	if behind, _, _ = strings.Cut(behind, "\n"); !closed || end != "%}" && strings.Contains(inside[3:], "{{") || strings.TrimSpace(behind) != "" {
		return 0
	}
	return len(inside) + len(end) + len(behind)
}

func hugoBlock(c call) Mark {
	if strings.HasPrefix(c.name, "/*") { // shown literally
		open, end := "{{% ", " %}}"
		if c.verbatim {
			open, end = "{{< ", " >}}"
		}
		return Mark{Text: open + strings.TrimSpace(strings.Trim(c.name[2:]+" "+strings.TrimSuffix(c.rest, "*/"), " */")) + end}
	}
	name, closing := strings.CutPrefix(c.name, "/")
	name, alone := strings.CutSuffix(name, "/")
	a := c.attributes
	m := Mark{Form: Opening, Alone: true, Name: hugoName(name), Attributes: a}
	switch {
	case closing:
		return Mark{Form: Closing, Name: m.Name}
	case alone && m.Name == "Callout" && strings.HasSuffix(name, "-in"):
		return Mark{Name: "Badge", Text: strings.ReplaceAll(name, "-", " ") + " " + c.word(0)}
	case m.Name == "Callout":
		m.Alone = false
		m.Attributes, m.Title = calloutOf(name, c)
	case m.Name == "Tab" && isTrue(a, "disabled"):
		return Mark{}
	default:
		m = hugoNamed(name, c, m)
	}
	if alone && m.Form == Literal { // its content is data of the site
		return Mark{LeftOut: true}
	}
	if alone && m.Form == Opening {
		m.Form = Leaf
	}
	return m
}

// hugoNamed completes the mark of a known shortcode.
func hugoNamed(name string, c call, m Mark) Mark {
	a := c.attributes
	switch name {
	case "tab":
		title := cmp.Or(a.String("header", "name", "title", "label"), c.word(0))
		m.Attributes = attribute.List{{Name: "title", Value: title}}
		if lang := a.String("lang"); c.verbatim { // as Docsy has it
			text, code := m, c.literal(Mark{Name: "Tab", Attributes: m.Attributes, Info: cmp.Or(lang, "text")})
			if lang != "" || a.String("header") != "" {
				m = code
			}
			m.In = func(pane Mark) Mark {
				switch {
				case pane.Info != "tabpane":
					return m
				case isTrue(pane.Attributes, "text") || isTrue(a, "text"):
					return text
				}
				code.Info = cmp.Or(lang, pane.Attributes.String("lang"), "text")
				return code
			}
		}
	case "tabpane":
		m.Info = name
	case "tabs":
		if items := a.String("items"); items != "" {
			m.Attributes = attribute.List{{Name: "items", Value: listOf(items)}}
		}
	case "details", "expand", "collapse":
		m.Attributes = with(a, "title", cmp.Or(a.String("title", "summary"), c.word(0)))
	case "card", "blocks/feature":
		m.Title = strings.TrimSpace(a.String("header") + " " + a.String("title"))
		m.Attributes = with(nil, "href", a.String("link", "href", "url"))
		m.Above, m.Beneath = a.String("subtitle"), a.String("footer")
		if isTrue(a, "code") {
			m = c.literal(Mark{Name: m.Name, Title: m.Title, Above: m.Above, Beneath: m.Beneath, Info: cmp.Or(a.String("lang"), "text")})
		}
	case "badge":
		m.Form, m.Text = Leaf, cmp.Or(a.String("content", "text"), c.word(0))
	case "button":
		m.Attributes = with(nil, "href", a.String("href", "relref", "link", "url"))
	case "figure":
		if m = (Mark{Name: "Figure", Title: captionOf(a), Attributes: a}); m.Title == "" && a.String("link") == "" {
			m.Name = "Image"
		}
	case "ref", "relref":
		to := cmp.Or(c.word(0), a.String("path"))
		if m = (Mark{Name: "Link", Text: to, Attributes: with(nil, "href", to)}); !strings.Contains(to, "/") {
			m.Attributes = with(nil, "href", reference.Ref(to))
		}
	case "imgproc":
		src := c.word(0)
		if path.Ext(src) == "" {
			src += ".*"
		}
		m.Attributes = with(nil, "src", src)
	case "param", "_param", "site-param":
		m = Mark{LeftOut: true, Info: c.word(0)}
	case "toc", "clear", "rawhtml", "unsafe":
		m = Mark{}
	case "br":
		m = Mark{Name: "br"}
	case "highlight":
		m = c.literal(Mark{Info: strings.TrimSpace(c.word(0) + " " + highlighted(c))})
	case "code-toggle":
		m = c.literal(Mark{Info: `toml title="` + a.String("file") + `"`})
	case "mermaid":
		m = c.literal(Mark{Info: name})
	case "katex", "math":
		m = c.literal(Mark{Info: "math"})
	case "comment":
		m = c.literal(Mark{Hidden: true})
	case "readfile", "readFile", "include", "includecode":
		return included(cmp.Or(a.String("file"), c.word(0)), isTrue(a, "code") || name == "includecode", a.String("lang"))
	default:
		if address := outside(name, c); address != "" {
			m = Mark{Name: "iframe", Attributes: with(nil, "src", address)}
		}
	}
	return m
}

// captionOf returns what is said below a figure: title, caption and attribution.
func captionOf(a attribute.List) string {
	title, caption, by := a.String("title"), a.String("caption"), a.String("attr")
	if to := a.String("attrlink"); by != "" && to != "" {
		by = "[" + by + "](<" + to + ">)"
	}
	if caption = strings.TrimSpace(caption + " " + by); title != "" && caption != "" {
		title = "**" + title + "** "
	}
	return title + caption
}

// included makes a mark for an included file.
func included(name string, code bool, language string) Mark {
	file, ok := File{Name: name}.found(true)
	if !ok {
		return Mark{LeftOut: true}
	}
	return Mark{Include: &file, Code: code, Info: language}
}

// hugoName returns the element or component of a shortcode. Unknown ones become an unknown
// component.
func hugoName(name string) string {
	known := map[string]string{
		"alert": "Callout", "callout": "Callout", "admonition": "Callout", "notice": "Callout", "hint": "Callout", "pageinfo": "Callout", "new-in": "Callout", "deprecated-in": "Callout", "imgproc": "Figure",
		"tabpane": "Tabs", "cardpane": "Cards", "expand": "Accordion", "collapse": "Accordion", "details": "Accordion",
		"blocks/feature": "Card", "blocks/section": "section", "blocks/lead": "section", "blocks/cover": "Card",
		"filetree/container": "FileTree", "filetree/folder": "Folder", "filetree/file": "File",
	}[name]
	if known == "" && element.Variant(name) != "" {
		known = "Callout"
	}
	return cmp.Or(known, unknownName(name))
}

// calloutOf returns the kind and title of a callout.
func calloutOf(name string, c call) (kind attribute.List, title string) {
	colours := map[string]string{"primary": "info", "secondary": "note", "success": "tip", "light": "note", "dark": "note"}
	title = c.attributes.String("title", "header")
	written := cmp.Or(c.attributes.String("color", "type", "style", "kind", "variant"), name)
	words := c.words
	if len(words) > 0 && element.Variant(strings.ToLower(words[0])) != "" {
		written, words = words[0], words[1:]
	}
	if title == "" && len(words) > 0 {
		title = strings.Join(words, " ")
	}
	if strings.HasSuffix(name, "-in") {
		title = capital(strings.ReplaceAll(name, "-", " ") + " " + title)
	}
	written = strings.ToLower(cmp.Or(colours[written], written))
	if element.Variant(written) == "" {
		written = "note"
	}
	return with(nil, "type", written), title
}

// outside returns the address of embedded content of another site, or "".
func outside(name string, c call) string {
	id := cmp.Or(c.attributes.String("id"), c.word(0))
	if name == "iframe" {
		id = cmp.Or(c.attributes.String("src"), id)
	}
	switch {
	case id == "" && name != "gist":
	case name == "youtube":
		return "https://www.youtube.com/watch?v=" + id
	case name == "vimeo":
		return "https://vimeo.com/" + id
	case name == "instagram":
		return "https://www.instagram.com/p/" + id
	case name == "gist":
		address := "https://gist.github.com/" + strings.Join(c.words[:min(len(c.words), 2)], "/")
		if file := c.word(2); file != "" {
			address += "#file-" + strings.NewReplacer(".", "-", "_", "-", " ", "-").Replace(strings.ToLower(file))
		}
		return address
	case name == "iframe" && strings.Contains(id, "://"):
		return id
	case name == "tweet" || name == "x":
		return "https://x.com/" + cmp.Or(c.attributes.String("user"), "i") + "/status/" + id
	}
	return ""
}

// highlighted converts the options of highlight to an info string.
func highlighted(c call) string {
	var options []string
	for pair := range strings.SplitSeq(c.word(1), ",") {
		if name, value, ok := strings.Cut(strings.TrimSpace(pair), "="); ok {
			options = append(options, name+`="`+value+`"`)
		}
	}
	return strings.Join(options, " ")
}

// literal makes a mark whose content is not parsed.
func (c call) literal(m Mark) Mark {
	m.Form, m.End = Literal, "/"+c.name
	m.Ends = func(line string) bool {
		last, ok := hugoCall(strings.TrimSpace(line))
		return ok && last.name == "/"+c.name
	}
	return m
}

// isTrue reports whether an attribute is true, written as a word or a text.
func isTrue(a attribute.List, name string) bool { return a.Bool(name) || a.String(name) == "true" }

// word returns the n-th value without a name, or "".
func (c call) word(n int) string {
	if n < len(c.words) {
		return c.words[n]
	}
	return ""
}

// unknownName returns a component name for an unknown mark.
func unknownName(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	name = strings.Map(func(r rune) rune {
		if r != '-' && isNameRune(r) {
			return r
		}
		return -1
	}, name)
	if name == "" {
		return "Unknown"
	}
	return capital(strings.TrimLeft(name, "-_0123456789"))
}

// quotedCall matches an escaped shortcode, to be shown literally.
var quotedCall = regexp.MustCompile(`\{\{([<%])/\*((?s:.*?))\*/([>%])\}\}`)

// hugoCode unescapes shortcodes in code.
func hugoCode(_, text string) string {
	if !strings.Contains(text, "*/") {
		return text
	}
	return quotedCall.ReplaceAllString(text, "{{$1$2$3}}")
}

// listOf splits a text at commas.
func listOf(text string) (list []any) {
	for item := range strings.SplitSeq(text, ",") {
		list = append(list, strings.TrimSpace(item))
	}
	return list
}
