package site

import (
	"html/template"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/words"
)

// maxSiblings is how many pages of one parent the navigation of a page shows.
// With all of them, a site of many pages side by side would grow with their
// square.
const maxSiblings = 80

// navigation returns the tree of pages as one page shows it: what leads to the
// page is open, everything else closed.
func (b *builder) navigation(here *item) string {
	open := map[*item]bool{here: true}
	for _, above := range here.trail() {
		open[above] = true
	}
	n := navigator{here: here, open: open, words: &b.words}
	n.Grow(b.navigated) // most are about as long as the one before
	n.list(b.top)
	b.navigated = n.Len()
	return n.String()
}

// outline returns the whole tree, for the first page.
func (b *builder) outline() template.HTML {
	n := navigator{whole: true, words: &b.words}
	n.list(b.top)
	return template.HTML(n.String())
}

// navigator writes lists of pages. Titles are escaped once for all pages, and
// files need no escaping.
type navigator struct {
	strings.Builder
	here  *item
	open  map[*item]bool
	whole bool
	words *words.Words
}

func (n *navigator) list(items []*item) {
	if len(items) == 0 {
		return
	}
	n.WriteString("<ul>\n")
	from, to := 0, len(items)
	if !n.whole {
		from, to = n.window(items)
	}
	if from > 0 {
		n.more(n.words.Earlier)
	}
	for _, it := range items[from:to] {
		n.WriteString(`<li><a href="`)
		n.WriteString(it.file)
		n.WriteByte('"')
		if it == n.here {
			n.WriteString(` aria-current="page"`)
		}
		if len(it.children) > 0 && !n.whole {
			n.WriteString(` class="site-branch`)
			if n.open[it] {
				n.WriteString(" site-open")
			}
			n.WriteByte('"')
		}
		n.WriteByte('>')
		n.WriteString(it.title)
		n.WriteString("</a>")
		if n.whole || n.open[it] {
			if len(it.children) > 0 {
				n.WriteByte('\n')
			}
			n.list(it.children)
		}
		n.WriteString("</li>\n")
	}
	if to < len(items) {
		n.more(n.words.More)
	}
	n.WriteString("</ul>\n")
}

// more leads to where all pages are listed.
func (n *navigator) more(text string) {
	n.WriteString(`<li><a class="site-more" href="` + indexFile + `">` + text + "</a></li>\n")
}

// window returns which of many siblings are shown: those around the one that is
// open.
func (n *navigator) window(items []*item) (from, to int) {
	if len(items) <= maxSiblings {
		return 0, len(items)
	}
	for i, it := range items {
		if n.open[it] {
			from = max(0, min(i-maxSiblings/2, len(items)-maxSiblings))
			break
		}
	}
	return from, from + maxSiblings
}
