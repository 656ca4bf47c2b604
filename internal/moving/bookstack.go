package moving

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"github.com/octavo-docs/octavo/internal/moving/markup"
)

// bookstack reads the portable ZIP of BookStack: data.json, and files beside it.
type bookstack struct{}

// maxData limits data.json in bytes.
const maxData = 512 << 20

// exportFile is the content of data.json: one of these is set.
type exportFile struct {
	Book, Chapter, Page *item
}

type item struct {
	ID          int    `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description_html"` // of a book or chapter
	Cover       string `json:"cover"`            // of a book
	HTML        string `json:"html"`
	Markdown    string `json:"markdown"`
	Priority    int    `json:"priority"`
	Draft       bool   `json:"draft"`
	Chapters    []item `json:"chapters"`
	Pages       []item `json:"pages"`
	Tags        []struct{ Name, Value string }
	Images      []struct {
		ID   int
		File string
	}
	Attachments []attachment
	page        bool
}

type attachment struct {
	ID               int
	Name, Link, File string
	Order            int
}

func (bookstack) name() string { return "bookstack" }

func (bookstack) finds(export fs.FS, _ []string, _ bool) bool {
	text, err := readLimited(export, "data.json", maxData)
	var s exportFile
	return err == nil && json.Unmarshal(text, &s) == nil && (s.Book != nil || s.Chapter != nil || s.Page != nil)
}

// library is an export being read.
type library struct {
	*Tree
	pages map[string]string // "page:40" → path in the tree
	files map[string]string // "image:a.png" and "attachment:7" → path in the tree
	ids   map[string]bool   // ids that are linked
	base  string            // folder of the files
}

func (bookstack) read(t *Tree) error {
	text, err := readLimited(t.export, "data.json", maxData)
	if err != nil {
		return err
	}
	var s exportFile
	if err := json.Unmarshal(text, &s); err != nil {
		return fmt.Errorf("data.json: %w", err)
	}
	l := &library{Tree: t, pages: map[string]string{}, files: map[string]string{}, ids: map[string]bool{}}
	for _, found := range linkedIDs.FindAllSubmatch(text, -1) {
		l.ids[string(found[1])] = true
	}
	top, kind := s.Book, "book"
	if top == nil {
		top, kind = s.Chapter, "chapter"
	}
	if top == nil {
		top, kind = s.Page, "page"
		top.page = true
	}
	t.general("history", "earlier versions of pages, comments and names of people are not in the export")
	t.Name = strings.Join(strings.Fields(top.Name), " ")
	l.base = path.Join(t.newPath(".", top.Name), "files")
	delete(t.names, path.Dir(l.base))
	l.add(kind, ".", top, 0)
	return nil
}

// linkedIDs matches a fragment in a link inside JSON.
var linkedIDs = regexp.MustCompile(`#(bkmrk-[^"'\\\s)\]<>]+)`)

// add adds an item and its children. Pages are converted later, when all are known.
func (l *library) add(kind, folder string, it *item, position int) {
	base := l.newPath(folder, it.Name)
	name := base + ".md"
	inside := append(it.Chapters, it.Pages...)
	for i := range inside {
		inside[i].page = i >= len(it.Chapters)
	}
	if !it.page {
		name = path.Join(base, "index.md")
	}
	l.pages[kind+":"+strconv.Itoa(it.ID)] = name
	if it.ID > 0 && it.page {
		l.Redirects = append(l.Redirects, Redirect{"/link/" + strconv.Itoa(it.ID), name})
	}
	for _, image := range it.Images {
		l.take("image:"+image.File, image.File)
		l.files["image:"+strconv.Itoa(image.ID)] = l.files["image:"+image.File]
	}
	for _, a := range it.Attachments {
		if a.File != "" {
			l.take("attachment:"+a.File, a.File)
			l.files["attachment:"+strconv.Itoa(a.ID)] = l.files["attachment:"+a.File]
		}
	}
	if it.Cover != "" {
		l.take("image:"+it.Cover, it.Cover)
	}
	l.addPage(name, "data.json", func(lost losing) ([]byte, error) { return l.write(name, it, position, lost) })
	slices.SortStableFunc(inside, func(a, b item) int { return cmp.Compare(a.Priority, b.Priority) })
	for i := range inside {
		kind := "chapter"
		if inside[i].page {
			kind = "page"
		}
		l.add(kind, base, &inside[i], i+1)
	}
}

