package markup

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

type writer struct {
	Options
	out     strings.Builder
	prefix  string // of each line
	next    string // replaces prefix on the next line, if pending
	pending bool
	due     bool // an empty line is needed before the next block
	depth   int
	listEnd string // tag of the list that was the previous block

	blocky map[*html.Node]bool // elements that contain blocks
	height map[*html.Node]int  // nesting of fenced blocks
	linked map[string]bool     // ids that the page links to
	notes  map[string]*html.Node
	order  []string // of footnotes
}

var blockElements = setOf(`address article aside blockquote body center dd details div dl dt fieldset figcaption figure footer
	form h1 h2 h3 h4 h5 h6 header hr html li main nav ol p pre section summary table tbody td tfoot th thead tr ul iframe video audio object embed`)

func setOf(names string) map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(names) {
		set[name] = true
	}
	return set
}

// dropped are elements without an equivalent, and the reported reason.
var dropped = map[string]string{
	"script": "a script is left out", "style": "a style sheet is left out", "noscript": "content for browsers without scripts is left out",
	"svg": "a drawing in SVG is left out", "canvas": "a drawing by script is left out", "button": "a button is left out",
	"select": "a form is left out", "textarea": "a form is left out", "input": "a form is left out", "template": "a template is left out",
	"head": "", "title": "", "meta": "", "link": "", "base": "", "datalist": "",
}

// skips reports whether to omit an element.
func (w *writer) skips(n *html.Node) bool {
	if n.Data == "script" && texOf(n) != "" {
		return false
	}
	words, skip := dropped[n.Data]
	if words != "" {
		w.Lost(Line(n), n.Data, words)
	}
	return skip || HasClass(n, "katex-html", "MathJax_Preview")
}

func (w *writer) line(text string) {
	prefix := w.prefix
	if w.pending {
		prefix, w.pending = w.next, false
	}
	w.out.WriteString(strings.TrimRight(prefix+text, " "))
	w.out.WriteByte('\n')
}

func (w *writer) block() {
	if w.due {
		w.line("")
	}
	w.due, w.listEnd = true, ""
}

// inside writes blocks; the first line begins with first, others with prefix.
func (w *writer) inside(first, prefix string, n *html.Node) {
	before := w.prefix
	start := w.prefix
	if w.pending {
		start = w.next
	}
	w.next, w.pending, w.prefix, w.due = start+first, true, before+prefix, false
	w.depth++
	w.blocks(n)
	w.depth--
	if w.pending {
		w.line("")
	}
	w.prefix, w.due = before, true
}

func (w *writer) blocks(n *html.Node) {
	if w.depth > maxDepth {
		w.Lost(Line(n), n.Data, "what is nested too deeply becomes text")
		w.paragraph(n)
		return
	}
	var run []*html.Node
	flush := func() {
		w.paragraph(run...)
		run = run[:0]
	}
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode && (w.blocky[c] || isFormula(c)) {
			flush()
			w.element(c)
		} else {
			run = append(run, c)
		}
	}
	flush()
}

