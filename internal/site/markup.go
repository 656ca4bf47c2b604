package site

import (
	"bytes"

	"github.com/octavo-docs/octavo/internal/document"
)

// markup writes the HTML around pages: what raw writes is ours, everything else
// goes through text, or through fragment. It is no template because a site has
// this on every page.
type markup struct {
	*builder
	out *bytes.Buffer
}

// begin returns what writes the next part of a file; the last is good no more.
func (b *builder) begin() markup {
	b.filled.Reset()
	return markup{b, &b.filled}
}

// raw writes markup.
func (m markup) raw(parts ...string) {
	for _, part := range parts {
		m.out.WriteString(part)
	}
}

// text writes text, or the value of an attribute in double quotes.
func (m markup) text(s string) {
	from := 0
	for i := 0; i < len(s); i++ {
		escaped := ""
		switch s[i] {
		case '&':
			escaped = "&amp;"
		case '<':
			escaped = "&lt;"
		case '>':
			escaped = "&gt;"
		case '"':
			escaped = "&#34;"
		case '\'':
			escaped = "&#39;"
		case '+':
			escaped = "&#43;"
		case 0:
			escaped = "\uFFFD"
		default:
			continue
		}
		m.raw(s[from:i], escaped)
		from = i + 1
	}
	m.raw(s[from:])
}

// fragment writes what follows the # of an address.
func (m markup) fragment(s string) {
	const hex = "0123456789abcdef"
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '.', c == '_', c == '~':
			m.out.WriteByte(c)
		default:
			m.out.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
}

// attribute writes an attribute; the name is ours.
func (m markup) attribute(name, value string) {
	m.raw(" ", name, `="`)
	m.text(value)
	m.raw(`"`)
}

// around is what stands around a page. That of the first page is zero.
type around struct {
	*item
	contents       string // the list of its headings, as HTML
	previous, next *item
	remote         bool // whether the page shows images of other sites
}

