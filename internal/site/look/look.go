// Package look renders the surroundings of a page on exported and live sites: the article, page tree, table
// of contents, breadcrumbs, style and script. Package document/html renders the content.
//
// Callers supply what differs: parts of the head, addresses, the search, and the end of a page.
package look

import (
	_ "embed"
	"encoding/json"
	"fmt"
	stdhtml "html"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/direction"
	"github.com/octavo-docs/octavo/internal/document/html"
	"github.com/octavo-docs/octavo/internal/document/words"
)

//go:embed site.css
var styleSheet string

// Script is the script of all pages. It must follow the result of Said.
//
//go:embed site.js
var Script []byte

// Live is the additional script of live sites.
//
//go:embed live.js
var Live []byte

// Style returns the style sheet of all pages.
func Style() string { return html.StyleSheet() + styleSheet }

// Said returns a script with the words used by other scripts.
func Said(w *words.Words) ([]byte, error) {
	list, err := json.Marshal(map[string]string{
		"copy": w.Copy, "copied": w.Copied, "notCopied": w.NotCopied,
		"loading": w.Loading, "noIndex": w.NoIndex, "instead": w.Instead, "nothing": w.Nothing, "notAll": w.NotAll,
		"onePage": w.OnePage, "pages": w.Pages, "best": w.Best,
		"changed": w.Changed, "gone": w.Gone, "reload": w.Reload, "thanks": w.Thanks, "notSent": w.NotSent, "enlarge": w.Enlarge, "copyPage": w.CopyPage, "recent": w.Recent, "forget": w.Forget, "edit": w.Edit,
	})
	if err != nil {
		return nil, fmt.Errorf("words of scripts: %w", err)
	}
	return append(append([]byte("window.octavoWords = "), list...), ";\n"...), nil
}

// Around are the ids outside of the article.
func Around() []string { return []string{"Pages", "Content"} }

// Node is a page in the page tree.
type Node struct {
	Href     string // must not need escaping
	Name     string // title
	Parent   *Node  // nil for a root
	Children []*Node

	titles [2]string // as HTML for left-to-right and right-to-left pages
}

// NewNode returns a page outside of a tree.
func NewNode(href, name string) *Node {
	n := &Node{Href: href, Name: name}
	for i, around := range []bool{false, true} {
		n.titles[i] = stdhtml.EscapeString(name)
		if toLeft := direction.Title(name, around); toLeft != around {
			n.titles[i] = `<bdi dir="` + directions[toLeft] + `">` + n.titles[i] + "</bdi>"
		}
	}
	return n
}

// directions are the values of dir.
var directions = map[bool]string{false: "ltr", true: "rtl"}

// title returns the title of a page as HTML.
func (s *Site) title(n *Node) string {
	if direction.RightToLeft(s.Language) {
		return n.titles[1]
	}
	return n.titles[0]
}

// Trail returns the ancestors, root first.
func (n *Node) Trail() []*Node {
	if n == nil || n.Parent == nil {
		return nil
	}
	return append(n.Parent.Trail(), n.Parent)
}

// Site is what all pages have in common.
type Site struct {
	Title, Language string
	Theme           html.Theme
	Words           *words.Words
	Top             []*Node
	Home            string // address of the first page
	Find            string // address of the search; "" if a script searches
	Files           string // markup that loads style and scripts
	Icon            string // address; "" for none
	Logo            string // markup instead of the title in the bar; "" for none
	Banner          string // markup at the top
	Links           string // markup in the top bar
	Footer          string // markup at the end of pages

	// More returns the address of the list of all children of a page, or of all roots for nil.
	More func(*Node) string
}

// Page is the surroundings of a page.
type Page struct {
	*Node              // nil if it is not in the tree
	Title       string // of the window, with the site's; "" is the cover, without a tree
	Description string
	Policy      string // Content-Security-Policy in a file; "" if sent as a header
	Head        string // additional markup in the head
	Searched    string // language of searches from here; "" for all
	Contents    string // table of contents as HTML

	Previous, Next *Node
}

// Article is the content of a page.
type Article struct {
	Name     string
	Language string  // "" is that of the site
	Contents string  // table of contents as HTML
	Titled   bool    // the body shows the title
	Updated  string  // a date or ""
	Body     []byte  // HTML
	Below    []*Node // listed if Body has only the title
	Foot     string  // markup below the content
}

// Titled reports whether a document shows its title.
func Titled(d *document.Document, title string) bool {
	h, _ := d.Says(title)
	return h != nil
}

// Entries returns the table of contents, or nil if it would be useless.
func Entries(d *document.Document) []document.Entry {
	all := d.Contents(2, 3)
	if len(all) == 1 && len(all[0].Entries) == 0 {
		return nil
	}
	return all
}

// languageOf writes the lang attribute of a text if it differs from the surroundings.
func (o Out) languageOf(own, around string) {
	if own == "" || own == around {
		return
	}
	o.Attribute("lang", own)
	if toLeft := direction.RightToLeft(own); toLeft != direction.RightToLeft(around) {
		o.Attribute("dir", directions[toLeft])
	}
}
