package look

import (
	"bytes"
	"cmp"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/direction"
)

// Out writes the HTML around pages: Raw writes trusted markup, everything else is escaped. Templates would
// be too slow for every page of a site.
type Out struct{ *bytes.Buffer }

func (o Out) Raw(parts ...string) {
	for _, part := range parts {
		o.WriteString(part)
	}
}

// Text writes escaped text, also for attribute values in double quotes.
func (o Out) Text(s string) {
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
		o.Raw(s[from:i], escaped)
		from = i + 1
	}
	o.Raw(s[from:])
}

// fragment writes a percent-encoded fragment.
func (o Out) fragment(s string) {
	const hex = "0123456789abcdef"
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '.', c == '_', c == '~':
			o.WriteByte(c)
		default:
			o.Write([]byte{'%', hex[c>>4], hex[c&15]})
		}
	}
}

// Attribute writes an attribute with a trusted name.
func (o Out) Attribute(name, value string) {
	o.Raw(" ", name, `="`)
	o.Text(value)
	o.Raw(`"`)
}

// Link writes a link; href must not need escaping.
func (o Out) Link(href, text string) {
	o.Raw(`<a href="`, href, `">`)
	o.Text(text)
	o.Raw("</a>")
}

// Head writes the beginning of the document.
func (o Out) Head(s *Site, p Page) {
	o.Raw("<!DOCTYPE html>\n<html")
	o.Attribute("lang", s.Language)
	if direction.RightToLeft(s.Language) {
		o.Raw(` dir="rtl"`)
	}
	o.Attribute("class", s.Theme.Class())
	o.Raw(">\n<head>\n<meta charset=\"utf-8\">\n")
	if p.Policy != "" {
		o.Raw(`<meta http-equiv="Content-Security-Policy"`)
		o.Attribute("content", p.Policy)
		o.Raw(">\n")
	}
	o.Raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>")
	if p.Title != "" && p.Title != s.Title {
		o.Text(p.Title)
		o.Raw(" · ")
	}
	o.Text(s.Title)
	o.Raw("</title>\n")
	if p.Description != "" {
		o.Raw(`<meta name="description"`)
		o.Attribute("content", p.Description)
		o.Raw(">\n")
	}
	o.Raw("<meta name=\"generator\" content=\"Octavo\">\n")
	if p.Previous != nil {
		o.Raw(`<link rel="prev" href="`, p.Previous.Href, "\">\n")
	}
	if p.Next != nil {
		o.Raw(`<link rel="next" href="`, p.Next.Href, "\">\n")
	}
	o.Raw(`<link rel="icon"`)
	o.Attribute("href", cmp.Or(s.Icon, "data:,"))
	o.Raw(">\n", s.Files, p.Head, "</head>\n<body>\n")
	o.bar(s, p)
}

// bar writes the top bar.
func (o Out) bar(s *Site, p Page) {
	o.Raw("<a class=\"site-skip\" href=\"#Content\">")
	o.Text(s.Words.Skip)
	o.Raw("</a>\n", s.Banner, "<header class=\"site-header\">\n")
	if p.Title != "" {
		o.Raw(`<button class="site-button site-menu" type="button" aria-expanded="false" aria-controls="Pages"`)
		o.Attribute("aria-label", s.Words.AllPages)
		o.Raw(` hidden>
<svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true"><path d="M2 4h12M2 8h12M2 12h12"/></svg>
</button>
`)
	}
	o.Raw(`<a class="site-name" href="`, s.Home, `"`)
	if p.Title == "" || p.Node != nil && p.Href == s.Home {
		o.Raw(` aria-current="page"`)
	}
	o.Raw(">")
	if s.Logo == "" {
		o.Text(s.Title)
	}
	o.Raw(s.Logo, "</a>\n", s.Links)
	o.search(s, p.Searched)
	if s.Theme.Name != "light" && s.Theme.Name != "dark" {
		o.Raw(`<button class="site-button site-theme" type="button" aria-pressed="false"`)
		o.Attribute("aria-label", s.Words.Dark)
		o.Raw(` hidden>
<svg viewBox="0 0 16 16" width="18" height="18" aria-hidden="true"><circle cx="8" cy="8" r="5.5"/><path class="site-half" d="M8 2.5a5.5 5.5 0 0 1 0 11z"/></svg>
</button>
`)
	}
	o.Raw("</header>\n")
}

// In writes the form field for the language of a search.
func (o Out) In(language string) {
	if language != "" {
		o.Raw(`<input type="hidden" name="language"`)
		o.Attribute("value", language)
		o.Raw(">\n")
	}
}

