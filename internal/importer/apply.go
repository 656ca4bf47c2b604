package importer

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path"
	"strings"

	"github.com/octavo-docs/octavo"
)

// apply makes the target match the plan. Pages whose file is gone come first, since
// others may take their slugs. A page refused because another page still has its slug
// is tried again as long as others succeed or one can be given a temporary slug.
func (p *plan) apply(ctx context.Context, fsys fs.FS, target Target, opts Options, progress *progress) error {
	a := &applier{known: p.known, fsys: fsys, target: target, opts: opts, progress: progress, levels: make([][]*file, octavo.MaxDepth)}
	for _, f := range p.files {
		f.top = opts.Parent
		if !opts.asks(f.path) {
			f.done, f.err = f.known != nil, errNotAsked
		}
		a.levels[f.depth] = append(a.levels[f.depth], f)
	}
	waiting, advanced, err := true, true, p.applyGone(ctx, target, opts)
	for waiting && advanced && err == nil {
		waiting, advanced, err = a.pass(ctx, false)
		if waiting && !advanced && err == nil {
			advanced, err = a.openCycle(ctx, p)
		}
	}
	if waiting && err == nil {
		_, _, err = a.pass(ctx, true)
	}
	for _, f := range p.files {
		if f.done || errors.Is(f.err, errNotAsked) {
			continue
		}
		f.entry.Failed = true
		if f.known != nil {
			f.entry.ID, f.entry.Slug = f.known.id, f.known.slug
		}
		var unread readError
		switch {
		case f.err == nil:
			f.entry.skip(1, "the import ended before this page")
			continue // no step was taken
		case errors.As(f.err, &unread):
			f.entry.skip(1, "%v", f.err)
		default:
			f.entry.skip(1, "the page was refused: %s", refusal(f.err))
		}
		progress.step()
	}
	return err
}

// applier carries out a plan.
type applier struct {
	known    known
	fsys     fs.FS
	target   Target
	opts     Options
	progress *progress
	levels   [][]*file // by depth: a parent must exist before its children
}

// pass tries every page that is neither done nor finally refused. It reports whether
// some wait for a slug or a parent, and whether any page was written. In the last pass
// none waits.
func (a *applier) pass(ctx context.Context, last bool) (waiting, advanced bool, err error) {
	for _, level := range a.levels {
		var ready, todo []*file
		for _, f := range level {
			if f.done || f.err != nil && !slugTaken(f.err) && !f.stayPut() {
				continue
			}
			if !last && f.parent.absent() && (f.parent.err == nil || slugTaken(f.parent.err)) {
				waiting = true
				continue
			}
			f.climb()
			f.settleParent(a.opts.Overwrite)
			ready = append(ready, f)
		}
		for _, f := range ready {
			switch f.quiet = f.unchanged(a.opts); {
			case f.quiet && (a.opts.DryRun || f.known.imported && f.next.Equal(f.known.last)):
				a.finish(f, Unchanged, f.known.id)
			case a.opts.DryRun:
				a.finish(f, f.action(), f.oldID())
			default:
				todo = append(todo, f)
			}
		}
		for batch := range batches(todo) {
			if err := a.write(ctx, batch); err != nil {
				return waiting, advanced, err
			}
			for _, f := range batch {
				again := f.stayPut()
				waiting = waiting || slugTaken(f.err) || again
				advanced = advanced || f.done || again
			}
		}
	}
	return waiting, advanced, nil
}

// unchanged reports whether the page of f is up to date.
func (f *file) unchanged(opts Options) bool {
	return f.known != nil && !f.known.differs(f, opts) && !f.rescheduled(opts) &&
		(f.broken || f.known.publication.draft(opts.Now) == f.meta.publication.draft(opts.Now))
}

func (a *applier) write(ctx context.Context, batch []*file) error {
	var operations []octavo.BulkOperation
	var asked []*file
	for _, f := range batch {
		op, err := a.operation(ctx, f)
		if err != nil {
			return err
		}
		if f.err == nil {
			operations, asked = append(operations, op), append(asked, f)
		}
	}
	if len(operations) == 0 {
		return nil
	}
	if err := a.schedule(ctx, asked, true); err != nil {
		return err
	}
	results, err := a.target.Apply(ctx, operations)
	for i, r := range results {
		f := asked[i]
		if f.err = r.Err; f.err == nil {
			a.finish(f, f.action(), r.ID)
		}
	}
	if err != nil {
		return err
	}
	return a.schedule(ctx, asked, false)
}