// take adds a file from the folder files.
func (l *library) take(reference, file string) {
	from := path.Join("files", file)
	if !fs.ValidPath(file) || !isFile(l.export, from) {
		l.lose("data.json", reference, "the file %s is not in the export", from)
		return
	}
	l.files[reference] = path.Join(l.base, file+l.missingExtension(from))
	l.addFile(l.files[reference], from)
}

var (
	exported = regexp.MustCompile(`\\?\[\\?\[bsexport:(\w+):([^\]\s\\]+)\\?\]\\?\]`)
	included = regexp.MustCompile(`\\?\{\\?\{@\d[^}\n]*\}\}`) // escaped where it was HTML
)

func (l *library) write(name string, it *item, position int, lost losing) ([]byte, error) {
	var edges []string
	resolve := func(address string, line int) string {
		return exported.ReplaceAllStringFunc(address, func(s string) string {
			m := exported.FindStringSubmatch(s)
			to := cmp.Or(l.pages[m[1]+":"+m[2]], l.files[m[1]+":"+m[2]])
			if to == "" {
				lost(line, m[1], "what "+s+" refers to is not in the export")
				return m[1] + ":" + m[2] // else the brackets are a link of a wiki
			}
			edges = append(edges, to)
			return between(name, to)
		})
	}
	text := it.Markdown
	if text != "" {
		lines := strings.SplitAfter(text, "\n")
		for i, line := range lines {
			lines[i] = resolve(line, i+1)
		}
		text = l.anchors(strings.Join(lines, ""))
	} else {
		root, err := markup.Parse([]byte(cmp.Or(it.HTML, it.Description)))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", it.Name, err)
		}
		calloutsOf(root)
		text = markup.Convert(root, markup.Options{
			Address: resolve,
			Keep:    func(id string) bool { return l.ids[id] },
			Lost:    lost,
		})
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = included.ReplaceAllStringFunc(line, func(m string) string {
			lost(i+1, "include", "the text that "+strings.ReplaceAll(m, `\`, "")+" takes from another page is not in the export")
			return ""
		})
	}
	text = strings.Join(lines, "\n")
	var list strings.Builder
	if it.Cover != "" && l.files["image:"+it.Cover] != "" {
		text = "![](" + between(name, l.files["image:"+it.Cover]) + ")\n\n" + text
	}
	slices.SortStableFunc(it.Attachments, func(a, b attachment) int { return cmp.Compare(a.Order, b.Order) })
	for _, a := range it.Attachments {
		to := l.files["attachment:"+a.File]
		switch {
		case a.File != "" && to != "" && !slices.Contains(edges, to):
			list.WriteString(markup.Item(a.Name, between(name, to)))
		case a.File == "" && a.Link != "":
			list.WriteString(markup.Item(a.Name, a.Link))
		}
	}
	if list.Len() > 0 {
		text = strings.TrimRight(text, "\n") + "\n\n## Attachments\n\n" + list.String()
	}
	f := front{title: it.Name, position: position, draft: it.Draft}
	for _, tag := range it.Tags {
		word := tag.Name
		if tag.Value != "" {
			word += ": " + tag.Value
		}
		f.tags = append(f.tags, word)
	}
	return f.page(headed(f.title, text)), nil
}

var heading = regexp.MustCompile(`^#{1,6}[ \t]+(.*?)[ \t]*#*\s*$`)

// anchors gives the headings of a page in Markdown the anchors by which pages link to them. The
// system makes them of the first twenty characters.
func (l *library) anchors(text string) string {
	used := map[string]bool{}
	return eachLine(text, func(line string, _ int) string {
		found := heading.FindStringSubmatch(line)
		if found == nil {
			return line
		}
		words := strings.Fields(strings.NewReplacer("*", "", "`", "").Replace(found[1]))
		name := []rune(strings.ToLower(strings.Join(words, "-")))
		id := "bkmrk-" + url.QueryEscape(string(name[:min(len(name), 20)]))
		if !l.ids[id] || used[id] {
			return line
		}
		used[id] = true // a second one has a number
		return strings.TrimRight(line, " \t") + " {#" + id + "}"
	})
}

func calloutsOf(root *html.Node) {
	variants := [][2]string{{"info", "info"}, {"success", "tip"}, {"warning", "warning"}, {"danger", "danger"}}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "p" && markup.HasClass(n, "callout") {
			kind := "note"
			for _, v := range variants {
				if markup.HasClass(n, v[0]) {
					kind = v[1]
				}
			}
			n.Data, n.DataAtom = "div", 0
			n.Attr = append(n.Attr, html.Attribute{Key: "data-octavo", Val: kind})
		}
	}
}