func (w *writer) paragraph(nodes ...*html.Node) {
	text := w.inline(false, nodes...)
	if strings.Trim(text, " \n\u00A0\u200B") == "" {
		return
	}
	w.block()
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if i < len(lines)-1 {
			line += `\`
		}
		w.line(line)
	}
}

func (w *writer) element(n *html.Node) {
	if w.skips(n) || docutilsNote(n) && w.linked[Attr(n, "id")] {
		return
	}
	if id := Attr(n, "id"); id != "" && n.Data[0] != 'h' && n.Data != "li" && w.keeps(id) {
		w.block()
		w.line(anchor(id))
	}
	if kind := Attr(n, "data-octavo"); kind != "" {
		w.fence(n, strings.TrimSpace(kind+" "+escapeLine(Attr(n, "data-title"))), n)
		return
	}
	if isFormula(n) {
		w.block()
		for line := range strings.SplitSeq("$$\n"+strings.ReplaceAll(texOf(n), "\n\n", "\n")+"\n$$", "\n") {
			w.line(line)
		}
		return
	}
	switch n.Data {
	case "h1", "h2", "h3", "h4", "h5", "h6":
		w.heading(n)
	case "ul", "ol":
		w.list(n)
	case "dl":
		w.definitions(n)
	case "blockquote":
		w.block()
		w.inside("> ", "> ", n)
	case "pre":
		w.code(n)
	case "hr":
		w.block()
		w.line("---")
	case "table":
		w.table(n)
	case "details":
		w.details(n)
	case "iframe", "video", "audio", "object", "embed":
		w.embedded(n)
	case "section", "div":
		if !HasClass(n, "footnotes") || len(w.notes) == 0 {
			w.blocks(n)
		}
	case "a":
		w.Lost(Line(n), "a", "a link around blocks is left out; its content stays")
		w.blocks(n)
	default:
		w.blocks(n)
	}
}

func isFormula(n *html.Node) bool {
	shown := n.Data == "math" && Attr(n, "display") == "block" || HasClass(n, "katex-display") || n.Data == "script" && strings.Contains(Attr(n, "type"), "mode=display")
	return shown && texOf(n) != ""
}

func (w *writer) heading(n *html.Node) {
	text := strings.ReplaceAll(w.inline(false, slices.Collect(n.ChildNodes())...), "\n", " ")
	if strings.TrimSpace(text) == "" {
		return
	}
	text = strings.ReplaceAll(text, `\{`, "&#123;") // a backslash does not prevent an attribute
	if strings.HasSuffix(text, "#") {
		text = strings.TrimSuffix(text, "#") + `\#`
	}
	if id := Attr(n, "id"); w.keeps(id) {
		text += " {#" + id + "}"
	}
	w.block()
	w.line(strings.Repeat("#", int(n.Data[1]-'0')) + " " + text)
}

// list writes a list, loose if its items are paragraphs.
func (w *writer) list(n *html.Node) {
	if w.listEnd == n.Data { // adjacent lists would be joined
		w.block()
		w.line("<!-- -->")
	}
	loose, tight := false, w.pending || w.depth > 0 && n.Parent != nil && (n.Parent.Data == "li" || n.Parent.Data == n.Data)
	for c := range n.ChildNodes() {
		paragraphs := 0
		for part := range c.ChildNodes() {
			if part.Type == html.ElementNode && part.Data == "p" {
				paragraphs++
			}
		}
		loose = loose || paragraphs > 1
	}
	if !tight || w.loose(n) {
		w.block()
	}
	w.due = false
	number, err := strconv.Atoi(Attr(n, "start"))
	if err != nil || number < 0 || number > 1e8 {
		number = 1
	}
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode {
			continue
		}
		if loose && w.due {
			w.line("")
		}
		marker := "- "
		if n.Data == "ol" {
			marker = strconv.Itoa(number) + ". "
			number++
		}
		indent := strings.Repeat(" ", len(marker))
		box, found := takeBox(c)
		if first := c.FirstChild; w.keeps(Attr(c, "id")) && first != nil && (first.Data == "p" || !blockElements[first.Data]) {
			box, found = box+anchor(Attr(c, "id")), true
		}
		switch {
		case c.Data == "ul" || c.Data == "ol": // nested without an item, as some systems write it
			w.prefix += indent
			w.depth++
			w.listEnd = ""
			if w.depth > maxDepth {
				w.paragraph(c)
			} else {
				w.list(c)
			}
			w.depth--
			w.prefix = w.prefix[:len(w.prefix)-len(indent)]
			number--
		case found:
			w.inside(marker+box, indent, c)
		default:
			w.inside(marker, indent, c)
		}
		w.due = true
	}
	w.due, w.listEnd = true, n.Data
}

