package moving

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"golang.org/x/net/html"

	"github.com/octavo-docs/octavo/internal/moving/markup"
)

func isMetadata(e *html.Node) bool { return markup.HasClass(e, "page-metadata") }

// mainOf returns the element with the text of a page; without text it omits metadata.
func mainOf(root *html.Node) *html.Node {
	main := cmp.Or(byID(root, "main-content"), byID(root, "content"))
	if main == nil {
		return nil
	}
	if meta := markup.Find(main, isMetadata); meta != nil && markup.Attr(main, "id") == "content" {
		meta.Parent.RemoveChild(meta)
	}
	return main
}

func (s *space) write(p *wikiPage, lost losing) ([]byte, error) {
	text, err := readLimited(s.export, p.file, markup.MaxSource)
	if err != nil {
		return nil, err
	}
	root, err := markup.Parse(text)
	if err != nil {
		return nil, err
	}
	f := front{title: p.title, position: p.position}
	f.readMeta(root, lost)
	main := mainOf(root)
	if main == nil {
		lost(1, "page", "the part with the text of the page was not found: the whole file is used")
		main = cmp.Or(element(root, "body"), root)
	}
	m := macros{space: s, page: p, lost: lost, linked: map[string]bool{}, anchors: map[string]bool{}}
	m.rewrite(main)
	body := markup.Convert(main, markup.Options{Address: m.address, Keep: func(id string) bool { return m.anchors[id] }, Lost: lost})
	if list := m.attachments(root, main); list != "" {
		body = strings.TrimRight(body, "\n") + "\n\n## Attachments\n\n" + list
	}
	return f.page(headed(f.title, body)), nil
}

var dates = []string{"Jan 02, 2006", "Jan 2, 2006", "02 January 2006", "2 January 2006", "02 Jan 2006", "January 2, 2006", "2006-01-02"}

// readMeta reads author, date and labels, and reports what is not imported.
func (f *front) readMeta(root *html.Node, lost losing) {
	if meta := markup.Find(root, isMetadata); meta != nil {
		var names []string
		for n := range meta.Descendants() {
			if name := markup.Text(n); markup.HasClass(n, "author", "editor") && name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if len(names) > 0 {
			lost(markup.Line(meta), "author", "written by "+strings.Join(names, ", ")+", which stands in this report only")
		}
		words := markup.Text(meta)
		for i := len(words) - 1; i > 0 && f.edited == ""; i-- {
			if words[i-1] != ' ' || len(words)-i > len("02 September 2006") {
				continue
			}
			for _, form := range dates {
				if day, err := time.Parse(form, words[i:]); err == nil {
					f.edited = day.Format(time.DateOnly)
				}
			}
		}
	}
	for n := range root.Descendants() {
		switch {
		case n.Type != html.ElementNode:
		case n.Data == "a" && (markup.HasClass(n, "aui-label-split-main") || strings.Contains(markup.Attr(n, "href"), "/label/")) && markup.Text(n) != "":
			if tag := markup.Text(n); !slices.Contains(f.tags, tag) {
				f.tags = append(f.tags, tag)
			}
		case markup.Attr(n, "id") == "comments":
			lost(markup.Line(n), "comments", "comments are left out")
		}
	}
}

// attachments returns a list of attachments that the text does not show.
func (m *macros) attachments(root, main *html.Node) string {
	heading := byID(root, "attachments")
	if heading == nil {
		return ""
	}
	section := heading
	for section.Parent != nil && !markup.HasClass(section, "pageSection") {
		section = section.Parent
	}
	var list strings.Builder
	for n := range section.Descendants() {
		href := markup.Attr(n, "href")
		if n.Data != "a" || section == root || !strings.HasPrefix(href, "attachments/") || m.linked[href] || strings.HasPrefix(markup.Text(n), "~") {
			continue
		}
		m.linked[href] = true
		list.WriteString(markup.Item(markup.Text(n), m.address(href, markup.Line(n))))
	}
	return list.String()
}
