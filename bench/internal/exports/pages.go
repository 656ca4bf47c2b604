package exports

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
)

// page is a page that is exported.
type page struct{ title, content string }

var (
	frontMatter = regexp.MustCompile(`(?s)\A---\r?\n(.*?)\r?\n---\r?\n`)
	titleLine   = regexp.MustCompile(`(?m)^title: *(.*)$`)
	fence       = regexp.MustCompile("(?m)^ *```")
	picture     = regexp.MustCompile(`!\[([^\]]*)\]\([^)]*\)`)
)

// The pages that are taken are neither short nor very long, and have code.
const (
	mostBytes   = 20_000
	leastFences = 4 // of two blocks
)

// readPages reads the pages of a tree: their text without pictures, which the
// tree may lack, and with the short codes of its generator made plain.
func readPages(tree string) (pages []page, err error) {
	err = filepath.WalkDir(tree, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if len(text) > mostBytes || len(fence.FindAllIndex(text, -1)) < leastFences {
			return nil
		}
		p := page{title: strings.TrimSuffix(filepath.Base(path), ".md")}
		if m := frontMatter.FindSubmatchIndex(text); m != nil {
			if title := titleLine.FindSubmatch(text[m[2]:m[3]]); title != nil {
				p.title = strings.Trim(strings.TrimSpace(string(title[1])), `"'`)
			}
			text = text[m[1]:]
		}
		text = picture.ReplaceAll(text, []byte("$1"))
		p.content = strings.NewReplacer("{{<", "{ {<", "{{%", "{ {%").Replace(string(text))
		pages = append(pages, p)
		return nil
	})
	if err == nil && len(pages) == 0 {
		err = fmt.Errorf("%s has no page with two blocks of code", tree)
	}
	return pages, err
}

// markdown returns a page as a file; its number keeps titles apart.
func (p page) markdown(n int) string {
	return fmt.Sprintf("---\ntitle: %q\n---\n\n%s", fmt.Sprintf("%s %d", p.title, n), p.content)
}

// writePages writes so many pages, from the first again when there are fewer,
// and a picture of its own into each when that is wished.
func writePages(folder string, pages []page, count int, pictures bool) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for n := range count {
		text := pages[n%len(pages)].markdown(n)
		if pictures {
			name := fmt.Sprintf("picture-%04d.png", n)
			text += fmt.Sprintf("\n\n![A picture](%s)\n", name)
			if err := os.WriteFile(filepath.Join(folder, name), drawing(n), 0o644); err != nil { //nolint:gosec // for every program to read
				return err
			}
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("page-%04d.md", n)), []byte(text), 0o644); err != nil { //nolint:gosec // for every program to read
			return err
		}
	}
	return nil
}

// drawing returns a PNG of 640 × 400 that no other number gives.
func drawing(n int) []byte {
	m := image.NewRGBA(image.Rect(0, 0, 640, 400))
	for y := range 400 {
		for x := range 640 {
			m.SetRGBA(x, y, color.RGBA{uint8(x * n), uint8(y + n), uint8(x ^ y), 255}) //nolint:gosec // the low bits are wanted
		}
	}
	var b bytes.Buffer
	_ = png.Encode(&b, m) // a buffer takes everything
	return b.Bytes()
}

// How much text makes a sheet of A4 at 10 points, in chapters of paragraphs.
const (
	wordsOfSheet     = 714
	wordsOfParagraph = 90
	chapters         = 20
)

var word = regexp.MustCompile(`[\pL]+[,.;:]?(?:\s|$)`)

// writeSheets writes plain text for about so many sheets: the words of the pages
// without their marks and code, so that it has as many different ones as
// documentation has. A file is a chapter: its title, then paragraphs, with empty
// lines between.
func writeSheets(folder string, pages []page, count int) error {
	var words []string
	for n := 0; len(words) < count*wordsOfSheet && n < count*wordsOfSheet; n++ {
		for _, w := range word.FindAllString(pages[n%len(pages)].content, -1) {
			words = append(words, strings.TrimSpace(w))
		}
	}
	if len(words) < count*wordsOfSheet {
		return errors.New("the pages have no words")
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	each := count * wordsOfSheet / chapters
	for n := range chapters {
		text := fmt.Sprintf("Chapter %d", n+1)
		for paragraph := range slices.Chunk(words[n*each:(n+1)*each], wordsOfParagraph) {
			text += "\n\n" + strings.Join(paragraph, " ")
		}
		if err := os.WriteFile(filepath.Join(folder, fmt.Sprintf("chapter-%02d.txt", n)), []byte(text+"\n"), 0o644); err != nil { //nolint:gosec // for every program to read
			return err
		}
	}
	return nil
}

// writeHTML writes so many pages as one document, for programs that print one.
func writeHTML(file string, pages []page, count int) error {
	md := goldmark.New(goldmark.WithExtensions(extension.GFM)) // leaves HTML in pages out
	var b bytes.Buffer
	b.WriteString(`<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Book</title><style>
body { font: 10pt/1.5 sans-serif } pre { background: #f4f4f4; padding: 8px; white-space: pre-wrap } section { page-break-before: always }
table { border-collapse: collapse } td, th { border: 1px solid #ccc; padding: 4px }</style></head><body>`)
	for n := range count {
		p := pages[n%len(pages)]
		fmt.Fprintf(&b, "<section><h1>%d</h1>\n", n)
		if err := md.Convert([]byte("# "+p.title+"\n\n"+p.content), &b); err != nil {
			return err
		}
		b.WriteString("</section>\n")
	}
	b.WriteString("</body></html>\n")
	return os.WriteFile(file, b.Bytes(), 0o644) //nolint:gosec // for every program to read
}

// writeHugo writes a site for Hugo, with a plain theme and colours of code.
func writeHugo(folder string, pages []page, count int) error {
	if err := writePages(filepath.Join(folder, "content", "docs"), pages, count, false); err != nil {
		return err
	}
	layouts := filepath.Join(folder, "layouts", "_default")
	if err := os.MkdirAll(layouts, 0o755); err != nil {
		return err
	}
	for name, text := range map[string]string{
		filepath.Join(folder, "config.toml"): "baseURL = \"http://localhost/\"\ntitle = \"Site\"\ndisableKinds = [\"taxonomy\", \"term\", \"RSS\"]\n[markup.highlight]\nstyle = \"github\"\n",
		filepath.Join(layouts, "single.html"): `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ .Title }}</title></head><body>
<nav>{{ with .PrevInSection }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }} {{ with .NextInSection }}<a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}</nav>
<aside>{{ .TableOfContents }}</aside><main><h1>{{ .Title }}</h1>{{ .Content }}</main></body></html>`,
		filepath.Join(layouts, "list.html"): `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{{ .Title }}</title></head><body>
<ul>{{ range .Pages }}<li><a href="{{ .RelPermalink }}">{{ .Title }}</a></li>{{ end }}</ul></body></html>`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil { //nolint:gosec // for every program to read
			return err
		}
	}
	return nil
}