// loose reports whether a list follows a paragraph in an item.
func (w *writer) loose(n *html.Node) bool {
	before := n.PrevSibling
	for before != nil && before.Type == html.TextNode && strings.TrimSpace(before.Data) == "" {
		before = before.PrevSibling
	}
	return !w.pending && before != nil && before.Type == html.ElementNode && before.Data != "p" && blockElements[before.Data]
}

// takeBox removes the checkbox from the beginning of an item.
func takeBox(item *html.Node) (mark string, found bool) {
	for n := item.FirstChild; n != nil; {
		switch {
		case n.Type == html.TextNode && strings.TrimSpace(n.Data) == "":
			n = n.NextSibling
		case n.Type == html.ElementNode && n.Data == "input" && Attr(n, "type") == "checkbox":
			mark = "[ ] "
			if slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "checked" }) {
				mark = "[x] "
			}
			n.Parent.RemoveChild(n)
			if strings.TrimSpace(Text(item)) == "" {
				mark += "&nbsp;" // a task that says nothing is one in Markdown too
			}
			return mark, true
		case n.Type == html.ElementNode && (n.Data == "p" || n.Data == "label" || n.Data == "span"):
			n = n.FirstChild
		default:
			return "", false
		}
	}
	return "", false
}

func (w *writer) definitions(n *html.Node) {
	term, defined := false, false
	for c := range n.Descendants() {
		switch {
		case c.Type != html.ElementNode || owner(c, "dl") != n:
		case c.Data == "dt":
			if text := strings.ReplaceAll(w.inline(false, slices.Collect(c.ChildNodes())...), "\n", " "); text != "" {
				if id := Attr(c, "id"); w.keeps(id) {
					text = anchor(id) + text
				}
				w.due = w.due || defined
				w.block()
				w.line(text)
				term, defined, w.due = true, false, false
			}
		case c.Data == "dd" && !term:
			w.blocks(c)
		case c.Data == "dd":
			w.inside(": ", "  ", c)
			defined, w.due = true, false
		}
	}
	w.due = true
}

// owner returns the closest ancestor with a name.
func owner(n *html.Node, name string) *html.Node {
	for n = n.Parent; n != nil && n.Data != name; n = n.Parent {
	}
	return n
}

var languageClass = regexp.MustCompile(`(?:^|\s)(?:language|lang)-([\w+#.-]+)`)

func (w *writer) code(n *html.Node) {
	language := Attr(n, "data-language")
	for _, e := range []*html.Node{n, Find(n, func(e *html.Node) bool { return e.Data == "code" })} {
		if e == nil || language != "" {
			continue
		}
		if m := languageClass.FindStringSubmatch(Attr(e, "class")); m != nil {
			language = m[1]
		}
	}
	if title := strings.NewReplacer(`"`, "'", "`", "'").Replace(oneLine(Attr(n, "data-title"))); title != "" {
		language = strings.TrimSpace(language+` title="`+title) + `"`
		if strings.HasPrefix(language, "title=") {
			language = "text " + language
		}
	}
	text := strings.Trim(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "\uFFFD").Replace(RawText(n)), "\n")
	fence := strings.Repeat("`", max(3, longestRun(text, '`')+1))
	w.block()
	w.line(fence + language)
	for line := range strings.SplitSeq(text, "\n") {
		w.line(line)
	}
	w.line(fence)
}

func (w *writer) details(n *html.Node) {
	title := "Details"
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode && c.Data == "summary" {
			title = strings.ReplaceAll(w.inline(false, slices.Collect(c.ChildNodes())...), "\n", " ")
			n.RemoveChild(c)
			break
		}
	}
	w.fence(n, "details "+title, n)
}

// fence writes a component with more colons than any nested one.
func (w *writer) fence(n *html.Node, head string, inside *html.Node) {
	colons := strings.Repeat(":", 2+max(w.height[n], 1))
	w.block()
	w.line(colons + head)
	w.due = false
	w.depth++
	w.blocks(inside)
	w.depth--
	w.line(colons)
	w.due = true
}
