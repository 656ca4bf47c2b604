package importer

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/frontmatter"
	"github.com/octavo-docs/octavo/internal/importer/brought"
)

// decide computes the new state of each page: what its file changed since the last
// import, otherwise the present state in the target. Parents follow later, once they
// have ids.
func (p *plan) decide(ctx context.Context, fsys fs.FS, target Target, opts Options) error {
	for _, f := range p.files {
		f.want = f.sum
		f.next = brought.Base{Title: f.title, Slug: f.slug, Position: f.position, Front: f.front, Sum: f.sum}
		if f.raw != nil {
			f.next.Raw = sha256.Sum256([]byte(*f.raw))
		}
		if f.known == nil || !opts.asks(f.path) {
			continue
		}
		f.settleMembers(opts.Overwrite)
		if err := f.settleFront(opts.Overwrite); err != nil {
			return err
		}
		if err := f.settleText(ctx, fsys, target, opts.Overwrite); err != nil {
			return err
		}
	}
	return nil
}

// keep notes a local value that the import does not overwrite.
func (f *file) keep(line int, what, here, file string) {
	f.entry.kept = true
	f.entry.note(line, "%s changed here as well, and the version here is kept", what)
	n := &f.entry.Notes[len(f.entry.Notes)-1]
	n.Here, n.File = here, file
}

func (f *file) settleMembers(overwrite bool) {
	k, title, slug, position, kept := f.known, f.title, f.slug, f.position, false
	if f.title, f.next.Title, kept = brought.Value(k.last.Title, k.title, title, overwrite); kept {
		f.keep(1, "the title was", k.title, title)
	}
	if f.slug, f.next.Slug, kept = brought.Value(k.last.Slug, k.slug, slug, overwrite); kept {
		f.keep(1, "the slug was", k.slug, slug)
	}
	f.entry.Slug = f.slug
	if f.position, f.next.Position, kept = brought.Position(k.last.Position, k.position, position, overwrite); kept {
		f.keep(1, "the position was", positionText(k.position), positionText(position))
	}
}

// positionText formats a position for a note, "" for none.
func positionText(position *int64) string {
	if position == nil {
		return ""
	}
	return strconv.FormatInt(*position, 10)
}

// settleFront decides the front matter. Formatting follows the file if its value is
// kept, else the page.
func (f *file) settleFront(overwrite bool) error {
	k, file, head := f.known, f.front, f.head
	here := json.RawMessage(k.here.front)
	next, base, kept, err := brought.Front(k.last.Front, here, file, overwrite)
	if err != nil {
		return fmt.Errorf("merge the front matter of %s: %w", f.path, err)
	}
	for _, what := range kept {
		f.keep(lineOf(head, what.What), what.What+" was", what.Here, what.File)
	}
	f.front, f.next.Front = next, base
	alike := string(file) == string(next) // in meaning
	switch {
	case alike && string(next) != k.here.front:
	case alike && k.here.front == string(k.last.Front): // no local change of the value
		if f.reform = k.imported && f.next.Raw != k.last.Raw; k.imported && !f.reform {
			f.raw = nil
		}
	case string(next) != k.here.front && f.raw != nil:
		_, _, format, _ := frontmatter.Split([]byte(head)) // it parsed before
		f.raw = nil
		if raw, ok := frontmatter.Rewrite([]byte(head), format, next); ok {
			f.raw = new(string(raw))
		}
	default:
		f.raw = nil
	}
	return nil
}

// settleText decides the text.
func (f *file) settleText(ctx context.Context, fsys fs.FS, target Target, overwrite bool) error {
	k := f.known
	switch same := f.sum == k.last.Sum && !k.last.Open; {
	case f.sum == k.here.content:
	case same:
		f.want = k.here.content
	case k.here.content == k.last.Sum && !k.last.Open:
	default:
		text, _, kept, err := f.merge(ctx, fsys, target, overwrite)
		if err != nil || f.err != nil {
			return err
		}
		f.want = sha256.Sum256([]byte(text))
		for _, what := range kept {
			f.keep(f.line+what.Line, "what begins here was", what.Here, what.File)
		}
	}
	return nil
}

// merge merges the text of the file with that of the page. It also returns the base
// for the next import. Faults of this file or page alone go to f.err.
func (f *file) merge(ctx context.Context, fsys fs.FS, target Target, overwrite bool) (text, base string, kept []brought.Kept, err error) {
	content, err := f.again(fsys)
	if f.err = err; err != nil {
		return "", "", nil, nil
	}
	page, err := target.Page(ctx, f.known.id)
	if e := new(octavo.Error); errors.As(err, &e) && e.Type == octavo.NotFound {
		f.err = err
		return "", "", nil, nil
	}
	if err != nil {
		return "", "", nil, fmt.Errorf("read page %s: %w", f.known.id, err)
	}
	_, before, _ := brought.Read(page.Imported)
	if before == nil {
		before = &page.Content
	}
	if !f.known.last.Open && sha256.Sum256([]byte(*before)) != f.known.last.Sum {
		before = new(string) // lost, for instance when a proposal was edited before its merge
	}
	text, base, kept = brought.Text(*before, page.Content, content, overwrite)
	f.next.Open = len(kept) > 0
	return text, base, kept, nil
}

// wanted returns the new content of the page, and the base if it differs from that.
func (f *file) wanted(ctx context.Context, fsys fs.FS, target Target, overwrite bool) (text string, base *string, err error) {
	if f.want == f.sum && !f.next.Open {
		text, f.err = f.again(fsys)
		return text, nil, nil
	}
	text, of, _, err := f.merge(ctx, fsys, target, overwrite)
	return text, &of, err
}

// stayPut keeps a page under its present parent after the new one was refused, for
// instance because it was moved below the page. It reports whether to try again.
func (f *file) stayPut() bool {
	e := new(octavo.Error)
	if !errors.As(f.err, &e) || f.known == nil || f.under == f.known.parent {
		return false
	}
	f.stays = slices.ContainsFunc(e.Fields, func(at octavo.FieldError) bool { return strings.HasSuffix(at.Path, "/parentId") })
	return f.stays
}

// settleParent decides the parent of the page.
func (f *file) settleParent(overwrite bool) {
	f.under, f.kept = f.parentID(), false
	if f.next.Parent = f.under; f.known != nil {
		f.under, f.next.Parent, f.kept = brought.Value(f.known.last.Parent, f.known.parent, f.under, overwrite)
	}
	if f.stays {
		f.under, f.next.Parent, f.kept = f.known.parent, f.known.last.Parent, true
	}
}
