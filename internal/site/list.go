package site

import (
	"context"
	"encoding/xml"
	"fmt"
	"strings"
)

// redirects writes a file for each former slug that is still free.
func (b *builder) redirects(ctx context.Context) error {
	for _, it := range b.items {
		for _, slug := range it.Former {
			file := strings.ToLower(safeBase(slug, "page")) + ".html"
			if b.taken.has(file) {
				continue
			}
			b.taken[file] = 2
			canonical := b.absolute(it.file)
			if canonical == "" {
				canonical = it.file
			}
			if err := b.show(file, "redirect", struct{ File, Title, Canonical string }{it.file, it.name(), canonical}); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// lists writes what lists the pages: the first page, sitemap.xml and llms.txt.
func (b *builder) lists(context.Context) error {
	v := b.view(b.book.Title, indexFile)
	v.Description = oneLine(b.book.Subtitle, maxDescription)
	v.Navigation = b.outline()
	if len(b.items) > 0 {
		v.First = b.items[0]
	}
	if !b.book.Made.IsZero() {
		v.Made = b.book.Made.UTC().Format("2006-01-02")
	}
	if err := b.show(indexFile, "index", v); err != nil {
		return err
	}
	if err := b.zip.write("llms.txt", b.llms()); err != nil {
		return err
	}
	if b.options.BaseURL == "" {
		return nil
	}
	sitemap, err := b.sitemap()
	if err != nil {
		return err
	}
	return b.zip.write("sitemap.xml", sitemap)
}

// llms returns the list of pages for language models (llmstxt.org).
func (b *builder) llms() []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "# %s\n", oneLine(b.book.Title, maxDescription))
	if b.book.Subtitle != "" {
		fmt.Fprintf(&out, "\n> %s\n", oneLine(b.book.Subtitle, maxDescription))
	}
	if len(b.items) > 0 {
		out.WriteString("\n## Pages\n\n")
	}
	escape := strings.NewReplacer(`\`, `\\`, "[", `\[`, "]", `\]`)
	for _, it := range b.items {
		address := b.absolute(it.file)
		if address == "" {
			address = it.file
		}
		fmt.Fprintf(&out, "%s- [%s](%s)", strings.Repeat("  ", len(it.trail())), escape.Replace(oneLine(it.name(), maxDescription)), address)
		if it.description != "" {
			out.WriteString(": " + it.description)
		}
		out.WriteByte('\n')
	}
	return []byte(out.String())
}

// The elements of a sitemap (sitemaps.org).
type (
	sitemapSet struct {
		XMLName xml.Name      `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
		Pages   []sitemapPage `xml:"url"`
	}
	sitemapPage struct {
		Address string `xml:"loc"`
		Updated string `xml:"lastmod,omitempty"`
	}
)

// maxSitemap is how many pages a sitemap may list.
const maxSitemap = 50_000

func (b *builder) sitemap() ([]byte, error) {
	set := sitemapSet{Pages: []sitemapPage{{Address: b.absolute(indexFile)}}}
	for _, it := range b.items[:min(len(b.items), maxSitemap-1)] {
		set.Pages = append(set.Pages, sitemapPage{b.absolute(it.file), it.updated})
	}
	text, err := xml.MarshalIndent(set, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("make the sitemap: %w", err)
	}
	return append([]byte(xml.Header), append(text, '\n')...), nil
}
