package importer

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/filename"
	"github.com/octavo-docs/octavo/internal/importer/settings"
)

// meta is the interpreted front matter of a page. Members name the generators that use
// them.
type meta struct {
	title       string
	position    *int64  // nil if unset
	address     string  // replaces the path of the file; "" if unset
	last        string  // replaces the last part of the path
	byID        bool    // last is an id, which the page of a folder has without effect
	above       lineage // Just the Docs
	aliases     []alias // aliases (Hugo), redirect_from (Jekyll)
	publication publication
}

// alias is a former address of the page.
type alias struct {
	path string
	line int
}

// readMeta interprets front matter and notes what it cannot import. line returns the
// line of a member.
func readMeta(front octavo.Value, line func(key string) int, note func(line int, format string, args ...any)) meta {
	m := meta{}
	for _, key := range []string{"title", "linkTitle"} { // both of Hugo; all generators use title
		if v, _, _ := member(front, key); m.title == "" {
			m.title = oneLine(settings.Scalar(v))
		}
	}
	noteLists(front, line, note)
	noteTags(front, line, note)
	m.readAddress(front, line, note)
	m.readPosition(front, line, note)
	m.above = readLineage(front)
	for _, key := range []string{"aliases", "redirect_from"} {
		v, key, _ := member(front, key)
		if v.Kind == octavo.KindString {
			v.Items = []octavo.Value{v}
		}
		for _, item := range v.Items {
			switch {
			case item.Kind != octavo.KindString || strings.Contains(item.Str, "://"):
				note(line(key), "%s: %s is not a path, so nothing redirects from it", key, item.AppendJSON(nil))
			case item.Str != "":
				m.aliases = append(m.aliases, alias{item.Str, line(key)})
			}
		}
	}
	return m
}

// noteLists notes that a page was excluded from lists although it is public.
func noteLists(front octavo.Value, line func(string) int, note func(int, string, ...any)) {
	for _, dotted := range []string{
		"nav_exclude", "search_exclude", "sidebar.hidden", "search.exclude", "sitemap.disable",
		"!sitemap", "!pagefind", "!searchable", "!navigation",
	} {
		dotted, listed := strings.CutPrefix(dotted, "!")
		outer, inner, nested := strings.Cut(dotted, ".")
		v, key, ok := member(front, outer)
		if nested {
			v, key, ok = member(v, inner)
		}
		if truth, said := settings.Truth(v); ok && said && truth != listed {
			note(line(key), "%s is not imported: the page is listed and found as others are", dotted)
		}
	}
}

// noteTags notes invalid tags.
func noteTags(front octavo.Value, line func(string) int, note func(int, string, ...any)) {
	tags, key, _ := member(front, "tags")
	if tags.Kind == octavo.KindObject {
		note(line(key), "%s: %s is not a tag", key, shortJSON(tags))
	}
	for _, item := range tags.Items {
		named := slices.ContainsFunc([]string{"label", "name", "title"}, func(name string) bool {
			v, _ := item.Get(name)
			return v.Kind == octavo.KindString && v.Str != ""
		})
		if item.Kind == octavo.KindArray || item.Kind == octavo.KindObject && !named {
			note(line(key), "%s: %s is not a tag", key, shortJSON(item))
		}
	}
}

// readAddress reads the address: url (Hugo), permalink (Jekyll) and a slug with a slash
// (Docusaurus, Starlight) set the whole path; other slugs and id (Docusaurus) set only
// the last part.
func (m *meta) readAddress(front octavo.Value, line func(string) int, note func(int, string, ...any)) {
	for _, key := range []string{"url", "permalink", "slug", "id"} {
		v, written, _ := member(front, key)
		text := strings.TrimSpace(settings.Scalar(v))
		whole := strings.HasPrefix(text, "/") || key == "slug" && strings.Contains(text, "/")
		switch {
		case text == "":
		case len(filename.AddressParts(text)) == 0 || strings.Contains(text, ":"): // the root, a URL, or a pattern such as /:year/:title
			note(line(written), "%s: %q is not imported, because no slug can be made from it", written, text)
		case whole && key != "id":
			m.address = text
			return
		case key == "slug" || key == "id" && v.Kind == octavo.KindString && !whole && !strings.Contains(text, "/"):
			m.last, m.byID = text, key == "id"
			return
		}
	}
}

// readPosition reads the position among siblings: sidebar_position (Docusaurus), weight
// (Hugo, 0 means unset), sidebar.order (Starlight), nav_order (Jekyll) and order.
func (m *meta) readPosition(front octavo.Value, line func(string) int, note func(int, string, ...any)) {
	sidebar, _, _ := member(front, "sidebar")
	for _, c := range []struct {
		in  octavo.Value
		key string
	}{{front, "sidebar_position"}, {front, "weight"}, {sidebar, "order"}, {front, "nav_order"}, {front, "order"}} {
		v, key, ok := member(c.in, c.key)
		if !ok || c.key == "weight" && v.Str == "0" {
			continue
		}
		n, problem := readNumber(v)
		if problem != "" {
			note(line(key), "%s: %s", key, problem)
		}
		if n != nil {
			m.position = n
			return
		}
	}
}

// readNumber reads a position: a number in the range of int32, possibly fractional.
func readNumber(v octavo.Value) (n *int64, problem string) {
	f, err := strconv.ParseFloat(settings.Scalar(v), 64)
	if err != nil || !(f >= math.MinInt32 && f <= math.MaxInt32) {
		return nil, fmt.Sprintf("%s is not a position", v.AppendJSON(nil))
	}
	spaced := int64(math.Round(f * Spacing))
	return &spaced, ""
}

// member returns a member by name, preferring the exact case, and its written name.
func member(v octavo.Value, name string) (value octavo.Value, written string, ok bool) {
	if value, ok := v.Get(name); ok {
		return value, name, true
	}
	for _, m := range v.Members {
		if strings.EqualFold(m.Name, name) {
			return m.Value, m.Name, true
		}
	}
	return octavo.Value{}, name, false
}

// oneLine normalises a title: runs of white space become one space, NUL is dropped.
func oneLine(text string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(text, "\x00", "")), " ")
}

// cutTitle truncates a title to the allowed number of code points.
func cutTitle(title string) (string, bool) {
	if utf8.RuneCountInString(title) <= octavo.MaxTitle {
		return title, false
	}
	return strings.TrimRight(string([]rune(title)[:octavo.MaxTitle-1]), " ") + "…", true
}
