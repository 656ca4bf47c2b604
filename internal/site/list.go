package site

import (
	"context"
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
			if err := b.show(file, "redirect", struct{ File, Title string }{it.file, it.name()}); err != nil {
				return err
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// lists writes what lists the pages: the first page and llms.txt.
func (b *builder) lists(context.Context) error {
	v := b.view(b.book.Title)
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
	return b.zip.write("llms.txt", b.llms())
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
		fmt.Fprintf(&out, "%s- [%s](%s)", strings.Repeat("  ", len(it.trail())), escape.Replace(oneLine(it.name(), maxDescription)), it.file)
		if it.description != "" {
			out.WriteString(": " + it.description)
		}
		out.WriteByte('\n')
	}
	return []byte(out.String())
}
