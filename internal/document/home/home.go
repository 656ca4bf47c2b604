// Package home reads home pages that are made of front matter, as VitePress,
// VuePress, Starlight and Rspress have them: a name, what it is, where to go and
// what speaks for it. It makes no nodes of them.
package home

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
)

// Page is what the front matter of a home page says. Texts may have marks.
type Page struct {
	Name, Text, Tagline string
	Actions             []Link
	Features            []Feature
}

// Leads reports whether the page has links.
func (p Page) Leads() bool {
	return len(p.Actions) > 0 || slices.ContainsFunc(p.Features, func(f Feature) bool { return f.Link.Href != "" })
}

// Link leads somewhere.
type Link struct{ Text, Href string }

// Feature is a short text with a title; Link may be empty.
type Feature struct {
	Title, Details string
	Link           Link
}

// most bounds how many actions and features are read.
const most = 100

// Read returns what a JSON object of front matter says; it is empty where that is
// of another page.
func Read(frontmatter []byte) Page {
	if !bytes.Contains(frontmatter, []byte("hero")) && !bytes.Contains(frontmatter, []byte(`"features"`)) {
		return Page{} // as nearly all
	}
	var front map[string]any
	if json.Unmarshal(frontmatter, &front) != nil {
		return Page{} // what is no object says nothing
	}
	if front["layout"] != "home" && front["home"] != true && front["template"] != "splash" && front["pageType"] != "home" {
		return Page{}
	}
	hero, _ := front["hero"].(map[string]any) // nil has no members
	page := Page{
		Name: text(hero, "name", "title"), Text: text(hero, "text"), Tagline: text(hero, "tagline"),
		Actions: links(hero["actions"]),
	}
	if page.Text != "" && page.Name == "" {
		page.Name, page.Text = page.Text, ""
	}
	page.Name, page.Tagline = cmp.Or(page.Name, text(front, "heroText")), cmp.Or(page.Tagline, text(front, "tagline"))
	if len(page.Actions) == 0 {
		page.Actions = links(front["actions"])
	}
	if link := (Link{text(front, "actionText"), text(front, "actionLink")}); link.Text != "" {
		page.Actions = append(page.Actions, link)
	}
	for _, f := range objects(front["features"]) {
		feature := Feature{text(f, "title"), text(f, "details", "description"), Link{text(f, "linkText"), text(f, "link")}}
		if feature.Title != "" || feature.Details != "" {
			page.Features = append(page.Features, feature)
		}
	}
	return page
}

func links(list any) (all []Link) {
	for _, action := range objects(list) {
		if link := (Link{text(action, "text"), text(action, "link")}); link.Text != "" {
			all = append(all, link)
		}
	}
	return all
}

func objects(list any) (found []map[string]any) {
	items, _ := list.([]any) // what is no list has none
	for _, item := range items[:min(len(items), most)] {
		if object, ok := item.(map[string]any); ok {
			found = append(found, object)
		}
	}
	return found
}

// text returns the first of some members that is a text.
func text(object map[string]any, names ...string) string {
	for _, name := range names {
		if s, ok := object[name].(string); ok && s != "" {
			return s
		}
	}
	return ""
}
