package importer

import (
	"context"
	"slices"

	"github.com/octavo-docs/octavo"
)

// Values of Options.Gone; any other keeps the pages.
const (
	GoneDraft  = "draft"
	GoneDelete = "delete"
)

// planGone reports what happens to pages whose file is gone, and frees the slugs and
// paths of those to be deleted.
func (p *plan) planGone(opts Options) {
	for _, k := range p.gone {
		e := &Entry{Path: k.source, ID: k.id, Slug: k.slug, gone: true}
		p.missing = append(p.missing, e)
		op := octavo.BulkOperation{Op: octavo.BulkDelete, ID: k.id, Children: "reparent", Source: &k.source}
		switch draft := octavo.Draft; {
		case opts.Gone == GoneDelete && k.edited() && !opts.Overwrite:
			e.kept = true
			e.skip(1, "the file no longer exists, but its page was changed here; it is kept")
			continue
		case opts.Gone == GoneDelete:
			e.Action = Deleted
			e.note(1, "the file no longer exists; its page is deleted")
			delete(p.known.bySlug, k.slug)
			p.known.leave(k)
		case opts.Gone == GoneDraft && (k.status == octavo.Published || k.publish != nil):
			e.Action = Updated
			e.note(1, "the file no longer exists; its page becomes a draft")
			op.Op, op.Children, op.Source, op.Patch = octavo.BulkUpdate, "", nil, &octavo.PagePatch{Status: &draft, Publish: &octavo.OptTime{}}
		default:
			e.skip(1, "the file no longer exists; its page is kept")
			continue
		}
		p.taken, p.operations = append(p.taken, e), append(p.operations, op)
	}
}

// applyGone carries out planGone.
func (p *plan) applyGone(ctx context.Context, target Target, opts Options) (err error) {
	if opts.DryRun {
		return nil
	}
	taken := p.taken
	for batch := range slices.Chunk(p.operations, octavo.MaxBulk) {
		var results []Result
		results, err = target.Apply(ctx, batch)
		for i, r := range results {
			if r.Err != nil {
				taken[i].fail("the change was refused: %s", refusal(r.Err))
			}
		}
		if taken = taken[len(results):]; err != nil {
			break
		}
	}
	for _, e := range taken {
		e.fail("the import ended before this page")
	}
	return err
}
