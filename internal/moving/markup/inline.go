package markup

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// piece is a part of a line: source text or a delimiter.
type piece struct {
	text string
	mark string // **, * or ~~
	tag  string // element to use if the delimiter is not valid there
	open bool
	pair int // identifies a pair
}

// line collects inline content.
type line struct {
	*writer
	pieces  []piece
	text    []byte  // pending text
	queued  []piece // opening delimiters without content so far
	pairs   int
	space   bool // white space precedes the next text
	started bool // the line is not empty
	cell    bool // in a table cell
	label   bool // in a link text
}

func (w *writer) inline(cell bool, nodes ...*html.Node) string {
	l := &line{writer: w, cell: cell}
	for _, n := range nodes {
		l.node(n)
	}
	return l.finish()
}

// add adds literal source.
func (l *line) add(text string) {
	if l.space && l.started {
		l.text = append(l.text, ' ')
	}
	l.space, l.started = false, true
	if len(l.queued) > 0 {
		l.flush()
		l.pieces = append(l.pieces, l.queued...)
		l.queued = l.queued[:0]
	}
	if n := len(l.text); n > 0 && l.text[n-1] == '!' && strings.HasPrefix(text, "[") { // the link would become a picture
		l.text = append(l.text[:n-1], `\!`...)
	}
	l.text = append(l.text, text...)
}

// flush makes a piece of the pending text.
func (l *line) flush() {
	if len(l.text) > 0 {
		l.pieces = append(l.pieces, piece{text: string(l.text)})
		l.text = l.text[:0]
	}
}

// words adds text with normalised white space.
func (l *line) words(text string) {
	for text != "" {
		rest := strings.TrimLeft(text, " \t\r\n\f")
		l.space = l.space || len(rest) < len(text)
		end := strings.IndexAny(rest, " \t\r\n\f")
		if end < 0 {
			end = len(rest)
		}
		if rest[:end] != "" {
			l.word(rest[:end])
		}
		text = rest[end:]
	}
}

// word adds a word. A bare address is not escaped, since a backslash has no effect there.
func (l *line) word(s string) {
	escaped := escape(s)
	bare := strings.TrimRight(s, ".,;:!?)'\"*_~")
	if s != escaped && !l.label && (strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")) && !strings.ContainsAny(bare, "<>") {
		escaped = "<" + bare + ">" + escape(s[len(bare):])
	}
	l.add(escaped)
}

func (l *line) brk() {
	if !l.started {
		return
	}
	l.text = append(l.text, '\n')
	l.space, l.started = false, false
}

// wrap adds delimiters around the children of a node.
func (l *line) wrap(n *html.Node, mark, tag string) {
	l.pairs++
	own := l.pairs
	l.queued = append(l.queued, piece{mark: mark, tag: tag, open: true, pair: own})
	l.children(n)
	if i := slices.IndexFunc(l.queued, func(p piece) bool { return p.pair == own }); i >= 0 {
		l.queued = l.queued[:i] // it was empty
		return
	}
	l.flush()
	l.pieces = append(l.pieces, piece{mark: mark, tag: tag, pair: own})
}

func (l *line) children(n *html.Node) {
	for c := range n.ChildNodes() {
		l.node(c)
	}
}

var marks = map[string][2]string{"strong": {"**", "strong"}, "b": {"**", "strong"}, "em": {"*", "em"}, "i": {"*", "em"}, "del": {"~~", "del"}, "s": {"~~", "del"}, "strike": {"~~", "del"}}

