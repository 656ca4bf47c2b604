package site

import (
	"context"
	_ "embed"
	"fmt"
	"html"
	"html/template"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/direction"
	"github.com/octavo-docs/octavo/internal/document/words"
	"github.com/octavo-docs/octavo/internal/site/look"
)

//go:embed site.tmpl
var listMarkup string

var templates = template.Must(template.New("").Parse(listMarkup))

// show writes a file from a template.
func (b *builder) show(file, name string, data any) error {
	b.filled.Reset()
	if err := templates.ExecuteTemplate(&b.filled, name, data); err != nil {
		return fmt.Errorf("make %s: %w", name, err)
	}
	return b.zip.write(file, b.filled.Bytes())
}

// redirect is the page at a former address.
type redirect struct {
	File, Title, Language string
	RightToLeft           bool
	Words                 *words.Words
}

// redirects writes a file for each unused former slug.
func (b *builder) redirects(ctx context.Context) error {
	for _, it := range b.items {
		for _, slug := range it.Former {
			file := strings.ToLower(safeBase(slug, "page")) + ".html"
			if b.taken.has(file) {
				continue
			}
			b.taken[file] = 2
			if err := b.show(file, "redirect", redirect{it.Href, it.Name, b.book.Language, direction.RightToLeft(b.book.Language), &b.words}); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

type cover struct {
	Head, Navigation template.HTML
	Book             *Book
	Words            *words.Words
	First            string // "" for none
	Made             string // a date or ""
}

// lists writes the lists of pages: the first page, llms.txt and, if the address of the site is known, the
// sitemap.
func (b *builder) lists(context.Context) error {
	b.begin().Head(&b.site, look.Page{Policy: policy + policyEnd})
	v := cover{Head: template.HTML(b.filled.String()), Book: &b.book, Words: &b.words}
	b.begin().Outline(&b.site)
	v.Navigation = template.HTML(b.filled.String())
	if len(b.items) > 0 {
		v.First = b.items[0].Href
	}
	if !b.book.Made.IsZero() {
		v.Made = b.book.Made.UTC().Format("2006-01-02")
	}
	if err := b.show(indexFile, "index", v); err != nil {
		return err
	}
	if err := b.zip.write("llms.txt", b.llms()); err != nil || b.book.Address == "" {
		return err
	}
	return b.zip.write("sitemap.xml", b.sitemap())
}

// maxMapped limits the addresses in a sitemap (sitemaps.org).
const maxMapped = 50_000

// sitemap returns the sitemap for search engines.
func (b *builder) sitemap() []byte {
	out := []byte(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">` + "\n")
	add := func(file, updated string) {
		out = append(out, "<url><loc>"+html.EscapeString(b.book.Address+file)+"</loc>"...)
		if updated != "" {
			out = append(out, "<lastmod>"+updated+"</lastmod>"...)
		}
		out = append(out, "</url>\n"...)
	}
	add("", "")
	if len(b.items) >= maxMapped {
		b.warn("the sitemap has only the first %d pages, the limit of sitemaps", maxMapped-1)
	}
	for _, it := range b.items[:min(len(b.items), maxMapped-1)] {
		add(it.Href, it.updated)
	}
	return append(out, "</urlset>\n"...)
}

// llms returns the list of pages for language models (llmstxt.org).
func (b *builder) llms() []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n", oneLine(b.book.Title, maxDescription))
	if len(b.items) > 0 {
		out.WriteString("\n## Pages\n\n")
	}
	escape := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)
	for _, it := range b.items {
		fmt.Fprintf(&out, "%s- [%s](%s)", strings.Repeat("  ", len(it.Trail())), escape.Replace(oneLine(it.Name, maxDescription)), it.Href)
		if it.description != "" {
			out.WriteString(": " + it.description)
		}
		out.WriteByte('\n')
	}
	return []byte(out.String())
}