// head writes what stands above everything.
func (m markup) head(a around) {
	here, title := a.item != nil, m.book.Title
	if here {
		title = a.name()
	}
	m.raw("<!DOCTYPE html>\n<html")
	m.attribute("lang", m.book.Language)
	if document.RightToLeft(m.book.Language) {
		m.raw(` dir="rtl"`)
	}
	m.attribute("class", m.options.Theme.Class())
	m.raw(">\n<head>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"Content-Security-Policy\"")
	allowed := policy + policyEnd
	if a.remote {
		allowed = policy + policyRemote + policyEnd
	}
	m.attribute("content", allowed)
	m.raw(">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
	m.text(title)
	if here {
		m.raw(" · ")
		m.text(m.book.Title)
	}
	m.raw("</title>\n")
	if here && a.description != "" {
		m.raw(`<meta name="description"`)
		m.attribute("content", a.description)
		m.raw(">\n")
	}
	m.raw("<meta name=\"generator\" content=\"Octavo\">\n")
	if a.previous != nil {
		m.raw(`<link rel="prev" href="`, a.previous.file, "\">\n")
	}
	if a.next != nil {
		m.raw(`<link rel="next" href="`, a.next.file, "\">\n")
	}
	m.raw(`<link rel="icon" href="data:,">
<link rel="stylesheet" href="site/site.css">
<script src="site/words.js"></script>
<script src="site/site.js"></script>
<script src="site/find.js"></script>
</head>
<body>
<a class="site-skip" href="#Content">`)
	m.text(m.words.Skip)
	m.raw("</a>\n<header class=\"site-header\">\n")
	if here {
		m.raw(`<button class="site-button site-menu" type="button" aria-expanded="false" aria-controls="Pages"`)
		m.attribute("aria-label", m.words.AllPages)
		m.raw(` hidden>
<svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true"><path d="M2 4h12M2 8h12M2 12h12"/></svg>
</button>
`)
	}
	m.raw(`<a class="site-name" href="` + indexFile + `"`)
	if !here {
		m.raw(` aria-current="page"`)
	}
	m.raw(">")
	m.text(m.book.Title)
	m.raw("</a>\n")
	m.search()
	if m.options.Theme.Name != "light" && m.options.Theme.Name != "dark" {
		m.raw(`<button class="site-button site-theme" type="button" aria-pressed="false"`)
		m.attribute("aria-label", m.words.Dark)
		m.raw(` hidden>
<svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true"><circle cx="8" cy="8" r="5.5"/><path class="site-half" d="M8 2.5a5.5 5.5 0 0 1 0 11z"/></svg>
</button>
`)
	}
	m.raw("</header>\n")
}

// search writes the form that searches.
func (m markup) search() {
	m.raw("<form class=\"site-search\" role=\"search\" hidden>\n<button class=\"site-go\" type=\"submit\"")
	m.attribute("aria-label", m.words.BestResult)
	m.raw(`>
<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/></svg>
</button>
<input class="site-query" type="search"`)
	m.attribute("aria-label", m.words.SearchPages)
	m.attribute("placeholder", m.words.Search)
	m.raw(` autocomplete="off" spellcheck="false">
<kbd aria-hidden="true">/</kbd>
<div class="site-results" hidden><p class="site-status" role="status"></p><ol></ol></div>
</form>
`)
}

// before writes what stands above a page.
func (m markup) before(a around) {
	m.head(a)
	m.raw("<div class=\"site-frame\">\n<nav class=\"site-pages\" id=\"Pages\"")
	m.attribute("aria-label", m.words.AllPages)
	m.raw(">\n", m.navigation(a.item), "</nav>\n<main class=\"site-main\" id=\"Content\" tabindex=\"-1\">\n")
	if trail := a.trail(); len(trail) > 0 {
		m.raw(`<nav class="site-trail"`)
		m.attribute("aria-label", m.words.Where)
		m.raw(">\n<ol>\n")
		for _, above := range trail {
			m.raw(`<li><a href="`, above.file, `">`)
			m.text(above.name())
			m.raw("</a></li>\n")
		}
		m.raw("</ol>\n</nav>\n")
	}
}

// own is what a page is made of alone.
type own struct {
	*item
	language string // of the page, "" is that of the book
	contents string // the list of its headings, as HTML
	titled   bool   // whether the body says the title
	body     []byte // HTML
}

// own writes a page.
func (m markup) own(o own) {
	if o.contents != "" {
		m.raw("<details class=\"site-short\">\n<summary>")
		m.text(m.words.OnThisPage)
		m.raw("</summary>\n", o.contents, "</details>\n")
	}
	m.raw("<article")
	if o.language != "" && o.language != m.book.Language {
		m.attribute("lang", o.language)
		if toLeft := document.RightToLeft(o.language); toLeft != document.RightToLeft(m.book.Language) {
			m.attribute("dir", map[bool]string{false: "ltr", true: "rtl"}[toLeft])
		}
	}
	m.raw(">\n")
	if !o.titled {
		m.raw("<h1>")
		m.text(o.name())
		m.raw("</h1>\n")
	}
	m.out.Write(o.body)
	m.raw("</article>\n<footer class=\"site-foot\">\n")
	if o.updated != "" {
		m.raw(`<p class="site-updated">`)
		m.text(m.words.Updated)
		m.raw(" <time")
		m.attribute("datetime", o.updated)
		m.raw(">")
		m.text(o.updated)
		m.raw("</time></p>\n")
	}
}

// after writes what stands below a page.
func (m markup) after(a around) {
	if a.previous != nil || a.next != nil {
		m.raw(`<nav class="site-pager"`)
		m.attribute("aria-label", m.words.PreviousNext)
		m.raw(">\n")
		m.neighbour("previous", "prev", m.words.Previous, a.previous)
		m.neighbour("next", "next", m.words.Next, a.next)
		m.raw("</nav>\n")
	}
	m.raw("</footer>\n</main>\n")
	if a.contents != "" {
		m.raw(`<nav class="site-contents"`)
		m.attribute("aria-label", m.words.OnThisPage)
		m.raw(">\n<p>")
		m.text(m.words.OnThisPage)
		m.raw("</p>\n", a.contents, "</nav>\n")
	}
	m.raw("</div>\n</body>\n</html>\n")
}

// neighbour writes the link to the page before or behind, if there is one.
func (m markup) neighbour(class, rel, said string, to *item) {
	if to == nil {
		return
	}
	m.raw(`<a class="site-`, class, `" rel="`, rel, `" href="`, to.file, `"><span>`)
	m.text(said)
	m.raw("</span> ")
	m.text(to.name())
	m.raw("</a>\n")
}

// entries writes a list of headings.
func (m markup) entries(list []document.Entry) {
	m.raw("<ul>\n")
	for _, e := range list {
		m.raw(`<li><a href="#`)
		m.fragment(e.Anchor)
		m.raw(`">`)
		m.text(e.Text)
		m.raw("</a>")
		if len(e.Entries) > 0 {
			m.raw("\n")
			m.entries(e.Entries)
		}
		m.raw("</li>\n")
	}
	m.raw("</ul>\n")
}
