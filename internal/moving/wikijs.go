package moving

import (
	"encoding/base64"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/dialect"
	"github.com/octavo-docs/octavo/internal/frontmatter"
	"github.com/octavo-docs/octavo/internal/moving/markup"
)

// wikijs reads the storage of Wiki.js, such as its git repository: a Markdown or HTML
// file per page, at the path of its address.
type wikijs struct{}

func (wikijs) name() string { return "wikijs" }

// looked is the number of pages examined to detect the system.
const looked = 20

func (wikijs) finds(export fs.FS, names []string, asked bool) bool {
	tried := 0
	return slices.ContainsFunc(names, func(name string) bool {
		if ext := path.Ext(name); tried == looked || ext != ".md" && ext != ".html" {
			return false
		}
		tried++
		text, err := readLimited(export, name, maxMarkdown)
		front, _ := wikiFront(name, text)
		return asked || err == nil && front["editor"] != "" && front["dateCreated"] != ""
	})
}

// wikiFront parses the metadata at the beginning of a page.
func wikiFront(name string, text []byte) (front map[string]string, body string) {
	source := strings.ReplaceAll(strings.TrimPrefix(string(text), "\uFEFF"), "\r\n", "\n")
	front = map[string]string{}
	raw, body := "", source
	if path.Ext(name) == ".html" {
		if inside, rest, ok := strings.Cut(strings.TrimPrefix(source, "<!--\n"), "\n-->"); ok && strings.HasPrefix(source, "<!--\n") {
			raw, body = "---\n"+inside+"\n---\n", rest
		}
	} else if split, rest, format, err := frontmatter.Split([]byte(source)); err == nil && format != frontmatter.None {
		raw, body = string(split), string(rest)
	}
	for line := range strings.Lines(raw) { // Wiki.js does not quote values
		if key, value, ok := strings.Cut(line, ": "); ok {
			front[key] = strings.TrimSpace(value)
		}
	}
	return front, body
}

var localeFolder = regexp.MustCompile(`^[a-z]{2}(-[a-zA-Z]{2,4})?$`)

func (wikijs) read(t *Tree) error {
	f := newFolder(t)
	locales := map[string]bool{}
	for _, file := range t.listed {
		top, rest, _ := strings.Cut(file, "/")
		if (rest == "home.md" || rest == "home.html") && localeFolder.MatchString(top) && octavo.CheckLanguage(top) == "" {
			locales[top] = true
		}
	}
	for _, file := range t.listed {
		ext := path.Ext(file)
		if ext != ".md" && ext != ".html" {
			f.keep(file)
		} else {
			f.addWikiPage(file, locales)
		}
	}
	f.also = func(target string) []string {
		var names []string
		for _, prefix := range append([]string{""}, slices.Sorted(maps.Keys(locales))...) {
			for _, ext := range []string{"", ".md", ".html"} {
				names = append(names, path.Join(prefix, target)+ext)
			}
		}
		if top, rest, ok := strings.Cut(target, "/"); ok && localeFolder.MatchString(top) && !locales[top] { // the default language has no folder
			names = append(names, rest+".md", rest+".html")
		}
		return names
	}
	f.general("history", "earlier versions, comments, names of people and the menu of the wiki are not in the storage")
	f.arrange()
	for locale := range locales {
		f.byKey[locale].front.language = locale
	}
	f.fill(f.wikiPage, maxMarkdown)
	return nil
}

func (f *folder) addWikiPage(file string, locales map[string]bool) {
	text, err := readLimited(f.export, file, maxMarkdown)
	if err != nil {
		f.lose(file, "page", "it cannot be read: %v", err)
		return
	}
	front, body := wikiFront(file, text)
	if front["title"] == "" && file == "README.md" {
		f.lose(file, "page", "it is about the storage, not of the wiki, and is left out")
		return
	}
	for i, found := range wikiDiagram.FindAllStringSubmatch(body, -1) {
		if svg, err := base64.StdEncoding.DecodeString(found[1]); err == nil {
			f.add(diagramPath(file, i), entry{open: func() (content, error) { return bytesOf(svg), nil }})
		}
	}
	key := strings.TrimSuffix(file, path.Ext(file))
	name := path.Base(key)
	if dir := path.Dir(key); name == "home" && (dir == "." || locales[dir]) {
		key = dir
	}
	title := front["title"]
	if title == "" {
		if title, _ = takeTitle(body); title == "" {
			title = name
		}
	}
	l := f.addLeaf(key, file, name, title)
	if locales[key] {
		l.name = key
	}
	l.front.description = front["description"]
	l.front.draft = front["published"] == "false"
	if top, _, _ := strings.Cut(file, "/"); locales[top] {
		l.front.language = top
	}
	if date := front["date"]; len(date) >= len("2006-01-02") {
		l.front.edited = date[:len("2006-01-02")]
	}
	for tag := range strings.SplitSeq(front["tags"], ",") {
		if tag = strings.TrimSpace(tag); tag != "" {
			l.front.tags = append(l.front.tags, tag)
		}
	}
	from := "/" + strings.TrimSuffix(file, path.Ext(file))
	f.Redirects = append(f.Redirects, Redirect{from, file})
	if top, _, _ := strings.Cut(file, "/"); !locales[top] && !locales["en"] { // English is usually the default language
		f.Redirects = append(f.Redirects, Redirect{"/en" + from, file})
	}
}

