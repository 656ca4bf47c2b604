// Package look has what a site of documentation looks like, for the exported one
// and the live one alike: the article, the tree of pages, the contents of a page,
// the trail to it, its style and its script. What a page says comes as HTML of
// package document/html.
//
// The two differ in the head, in addresses, in what searches, and in what stands
// below a page: whoever uses the package gives these.
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

// Script is the script of every page. It wants that of Said before it.
//
//go:embed site.js
var Script []byte

// Live is the script of live sites besides.
//
//go:embed live.js
var Live []byte

// Style returns the style sheet of every page.
func Style() string { return html.StyleSheet() + styleSheet }

// Said returns the script with the words of other scripts.
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

// Around are identifiers that a page has outside of its article.
func Around() []string { return []string{"Pages", "Content"} }

// Node is a page in the tree of pages.
type Node struct {
	Href     string // needs no escaping
	Name     string // what people call the page
	Parent   *Node  // nil at the top
	Children []*Node

	titles [2]string // as HTML, on a page from left to right and on one from right to left
}

// NewNode returns a page that is not in a tree yet.
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

// directions are the values of the attribute, by whether text runs from right to left.
var directions = map[bool]string{false: "ltr", true: "rtl"}

// title returns what a page is called as HTML.
func (s *Site) title(n *Node) string {
	if direction.RightToLeft(s.Language) {
		return n.titles[1]
	}
	return n.titles[0]
}

// Trail returns the pages above, from the top.
func (n *Node) Trail() []*Node {
	if n == nil || n.Parent == nil {
		return nil
	}
	return append(n.Parent.Trail(), n.Parent)
}

// Site is what all pages of a site have in common.
type Site struct {
	Title, Language string
	Theme           html.Theme
	Words           *words.Words
	Top             []*Node
	Home            string // address of the first page
	Find            string // address that answers searches; "" where a script does
	Files           string // markup that loads style and scripts
	Icon            string // address of the icon; "" for none
	Logo            string // markup in place of the title in the bar; "" for none
	Banner          string // markup above everything
	Links           string // markup in the bar at the top
	Footer          string // markup at the end of each page

	// More returns the address of the list of all pages below one, or with nil of
	// those at the top.
	More func(*Node) string
}

// Page is what stands around a page.
type Page struct {
	*Node              // nil for what is not in the tree
	Title       string // of the window beside that of the site; "" is the cover of the site, without the tree
	Description string
	Policy      string // Content-Security-Policy of a file; "" where a header has it
	Head        string // further markup of the head
	Searched    string // the language in which is searched here; "" for all
	Contents    string // the list of its headings, as HTML

	Previous, Next *Node
}

// Article is what a page is made of alone.
type Article struct {
	Name     string
	Language string  // of the page, "" is that of the site
	Contents string  // the list of its headings, as HTML
	Titled   bool    // whether the body says the title
	Updated  string  // a date or ""
	Body     []byte  // HTML
	Below    []*Node // are listed where Body says nothing but its title
	Foot     string  // markup below it
}

// Titled reports whether a document says its title.
func Titled(d *document.Document, title string) bool {
	h, _ := d.Says(title)
	return h != nil
}

// Entries returns what a page says about its contents, nothing when that is of
// no use.
func Entries(d *document.Document) []document.Entry {
	all := d.Contents(2, 3)
	if len(all) == 1 && len(all[0].Entries) == 0 {
		return nil
	}
	return all
}

// languageOf writes the language of a text on a page in another one.
func (o Out) languageOf(own, around string) {
	if own == "" || own == around {
		return
	}
	o.Attribute("lang", own)
	if toLeft := direction.RightToLeft(own); toLeft != direction.RightToLeft(around) {
		o.Attribute("dir", directions[toLeft])
	}
}
