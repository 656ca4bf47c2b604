package moving

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"

	"github.com/octavo-docs/octavo/internal/moving/markup"
)

// notion reads exports of Notion, as HTML or as Markdown and CSV: file names end in the
// page id, and databases are tables.
type notion struct{}

func (notion) name() string { return "notion" }

// notionID matches the id at the end of an address.
var notionID = regexp.MustCompile(`[0-9a-f]{32}$`)

var notionName = regexp.MustCompile(`^(?:(.*) )?([0-9a-f]{32})(_all)?\.(md|html|csv)$`)

func (notion) finds(_ fs.FS, names []string, _ bool) bool {
	return slices.ContainsFunc(names, func(name string) bool { return notionName.MatchString(path.Base(name)) })
}

func (notion) read(t *Tree) error {
	f := newFolder(t)
	byID := map[string]*leaf{}
	f.web = func(u *url.URL) *leaf {
		if u.Host != "www.notion.so" && u.Host != "notion.so" && !strings.HasSuffix(u.Host, ".notion.site") {
			return nil
		}
		return byID[notionID.FindString(u.Path)]
	}
	has := map[string]bool{}
	for _, file := range t.listed {
		has[file] = true
	}
	for _, file := range t.listed {
		m := notionName.FindStringSubmatch(path.Base(file))
		stem := strings.TrimSuffix(strings.TrimSuffix(file, path.Ext(file)), "_all")
		switch {
		case path.Base(file) == "index.html":
			f.readWorkspace(file)
			continue
		case m == nil:
			f.keep(file)
			continue
		case m[4] == "csv" && (has[stem+".html"] || has[stem+".md"]), m[3] == "" && m[4] == "csv" && has[stem+"_all.csv"]:
			continue // the same table, whose page has all rows
		}
		title := cmp.Or(m[1], "Untitled")
		l := f.addLeaf(stem, file, title, title)
		byID[m[2]] = l
		for _, ext := range []string{".csv", ".md", ".html"} { // links may have any of them
			f.pages[regular(stem+ext)] = l
		}
		f.Redirects = append(f.Redirects, Redirect{"/" + m[2], file}, Redirect{"/" + strings.Join(strings.FieldsFunc(title, func(r rune) bool { return r == ' ' || r == '-' }), "-") + "-" + m[2], file})
	}
	f.arrangeNotion()
	f.general("history", "earlier versions, comments and names of people are not in the export")
	f.fill(f.notionPage, maxMarkdown)
	return nil
}

var workspace = regexp.MustCompile(`(?i)<p>[^<:]*name[^<:]*: ([^<]+)</p>`)

// readWorkspace reads the order of pages and the name of the workspace.
func (f *folder) readWorkspace(file string) {
	text, err := readLimited(f.export, file, markup.MaxSource)
	if err != nil {
		f.lose(file, "index", "it cannot be read: pages are in the order of their names: %v", err)
		return
	}
	if m := workspace.FindSubmatch(text); m != nil {
		f.Name = html.UnescapeString(string(m[1]))
	}
	root, err := markup.Parse(text)
	if err != nil {
		return
	}
	for n := range root.Descendants() {
		if n.Type == html.ElementNode && n.Data == "a" {
			f.sequence = append(f.sequence, regular(path.Join(path.Dir(file), unescape(markup.Attr(n, "href")))))
		}
	}
}

// arrangeNotion builds the tree. Recent exports have no ids in folder names.
func (f *folder) arrangeNotion() {
	byName := map[string]*leaf{}
	for _, key := range slices.Backward(slices.Sorted(maps.Keys(f.byKey))) { // of two pages the first counts
		l := f.byKey[key]
		if m := notionName.FindStringSubmatch(path.Base(l.file)); m != nil {
			byName[path.Join(path.Dir(l.key), m[1])] = l
		}
	}
	for i, file := range f.sequence {
		if l := f.pages[file]; l != nil && l.order == 0 {
			l.order = i + 1
		}
	}
	f.over = func(dir string) *leaf { return byName[dir] }
	f.arrange()
}

func (f *folder) notionPage(l *leaf, front *front, text []byte, lost losing) (string, error) {
	switch path.Ext(l.file) {
	case ".csv":
		return f.notionTable(l, text)
	case ".md":
		heading, body := takeTitle(string(text))
		if heading != "" {
			front.title = heading
		}
		before := strings.Count(string(text), "\n") - strings.Count(body, "\n")
		body = eachLine(body, func(line string, number int) string {
			indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
			switch strings.TrimSpace(line) {
			case "<aside>":
				lost(number+before, "callout", "it is a box like any other")
				return indent + ":::note"
			case "</aside>":
				return indent + ":::"
			}
			return asText(line)
		})
		return headed(front.title, rewriteLinks(properties(body), f.address(l))), nil
	}
	root, err := markup.Parse(text)
	if err != nil {
		return "", err
	}
	if title := markup.Find(root, func(e *html.Node) bool { return markup.HasClass(e, "page-title") }); title != nil {
		if words := markup.Text(title); words != "" {
			front.title = words
		}
		title.Parent.RemoveChild(title)
	}
	main := cmp.Or(element(root, "article"), root)
	m := blocks{lost: lost}
	m.rewrite(main)
	return headed(front.title, markup.Convert(main, markup.Options{Address: f.address(l), Lost: lost})), nil
}

var property = regexp.MustCompile(`^[\pL\pN][^:\n]{0,60}: \S`)

// properties puts the properties of a database's row, which come first, on lines of their
// own.
func properties(body string) string {
	first, rest, _ := strings.Cut(strings.TrimLeft(body, "\n"), "\n\n")
	lines := strings.Split(first, "\n")
	if slices.ContainsFunc(lines, func(line string) bool { return !property.MatchString(line) }) {
		return body
	}
	return strings.Join(lines, "\\\n") + "\n\n" + rest
}

// notionTable converts a database to a table. The first column links to the pages of the
// rows, in the folder with its name.
func (f *folder) notionTable(l *leaf, text []byte) (string, error) {
	r := csv.NewReader(bytes.NewReader(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	rows, err := r.ReadAll()
	if err != nil {
		return "", err
	}
	byTitle := map[string]*leaf{}
	for _, c := range l.below {
		byTitle[strings.Join(strings.Fields(c.title), " ")] = c
	}
	var b strings.Builder
	for i, row := range rows {
		b.WriteString("<tr>")
		for j, value := range row {
			text := html.EscapeString(value)
			if to := byTitle[strings.Join(strings.Fields(value), " ")]; i > 0 && j == 0 && to != nil {
				text = `<a href="` + html.EscapeString(between(l.path, to.path)) + `">` + text + "</a>"
			}
			if i == 0 {
				text = "<th>" + text
			} else {
				text = "<td>" + text
			}
			b.WriteString(text)
		}
	}
	root, err := markup.Parse([]byte("<table>" + b.String() + "</table>"))
	if err != nil {
		return "", err
	}
	return markup.Convert(root, markup.Options{}), nil
}