func (l *line) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		l.words(n.Data)
		return
	case html.ElementNode:
	default:
		return
	}
	if l.skips(n) {
		return
	}
	if id := Attr(n, "id"); id != "" && n.Data != "a" && l.keeps(id) {
		l.add(anchor(id))
	}
	if mark, ok := marks[n.Data]; ok {
		l.wrap(n, mark[0], mark[1])
		return
	}
	switch n.Data {
	case "br":
		l.brk()
	case "a":
		l.link(n)
	case "img":
		l.add(l.picture(n))
	case "code", "tt", "samp":
		if text := strings.Join(strings.Fields(RawText(n)), " "); text != "" {
			l.add(codeSpan(text))
		}
	case "sup", "sub", "kbd", "mark", "u", "ins", "small", "abbr", "q", "cite", "var", "dfn":
		l.element(n)
	case "math":
		l.formula(n)
	case "span":
		if HasClass(n, "katex-html") {
			return
		}
		l.children(n)
	default:
		if blockElements[n.Data] {
			l.space = true
			l.children(n)
			l.space = true
			return
		}
		l.children(n)
	}
}

// element keeps an element without a Markdown equivalent.
func (l *line) element(n *html.Node) {
	if n.Data == "sup" {
		if a := Find(n, func(e *html.Node) bool { return e.Data == "a" }); a != nil && Text(a) == Text(n) && l.note(a) != "" {
			l.link(a)
			return
		}
	}
	if strings.TrimSpace(RawText(n)) == "" && Find(n, func(e *html.Node) bool { return e.Data == "img" }) == nil {
		l.children(n)
		return
	}
	title := ""
	if n.Data == "abbr" && Attr(n, "title") != "" {
		title = ` title="` + html.EscapeString(oneLine(Attr(n, "title"))) + `"`
	}
	l.add("<" + n.Data + title + ">")
	space := l.space
	l.children(n)
	l.space = false
	l.add("</" + n.Data + ">")
	l.space = space
}

// formula writes mathematics whose TeX source is known.
func (l *line) formula(n *html.Node) {
	tex := texOf(n)
	if tex == "" {
		l.Lost(Line(n), "math", "the formula has no TeX source, and becomes text")
		l.children(n)
		return
	}
	l.Lost(Line(n), "math", "the formula within a line is code")
	l.add(codeSpan(oneLine(tex)))
}

// texOf returns the TeX source of a formula, or "".
func texOf(n *html.Node) string {
	if n.Data == "script" && strings.HasPrefix(Attr(n, "type"), "math/tex") && n.FirstChild != nil {
		return strings.TrimSpace(n.FirstChild.Data)
	}
	if a := Find(n, func(e *html.Node) bool { return e.Data == "annotation" && Attr(e, "encoding") == "application/x-tex" }); a != nil {
		return strings.TrimSpace(RawText(a))
	}
	return ""
}

func (l *line) link(n *html.Node) {
	if note := l.note(n); note != "" {
		l.add(note)
		return
	}
	for _, id := range []string{Attr(n, "id"), Attr(n, "name")} {
		if id != "" && l.keeps(id) {
			l.add(anchor(id))
			break
		}
	}
	href := strings.TrimSpace(Attr(n, "href"))
	contents := HasClass(n, "toc-backref") // from a heading of Sphinx to a list of headings
	if href == "" || contents || l.backLink(n) {
		if href == "" || contents {
			l.children(n)
		}
		return
	}
	if scheme, _, ok := strings.Cut(strings.ToLower(href), ":"); ok && slices.Contains([]string{"javascript", "vbscript", "data"}, scheme) {
		l.Lost(Line(n), "a", "a link to "+scheme+": is left out, its text stays")
		l.children(n)
		return
	}
	address := l.Address(href, Line(n))
	inner := &line{writer: l.writer, cell: l.cell, label: true}
	inner.children(n)
	text := strings.ReplaceAll(inner.finish(), "\n", " ")
	l.space = l.space || startsBlank(n)
	switch {
	case text == "":
	case escape(address) == text && strings.Contains(address, "://") && !strings.ContainsAny(address, "<>\\ "):
		l.add("<" + address + ">")
	default:
		l.add("[" + text + "](" + Destination(address) + ")")
	}
	l.space = l.space || inner.space
}

