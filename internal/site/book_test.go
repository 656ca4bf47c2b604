package site

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/docs"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/frontmatter"
)

//go:embed testdata/showcase.mdx
var showcase string

// source is a page of a tree of files.
type source struct {
	Entry
	path, description, content string
}

// library is a tree of files as a book, with links between them resolved.
type library struct {
	list   []source
	byPath map[string]string
}

// documentation returns the documentation of Octavo and the showcase.
func documentation(t testing.TB) *library {
	t.Helper()
	l := &library{byPath: map[string]string{}}
	if err := fs.WalkDir(docs.Files(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || path.Ext(name) != ".md" {
			return err
		}
		file, err := fs.ReadFile(docs.Files(), name)
		if err == nil {
			l.add(t, name, file)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	l.add(t, "concepts/showcase.mdx", []byte("---\ntitle: Everything at once\n---\n"+showcase))
	slices.SortStableFunc(l.list, func(a, b source) int { return strings.Compare(order(a.path), order(b.path)) })
	return l
}

// order puts the pages at the top first, and the page of a folder before those
// in it.
func order(file string) string {
	return strings.TrimSuffix(strings.Replace(strings.Replace(file, "index.md", "", 1), "/", "\x7f", 1), ".md")
}

func (l *library) add(t testing.TB, name string, file []byte) {
	t.Helper()
	raw, body, format, err := frontmatter.Split(file)
	if err != nil {
		t.Fatal(err)
	}
	front, err := frontmatter.Parse(raw, format)
	if err != nil {
		t.Fatal(err)
	}
	var about struct{ Title, Description string }
	if err := json.Unmarshal(front, &about); err != nil {
		t.Fatal(err)
	}
	key := reference.PathKey(name)
	slug := strings.ReplaceAll(key, "/", "-")
	if slug == "" {
		slug = "overview"
	}
	s := source{Entry{Key: name, Slug: slug, Title: about.Title, Level: strings.Count(key, "/"), Former: []string{"old-" + slug}}, name, about.Description, string(body)}
	l.byPath[key] = name
	l.list = append(l.list, s)
}

func (l *library) book() Book {
	b := Book{Title: "Octavo", Made: time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC), Pages: l.pages()}
	for _, s := range l.list {
		b.Contents = append(b.Contents, s.Entry)
	}
	return b
}

func (l *library) pages() iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		for _, s := range l.list {
			if !yield(saying(Page{Key: s.Key, Description: s.description, Updated: time.Date(2026, 4, 5, 6, 7, 8, 0, time.UTC)}, s.content, document.Options{MDX: strings.HasSuffix(s.path, ".mdx")}), nil) {
				return
			}
		}
	}
}

func (l *library) options() Options {
	return Options{
		Highlighter: highlight.New(1 << 20),
		Link: func(page Page, href string) (Target, bool) {
			for _, target := range reference.Targets(href, page.Key, "") {
				if key := l.byPath[target.Path]; key != "" {
					return Target{Key: key, Fragment: target.Fragment}, true
				}
			}
			return Target{}, false
		},
		Asset: func(_ Page, href string) (Asset, bool) {
			if path.Base(href) != "square.png" {
				return Asset{}, false
			}
			return Asset{Key: "square", Name: "../../Square of colours.png", Open: func(context.Context) (io.ReadCloser, error) {
				return io.NopCloser(bytes.NewReader(square())), nil
			}}, true
		},
	}
}

// saying returns the page with a text.
func saying(p Page, text string, o document.Options) Page {
	p.Digest = sha256.Sum256(fmt.Appendf(nil, "%t %s", o.MDX, text))
	p.Document = func() *document.Document { return document.Parse(text, o) }
	return p
}

// square is a picture.
func square() []byte {
	img := image.NewRGBA(image.Rect(0, 0, 320, 120))
	for i := range 320 * 120 {
		img.Set(i%320, i/320, color.RGBA{R: uint8(i % 320 / 2), G: uint8(i / 320), B: 160, A: 255})
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// write makes a site and returns its files.
func write(t testing.TB, b Book, o Options) (files map[string]string, r Report) {
	t.Helper()
	var out bytes.Buffer
	r, err := Write(t.Context(), &out, b, o)
	if err != nil {
		t.Fatal(err)
	}
	return unzip(t, out.Bytes()), r
}

func unzip(t testing.TB, data []byte) map[string]string {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, f := range archive.File {
		if !fs.ValidPath(f.Name) || strings.ContainsAny(f.Name, `\:`) || files[f.Name] != "" {
			t.Errorf("the zip has a file %q, or has it twice", f.Name)
		}
		content, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(content)
		if err != nil {
			t.Fatal(err)
		}
		files[f.Name] = string(text)
	}
	return files
}

// small is a book of a few pages, each a title and its content.
func small(pages ...[2]string) Book {
	b := Book{Title: "Book"}
	for _, p := range pages {
		b.Contents = append(b.Contents, Entry{Key: p[0], Slug: p[0], Title: p[0]})
	}
	b.Pages = func(yield func(Page, error) bool) {
		for _, p := range pages {
			if !yield(saying(Page{Key: p[0]}, p[1], document.Options{}), nil) {
				return
			}
		}
	}
	return b
}

func plain() Options { return Options{Highlighter: highlight.New(0)} }
