// Package home parses home pages defined by front matter, as in VitePress, VuePress, Starlight
// and Rspress: name, picture, tagline, actions and features. It makes no nodes.
package home

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
)

// Page is the parsed front matter. Texts may contain Markdown.
type Page struct {
	Name, Text, Tagline string
	Image, Alt          string
	Actions             []Link
	Features            []Feature
}

// HasLinks reports whether an action or feature has a link, or there is a picture.
func (p Page) HasLinks() bool {
	return len(p.Actions) > 0 || p.Image != "" || slices.ContainsFunc(p.Features, func(f Feature) bool { return f.Link.Href != "" })
}

// Lead returns the description in front matter, which GitBook shows below the title.
func Lead(front map[string]any) string {
	layout, _ := front["layout"].(map[string]any)
	shown, _ := layout["description"].(map[string]any) // nil has no members
	if shown["visible"] == false {
		return ""
	}
	return text(front, "description")
}

type Link struct{ Text, Href string }

// Feature is a titled text; Link is optional.
type Feature struct {
	Title, Details string
	Link           Link
}

// most limits the number of actions and features.
const most = 100

// Read parses a JSON object of front matter; the result is empty for other pages.
func Read(frontmatter []byte) Page {
	if !bytes.Contains(frontmatter, []byte("hero")) && !bytes.Contains(frontmatter, []byte(`"features"`)) {
		return Page{} // the common case
	}
	var front map[string]any
	if json.Unmarshal(frontmatter, &front) != nil {
		return Page{} // not an object
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
	image, _ := hero["image"].(map[string]any) // nil has no members
	page.Image = cmp.Or(text(hero, "image"), text(image, "src", "file", "light", "dark"), text(front, "heroImage"))
	page.Alt = cmp.Or(text(image, "alt"), text(front, "heroAlt"))
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
	items, _ := list.([]any) // nil if it is not a list
	for _, item := range items[:min(len(items), most)] {
		if object, ok := item.(map[string]any); ok {
			found = append(found, object)
		}
	}
	return found
}

// text returns the first of some members that is a string.
func text(object map[string]any, names ...string) string {
	for _, name := range names {
		if s, ok := object[name].(string); ok && s != "" {
			return s
		}
	}
	return ""
}
