package importer

import (
	"context"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/slugify"
)

// openCycle breaks a cycle of pages that wait for each other's slug or parent: it moves
// one of them to a temporary slug, which remains one of its former slugs. It reports
// whether there was a cycle.
func (a *applier) openCycle(ctx context.Context, p *plan) (bool, error) {
	for _, f := range p.files {
		if f.known == nil || !p.inCycle(f) {
			continue
		}
		if f.parent.absent() {
			f.under, f.next.Parent = f.known.parent, f.known.last.Parent
		}
		op, err := a.spare(ctx, f, p.spareSlug(f.known.slug))
		if err != nil {
			return false, err
		}
		if f.err != nil {
			continue
		}
		results, err := a.target.Apply(ctx, []octavo.BulkOperation{op})
		if err != nil {
			return false, err
		}
		if f.err = results[0].Err; f.err != nil {
			continue
		}
		delete(p.known.bySlug, f.known.slug)
		f.known.slug = op.Create.Slug
		p.known.bySlug[f.known.slug] = f.known
		return true, nil
	}
	return false, nil
}

// spare gives f a temporary slug. If the import ends early, the next one corrects it.
func (a *applier) spare(ctx context.Context, f *file, slug string) (octavo.BulkOperation, error) {
	given, wanted := f.next.Slug, f.slug
	f.slug, f.next.Slug, f.err = slug, slug, nil
	op, err := a.operation(ctx, f)
	op.FormerSlugs, f.slug, f.next.Slug = nil, wanted, given
	return op, err
}

// inCycle reports whether f, through the pages it waits for, waits for itself.
func (p *plan) inCycle(f *file) bool {
	at := f
	for range p.files {
		switch holder := p.known.bySlug[at.slug]; {
		case at.done:
			return false
		case slugTaken(at.err) && holder != nil && holder.file != nil:
			at = holder.file
		case at.err == nil && at.parent.absent():
			at = at.parent
		default:
			return false
		}
		if at == f {
			return true
		}
	}
	return false
}

// spareSlug returns an unused slug similar to slug.
func (p *plan) spareSlug(slug string) string {
	for n := 2; ; n++ {
		spare := slugify.Numbered(slug, n)
		if p.owners[spare] == nil && p.known.bySlug[spare] == nil {
			return spare
		}
	}
}