// startsBlank reports whether a node's text begins with white space.
func startsBlank(n *html.Node) bool {
	return n.FirstChild != nil && n.FirstChild.Type == html.TextNode && strings.TrimLeft(n.FirstChild.Data, " \t\r\n") != n.FirstChild.Data
}

var altEscapes = strings.NewReplacer("[", `\[`, "]", `\]`, `\`, `\\`, "<", `\<`, "`", "\\`")

// sides match a size in pixels, from an attribute or a style.
var sides = []*regexp.Regexp{regexp.MustCompile(`(?:^|;)\s*(width)\s*:\s*(\d{1,4})(?:px)?\s*(?:;|$)`), regexp.MustCompile(`(?:^|;)\s*(height)\s*:\s*(\d{1,4})(?:px)?\s*(?:;|$)`)}

// picture returns an image with its size.
func (w *writer) picture(n *html.Node) string {
	src := strings.TrimSpace(Attr(n, "src"))
	if strings.HasPrefix(src, "data:") && len(src) > 64<<10 {
		w.Lost(Line(n), "img", "a picture embedded in the page is too large, and is left out")
		src = ""
	}
	alt := altEscapes.Replace(oneLine(Attr(n, "alt")))
	if src == "" {
		return alt
	}
	size := ""
	for _, side := range sides {
		if m := side.FindStringSubmatch("width:" + Attr(n, "width") + ";height:" + Attr(n, "height") + ";" + Attr(n, "style")); m != nil {
			size += " " + m[1] + "=" + m[2]
		}
	}
	if size != "" {
		size = "{" + size[1:] + "}"
	}
	return "![" + alt + "](" + Destination(w.Address(src, Line(n))) + ")" + size
}

// finish joins the pieces. Delimiters invalid at their position become elements.
func (l *line) finish() string {
	l.flush()
	plain := map[int]bool{}
	for more := true; more; {
		before := len(plain)
		for i, p := range l.pieces {
			if p.mark != "" && !plain[p.pair] && !l.delimits(i, plain) {
				plain[p.pair] = true
			}
		}
		more = len(plain) > before
		if more && before > 0 { // rarely needed, and elements are always valid
			for _, p := range l.pieces {
				plain[p.pair] = true
			}
			more = false
		}
	}
	var b strings.Builder
	for _, p := range l.pieces {
		switch {
		case p.mark == "" || !plain[p.pair]:
			b.WriteString(p.text + p.mark)
		case p.open:
			b.WriteString("<" + p.tag + ">")
		default:
			b.WriteString("</" + p.tag + ">")
		}
	}
	lines := strings.Split(strings.Trim(b.String(), " \n"), "\n")
	for i, s := range lines {
		lines[i] = startOfLine(strings.TrimRight(s, " "))
	}
	if l.cell {
		return strings.ReplaceAll(strings.Join(lines, "<br>"), "|", `\|`)
	}
	return strings.Join(lines, "\n")
}

// delimits reports whether CommonMark accepts piece i as a delimiter.
func (l *line) delimits(i int, plain map[int]bool) bool {
	p := l.pieces[i]
	beside := func(step int) rune {
		for j := i + step; j >= 0 && j < len(l.pieces); j += step {
			q := l.pieces[j]
			switch {
			case q.mark != "" && !plain[q.pair] && q.mark[0] == p.mark[0] && q.open == p.open:
				continue
			case q.mark != "" && !plain[q.pair] && q.mark[0] == p.mark[0]:
				return -1 // ambiguous
			case q.mark != "":
				return '*'
			case step > 0:
				r, _ := utf8.DecodeRuneInString(q.text)
				return r
			default:
				r, _ := utf8.DecodeLastRuneInString(q.text)
				return r
			}
		}
		return ' '
	}
	outside, inside := beside(-1), beside(1)
	if !p.open {
		outside, inside = inside, outside
	}
	if outside < 0 || inside < 0 || unicode.IsSpace(inside) {
		return false
	}
	return unicode.IsSpace(outside) || isMark(outside) || !isMark(inside)
}

func isMark(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }
