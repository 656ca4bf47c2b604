package dialect

import (
	"cmp"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/attribute"
	"github.com/octavo-docs/octavo/internal/document/inline"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// obsidianLine parses a line of Obsidian: the start of a multi-line comment.
func obsidianLine(line string) (Mark, bool) {
	return Mark{Form: Literal, End: "%%", Hidden: true}, strings.HasPrefix(line, "%%") && !strings.Contains(line[2:], "%%")
}

func obsidianText(text string, at int) (m Mark, ok bool) {
	s := text[at:min(len(text), at+maxReach)]
	switch s[0] {
	case '[':
		return wikiLink(s, false)
	case '!':
		alt, to, _ := strings.Cut(s, "](")
		if page := embeddedPage.FindString(to); page != "" && strings.HasPrefix(alt, "![") && !strings.ContainsAny(alt[2:], "[]\n") {
			return Mark{Name: "a", Attributes: with(nil, "href", page), Text: cmp.Or(alt[2:], page), Width: len(alt) + len("](") + len(page) + 1}, strings.HasPrefix(to[len(page):], ")")
		}
		m, ok = wikiLink(s[1:], true)
		m.Width++
		return m, ok
	case '=':
		return paired(text, at, "==", "mark")
	case '%':
		end := strings.Index(s[min(2, len(s)):], "%%")
		return Mark{Width: end + 4}, strings.HasPrefix(s, "%%") && end >= 0
	case '^':
		id := strings.TrimRight(text[at+1:min(len(text), at+maxLabel)], " \t\n")
		if id == "" || len(text) > at+maxLabel || at > 0 && !inline.IsBlank(text[at-1]) && text[at-1] != '\n' && !strings.HasSuffix(text[:at], "]]") || strings.Trim(id, idBytes) != "" {
			return Mark{}, false
		}
		return Mark{Name: "span", Attributes: with(nil, "id", "^"+id), Width: len(text) - at}, true
	}
	return Mark{}, false
}

// embeddedPage matches the address of an image that Obsidian shows as a video, post or document.
var embeddedPage = regexp.MustCompile(`^https?://(?:(?:www\.)?(?:youtube\.com|youtu\.be|twitter\.com|x\.com)/[^()\s]*|[^()\s]*\.pdf(?:#[^()\s]*)?)`)

const (
	maxLabel = 100 // of a block, in bytes
	idBytes  = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-"
)

// Shown is the attribute of a link whose target is to be shown. HTML cannot have it.
const Shown = "!"

// wikiLink parses [[page#heading|text]]; with an exclamation mark before it, shown is true.
// Pictures are images, others links with the attribute Shown.
func wikiLink(s string, shown bool) (Mark, bool) {
	inside, found := strings.CutPrefix(s, "[[")
	inside, _, closed := strings.Cut(inside, "]]")
	if !found || !closed || inside == "" || strings.ContainsAny(inside, "\n[]") {
		return Mark{}, false
	}
	m := Mark{Name: "a", Width: len(inside) + len("[[]]")}
	target, label, labelled := strings.Cut(strings.ReplaceAll(inside, `\|`, "|"), "|") // as tables have it
	target = strings.TrimSpace(target)
	name, fragment, _ := strings.Cut(target, "#")
	name = strings.TrimSuffix(name, ".md")
	if i := strings.LastIndexByte(fragment, '#'); i >= 0 {
		fragment = fragment[i+1:]
	}
	if shown && isPicture(name) {
		alt, size := obsidianAlt(label)
		m.Name, m.Attributes = "img", append(attribute.List{{Name: "src", Value: reference.ByName(name, "")}}, size...)
		if alt != "" {
			m.Attributes = with(m.Attributes, "alt", alt)
		}
		return m, true
	}
	if m.Text = strings.TrimSpace(label); !labelled && (strings.HasPrefix(fragment, "^") || strings.HasPrefix(fragment, "page=")) {
		m.Text = name
	}
	if m.Text == "" {
		m.Text = strings.TrimPrefix(strings.ReplaceAll(strings.Replace(strings.TrimSuffix(target, ".md"), ".md#", "#", 1), "#", " > "), " > ")
	}
	m.Attributes = with(nil, "href", reference.ByName(name, fragment))
	if shown {
		m.Attributes = with(m.Attributes, Shown, true)
	}
	return m, target != ""
}

// obsidianAlt divides text|100x50 or 100 into the alternative text and the size of a picture.
func obsidianAlt(written string) (alt string, size attribute.List) {
	at := strings.LastIndexByte(written, '|')
	width, height, both := strings.Cut(written[at+1:], "x")
	if width == "" || both && height == "" || strings.Trim(width+height, "0123456789") != "" {
		return written, nil
	}
	if size = with(nil, "width", width); both {
		size = with(size, "height", height)
	}
	return written[:max(at, 0)], size
}

// obsidianAddress finds pictures by name alone, as wiki links do. A fragment only
// affects how Obsidian shows the picture.
func obsidianAddress(written string) (to string, ok bool) {
	u, err := url.Parse(written)
	if err != nil || u.Scheme+u.Host != "" || !isPicture(u.Path) || strings.HasPrefix(u.Path, "/") || strings.HasPrefix(u.Path, ".") {
		return written, true
	}
	return reference.ByName(u.Path, ""), true
}

// Named returns the target of a wiki link and its offset; "" for pictures and other marks.
func Named(mark string) (from int, name string) {
	from = strings.Index(mark, "[[") + len("[[")
	if from > len("![[") || from < len("[[") || !strings.HasSuffix(mark, "]]") {
		return 0, ""
	}
	name, _, _ = strings.Cut(mark[from:len(mark)-len("]]")], "|")
	name = strings.TrimSuffix(name, `\`)
	if file, _, _ := strings.Cut(name, "#"); mark[0] == '!' && isPicture(strings.TrimSpace(file)) {
		return 0, ""
	}
	from += len(name) - len(strings.TrimLeft(name, " \t"))
	return from, strings.TrimSpace(name)
}

// isPicture reports whether a file is an embeddable picture.
func isPicture(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".avif", ".bmp", ".gif", ".jpeg", ".jpg", ".png", ".svg", ".webp":
		return true
	}
	return false
}