func (f *folder) wikiPage(l *leaf, _ *front, text []byte, lost losing) (string, error) {
	_, body := wikiFront(l.file, text)
	before := strings.Count(string(text), "\n") - strings.Count(body, "\n")
	if path.Ext(l.file) == ".html" {
		root, err := markup.Parse([]byte(body))
		if err != nil {
			return "", err
		}
		for n := range root.Descendants() {
			for _, class := range slices.Sorted(maps.Keys(wikiBox)) {
				if n.Data == "blockquote" && markup.HasClass(n, class) {
					box(n, wikiBox[class], "") // no longer a blockquote
				}
			}
		}
		return headed(l.title, markup.Convert(root, markup.Options{Address: f.address(l), Lost: func(line int, construct, words string) { lost(line+before, construct, words) }})), nil
	}
	n := -1
	body = wikiDiagram.ReplaceAllStringFunc(body, func(fence string) string {
		n++
		name := diagramPath(l.file, n)
		if f.entries[name].open == nil {
			return fence
		}
		return "![](" + between(l.path, name) + ")" + strings.Repeat("\n", strings.Count(fence, "\n"))
	})
	return headed(l.title, rewriteLinks(wikiText(body, before, lost), f.address(l))), nil
}

// wikiDiagram matches a drawing: a code block with SVG in base64.
var wikiDiagram = regexp.MustCompile("(?m)^```diagram *\r?\n([A-Za-z0-9+/=\r\n]+)\n```")

// diagramPath returns the path in the tree of a drawing on a page.
func diagramPath(file string, n int) string {
	return fmt.Sprintf("files/%s-diagram-%d.svg", strings.TrimSuffix(file, path.Ext(file)), n+1)
}

var (
	wikiBox  = map[string]string{"is-info": "info", "is-success": "tip", "is-warning": "warning", "is-danger": "danger"}
	wikiMark = regexp.MustCompile(`^\s*\{\.([\w.\s-]+)\}\s*$`)
	wikiHead = regexp.MustCompile(`^(#{1,6})\s.*$`)

	// wikiInline finds classes, emoji names, and code, which keeps both.
	wikiInline = regexp.MustCompile("`[^`]*`|:[a-z0-9_+-]+:|\\{\\.[\\w-]+(?:\\s+\\.[\\w-]+)*\\}")
)

const wikiTabs = "{.tabset}"

// wikiText converts the extensions of Wiki.js: boxes as quotations, tiles as lists,
// tabs as headings, picture sizes.
func wikiText(text string, before int, lost losing) string {
	var out []string
	marks := map[int][]string{} // by line, from 1; only outside of code
	heads := map[int][]string{}
	text = eachLine(text, func(line string, n int) string {
		marks[n], heads[n] = wikiMark.FindStringSubmatch(line), wikiHead.FindStringSubmatch(line)
		return wikiInline.ReplaceAllStringFunc(sizes(line), func(s string) string {
			switch {
			case s[0] == ':':
				return dialect.Emoji(s)
			case s == wikiTabs && heads[n] != nil:
				return ""
			case s[0] == '{' && marks[n] == nil:
				lost(n+before, "style", s+" is left out")
				return ""
			}
			return s
		})
	})
	start := -1         // of the quotation on the previous line
	above, tabs := 0, 0 // the level of the heading above tabs, and how many there are
	end := func() (lines string) {
		if above > 0 {
			lines = strings.Repeat(":::::\n", min(tabs, 1)) + "::::::\n\n"
		}
		above, tabs = 0, 0
		return lines
	}
	for i, line := range strings.Split(text, "\n") {
		mark := marks[i+1]
		if head := heads[i+1]; head != nil {
			level, before := len(head[1]), ""
			if level <= above {
				before = end()
			}
			if above > 0 && level == above+1 {
				line = strings.Repeat(":::::\n", min(tabs, 1)) + ":::::tab " + strings.TrimSpace(line[level:])
				tabs++
			} else if above == 0 && strings.Contains(head[0], wikiTabs) {
				above, line = level, "::::::tabs"
			}
			line = before + line
		}
		switch {
		case mark != nil && start >= 0 && wikiBox[mark[1]] != "":
			for j := start; j < len(out); j++ {
				if indent, rest, ok := strings.Cut(out[j], ">"); ok && strings.TrimSpace(indent) == "" {
					out[j] = indent + strings.TrimPrefix(rest, " ")
				}
			}
			indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
			out = slices.Insert(out, start, indent+":::"+wikiBox[mark[1]])
			out = append(out, indent+":::")
			start = -1
			continue
		case mark != nil:
			lost(i+1+before, "style", "{."+mark[1]+"} is left out")
			start = -1
			continue
		case strings.TrimSpace(line) == "":
			start = -1
		case start < 0 && strings.HasPrefix(strings.TrimLeft(line, " "), ">"):
			start = len(out)
		}
		out = append(out, line)
	}
	return strings.TrimRight(strings.Join(append(out, end()), "\n"), "\n") + "\n"
}