func (o Out) search(s *Site, language string) {
	form, field, label := " hidden", "", s.Words.BestResult
	if s.Find != "" {
		form, field, label = ` action="`+s.Find+`"`, ` name="q"`, s.Words.Search
	}
	o.Raw("<form class=\"site-search\" role=\"search\"", form, ">\n<button class=\"site-go\" type=\"submit\"")
	o.Attribute("aria-label", label)
	o.Raw(`>
<svg viewBox="0 0 16 16" width="16" height="16" aria-hidden="true"><circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5"/></svg>
</button>
<input class="site-query" type="search"`, field)
	o.Attribute("aria-label", s.Words.SearchPages)
	o.Attribute("placeholder", s.Words.Search)
	o.Raw(" autocomplete=\"off\" spellcheck=\"false\">\n")
	o.In(language)
	o.Raw(`<kbd aria-hidden="true">/</kbd>
<div class="site-results" hidden><p class="site-status" role="status"></p><ol></ol></div>
</form>
`)
}

// Before writes the markup above a page.
func (o Out) Before(s *Site, p Page) {
	o.Head(s, p)
	o.Raw("<div class=\"site-frame\">\n<nav class=\"site-pages\" id=\"Pages\"")
	o.Attribute("aria-label", s.Words.AllPages)
	o.Raw(">\n")
	o.Navigation(s, p.Node)
	o.Raw("</nav>\n<main class=\"site-main\" id=\"Content\" tabindex=\"-1\">\n")
	if trail := p.Trail(); len(trail) > 0 {
		o.Raw(`<nav class="site-trail"`)
		o.Attribute("aria-label", s.Words.Where)
		o.Raw(">\n<ol>\n")
		o.items(s, trail)
		o.Raw("</ol>\n</nav>\n")
	}
}

// Own writes a page; Contents and Body are trusted HTML.
func (o Out) Own(s *Site, a Article) {
	if a.Contents != "" {
		o.Raw("<details class=\"site-short\">\n<summary>")
		o.Text(s.Words.OnThisPage)
		o.Raw("</summary>\n", a.Contents, "</details>\n")
	}
	o.Raw("<article")
	o.languageOf(a.Language, s.Language)
	o.Raw(">\n")
	if !a.Titled {
		o.Raw("<h1>")
		o.Text(a.Name)
		o.Raw("</h1>\n")
	}
	o.Write(a.Body)
	if said := bytes.TrimSpace(a.Body); len(said) == 0 || bytes.HasSuffix(said, []byte("</h1>")) {
		o.List(s, a.Below)
	}
	o.Raw("</article>\n<footer class=\"site-foot\">\n")
	if a.Updated != "" {
		o.Raw(`<p class="site-updated">`)
		o.Text(s.Words.Updated)
		o.Raw(" <time")
		o.Attribute("datetime", a.Updated)
		o.Raw(">")
		o.Text(a.Updated)
		o.Raw("</time></p>\n")
	}
	o.Raw(a.Foot)
}

func (o Out) List(s *Site, pages []*Node) {
	if len(pages) == 0 {
		return
	}
	o.Raw("<ul class=\"site-list\">\n")
	o.items(s, pages)
	o.Raw("</ul>\n")
}

// items writes links to pages as list items.
func (o Out) items(s *Site, pages []*Node) {
	for _, n := range pages {
		o.Raw(`<li><a href="`, n.Href, `">`, s.title(n), "</a></li>\n")
	}
}

// After writes the markup below a page.
func (o Out) After(s *Site, p Page) {
	if p.Previous != nil || p.Next != nil {
		o.Raw(`<nav class="site-pager"`)
		o.Attribute("aria-label", s.Words.PreviousNext)
		o.Raw(">\n")
		o.neighbour(s, "previous", "prev", s.Words.Previous, p.Previous)
		o.neighbour(s, "next", "next", s.Words.Next, p.Next)
		o.Raw("</nav>\n")
	}
	o.Raw("</footer>\n</main>\n")
	if p.Contents != "" {
		o.Raw(`<nav class="site-contents"`)
		o.Attribute("aria-label", s.Words.OnThisPage)
		o.Raw(">\n<p>")
		o.Text(s.Words.OnThisPage)
		o.Raw("</p>\n", p.Contents, "</nav>\n")
	}
	o.Raw("</div>\n", s.Footer, "</body>\n</html>\n")
}

// neighbour writes the link to the previous or next page, if any.
func (o Out) neighbour(s *Site, class, rel, said string, to *Node) {
	if to == nil {
		return
	}
	o.Raw(`<a class="site-`, class, `" rel="`, rel, `" href="`, to.Href, `"><span>`)
	o.Text(said)
	o.Raw("</span> ", s.title(to), "</a>\n")
}

// Entries writes a table of contents.
func (o Out) Entries(list []document.Entry) {
	o.Raw("<ul>\n")
	for _, e := range list {
		o.Raw(`<li><a href="#`)
		o.fragment(e.Anchor)
		o.Raw(`">`)
		o.Text(e.Text)
		o.Raw("</a>")
		if len(e.Entries) > 0 {
			o.Raw("\n")
			o.Entries(e.Entries)
		}
		o.Raw("</li>\n")
	}
	o.Raw("</ul>\n")
}