func (a *applier) finish(f *file, action Action, id octavo.ID) {
	f.done, f.id = true, id
	f.entry.Action, f.entry.ID = action, id
	if f.kept {
		f.keep(1, "the parent was", a.titleOf(f.known.parent), a.titleOf(f.parentID()))
	}
	a.progress.step()
}

// titleOf returns the title of a page from before the import, else the id.
func (a *applier) titleOf(id octavo.ID) string {
	for _, k := range a.known.bySlug {
		if k.id == id {
			return k.title
		}
	}
	return string(id)
}

// absent reports whether f still has to create its page.
func (f *file) absent() bool { return f != nil && !f.done && f.known == nil }

// climb moves f under its nearest existing ancestor.
func (f *file) climb() {
	for f.parent.absent() {
		why := "was refused"
		if errors.Is(f.parent.err, errNotAsked) {
			why = "makes no page now"
		}
		f.entry.note(1, "its parent %s %s; the page moves up", f.parent.path, why)
		f.parent = f.parent.parent
	}
}

// action returns the result of a successful operation for f.
func (f *file) action() Action {
	switch {
	case f.known == nil:
		return Created
	case f.quiet:
		return Unchanged
	}
	return Updated
}

// oldID returns the id of the page from before the import, or "".
func (f *file) oldID() octavo.ID {
	if f.known == nil {
		return ""
	}
	return f.known.id
}

// parentID returns the id of the parent: Options.Parent at the root, "" below a page
// that a dry run did not create.
func (f *file) parentID() octavo.ID {
	if f.parent == nil {
		return f.top
	}
	return cmp.Or(f.parent.id, f.parent.oldID())
}

// operation creates or updates the page of f. For a quiet file it leaves the page
// unchanged. Faults of this file or page alone go to f.err.
func (a *applier) operation(ctx context.Context, f *file) (op octavo.BulkOperation, err error) {
	var content string
	var base *string
	f.err = nil
	if !f.quiet || f.want != f.sum || f.next.Open { // else the page has the text
		content, base, err = f.wanted(ctx, a.fsys, a.target, a.opts.Overwrite)
	}
	switch {
	case err != nil || f.err != nil:
		return op, err
	case f.quiet:
		op = octavo.BulkOperation{Op: octavo.BulkUpdate, ID: f.known.id, RawFront: f.raw}
	case f.known == nil:
		op = f.creation(content, a.opts)
	default:
		op = f.update(content, a.opts)
	}
	op.Imported, err = f.next.Object(base)
	return op, err
}

// creation returns the operation that creates the page of f.
func (f *file) creation(content string, opts Options) octavo.BulkOperation {
	op := octavo.BulkOperation{
		Op:          octavo.BulkCreate,
		Create:      &octavo.PageCreate{Title: f.title, Slug: f.slug, Content: content, Status: opts.Status, Frontmatter: f.front},
		ParentID:    &f.under,
		Position:    &octavo.OptInt{Value: f.position},
		FormerSlugs: f.former,
		Source:      &f.path,
		ImportSet:   &opts.Set,
		Language:    &f.language,
		RawFront:    f.raw,
	}
	if f.speaksOther(opts) {
		op.Create.Dialect = &f.dialect
	}
	if opts.Dialect != "" {
		op.Create.Dialect = &opts.Dialect
	}
	if f.meta.publication.draft(opts.Now) || f.broken {
		op.Create.Status = octavo.Draft
	}
	return op
}

// update returns the operation that updates the page of f.
func (f *file) update(content string, opts Options) octavo.BulkOperation {
	op := f.creation(content, opts)
	op.Op, op.ID = octavo.BulkUpdate, f.known.id
	held := f.meta.publication.draft(opts.Now)
	if f.broken && !held || !f.broken && f.known.publication.draft(opts.Now) == held && !f.turned(opts.Now) {
		op.Create.Status = "" // keeps the status of the page
	}
	if f.under == f.known.parent {
		op.ParentID = nil
	}
	if samePosition(f.position, f.known.position) {
		op.Position = nil
	}
	if op.RawFront == nil && f.front == nil {
		op.RawFront = new(string)
	}
	return op
}

// refusal returns the reason for a refusal, without the location in the request.
func refusal(err error) string {
	var e *octavo.Error
	switch {
	case !errors.As(err, &e) || e.Detail == "" && len(e.Fields) == 0:
		return err.Error()
	case e.Detail != "":
		return e.Detail
	}
	reasons := make([]string, len(e.Fields))
	for i, f := range e.Fields {
		reasons[i] = path.Base(f.Path) + " " + f.Message
	}
	return strings.Join(reasons, "; ")
}

// slugTaken reports whether the slug is the only reason for a refusal.
func slugTaken(err error) bool {
	return octavo.IsType(err, octavo.SlugTaken)
}
