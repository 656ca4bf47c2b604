package site

import (
	"context"
	"fmt"
	"strings"

	"github.com/octavo-docs/octavo/internal/site/look"
)

// The Content-Security-Policy of all pages. It includes file:, since for sites on a disk some browsers do
// not match 'self'. Pages that show external images allow these.
const (
	policy       = "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file: data:"
	policyRemote = " http: https:"
	policyEnd    = "; base-uri 'none'; form-action 'none'"
)

// pages writes all pages, each with the assets it is the first to show, and parts of the search index.
func (b *builder) pages(ctx context.Context) error {
	for page, err := range b.book.Pages {
		if err != nil {
			return fmt.Errorf("next page: %w", err)
		}
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("page %s: %w", page.Key, err)
		}
		it := b.byKey[page.Key]
		if it == nil || it.index < b.report.Pages {
			return fmt.Errorf("page %s does not come where the contents have it", page.Key)
		}
		if err := b.absent(ctx, it.index); err != nil {
			return err
		}
		if err := b.page(ctx, it, page); err != nil {
			return fmt.Errorf("page %s: %w", page.Key, err)
		}
		b.report.Pages++
	}
	if err := b.absent(ctx, len(b.items)); err != nil {
		return err
	}
	return b.search.flush(b.zip)
}

// absent writes the missing pages up to an index with only their titles, since others link to them.
func (b *builder) absent(ctx context.Context, to int) error {
	for ; b.report.Pages < to; b.report.Pages++ {
		it := b.items[b.report.Pages]
		b.warn("page %s could not be read; only its title is shown", it.Key)
		if err := b.page(ctx, it, Page{Key: it.Key}); err != nil {
			return fmt.Errorf("page %s: %w", it.Key, err)
		}
	}
	return nil
}

// page writes one page with its surroundings.
func (b *builder) page(ctx context.Context, it *item, page Page) error {
	it.description = oneLine(page.Description, maxDescription)
	if !page.Updated.IsZero() {
		it.updated = page.Updated.UTC().Format("2006-01-02")
	}
	m, r, err := b.make(ctx, it, page)
	if err != nil {
		return err
	}
	b.notice(page.Key, m.notices...)
	around := look.Page{
		Node: it.Node, Title: it.Name, Description: it.description, Policy: policy + policyEnd, Contents: m.contents,
		Previous: b.neighbour(it, -1), Next: b.neighbour(it, 1),
	}
	if r.remote {
		around.Policy = policy + policyRemote + policyEnd
	}
	b.begin().Before(&b.site, around)
	before, err := b.zip.piece(b.filled.Bytes())
	if err != nil {
		return err
	}
	b.begin().After(&b.site, around)
	after, err := b.zip.piece(b.filled.Bytes())
	if err != nil {
		return err
	}
	if err := b.zip.join(it.Href, before, m.own, after); err != nil {
		return err
	}
	if err := b.writeAssets(ctx); err != nil {
		return err
	}
	return b.search.add(b.zip, m.record)
}

// maxDescription limits the description of a page in bytes.
const maxDescription = 500

// oneLine truncates text to most bytes on one line.
func oneLine(text string, most int) string {
	line := strings.Clone(strings.Join(strings.Fields(text), " "))
	if len(line) <= most {
		return line
	}
	return strings.ToValidUTF8(line[:most], "") + "…"
}
