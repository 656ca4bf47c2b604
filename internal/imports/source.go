package imports

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer"
	"github.com/octavo-docs/octavo/internal/moving"
)

// ErrUnknown means that a folder or zip is not an export of the requested system.
var ErrUnknown = moving.ErrUnknown

// Source is the content of an import: a tree of files, original or converted from an
// export.
type Source struct {
	fs.FS
	Moved *moving.Tree // nil for an original tree
	From  string       // the generator of an original tree, or importer.Files
	lost  []moving.Loss
}

// OpenZip opens a zip of files, or the export of the system named by from. most limits its
// size in bytes.
func OpenZip(file io.ReaderAt, size, most int64, from string) (*Source, error) {
	fsys, lost, err := moving.OpenZip(file, size, most)
	if err != nil {
		return nil, err
	}
	return open(fsys, lost, from)
}

// OpenFolder opens a tree of files, or the export of the system named by from. Symbolic
// links must not lead out of it.
func OpenFolder(fsys fs.FS, from string) (*Source, error) { return open(fsys, nil, from) }

func open(fsys fs.FS, lost []moving.Loss, from string) (*Source, error) {
	s := &Source{FS: fsys, lost: lost}
	export := from
	if slices.Contains(importer.Systems(), from) {
		export, s.From = moving.Files, from
	}
	var err error
	if s.Moved, err = moving.Open(fsys, export); err != nil {
		return nil, err
	}
	if s.Moved != nil {
		s.FS, s.From = s.Moved, importer.Files
	}
	return s, nil
}

// Systems returns the possible values of from, except auto.
func Systems() string {
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(slices.Concat(importer.Systems(), moving.Systems())))), ", ")
}

// System returns the name of the system that the tree comes from.
func (s *Source) System(found importer.Found) string {
	if s.Moved != nil {
		return s.Moved.System
	}
	return found.System
}

// Tell adds the losses of the export to the report.
func (s *Source) Tell(r importer.Report) importer.Report {
	lost := s.lost
	if s.Moved != nil {
		lost = slices.Concat(lost, s.Moved.Losses())
	}
	at := map[string]int{}
	for i, e := range r {
		at[e.Path] = i
	}
	for _, l := range lost {
		name := cmp.Or(l.Path, l.From)
		i, found := at[name]
		if !found {
			i = len(r)
			at[name] = i
			r = append(r, importer.Entry{Path: name, Action: importer.Skipped})
		}
		words := l.Construct + ": " + l.Words
		if l.Path != "" {
			words = l.From + ", line " + fmt.Sprint(l.Line) + ": " + words
		}
		r[i].Notes = append(r[i].Notes, importer.Note{Line: 1, Message: words, Kind: l.Construct})
	}
	slices.SortStableFunc(r, func(a, b importer.Entry) int { return strings.Compare(a.Path, b.Path) })
	return r
}

// Site is a target with redirects and a home page.
type Site interface {
	Redirects(ctx context.Context) iter.Seq2[octavo.Redirect, error]
	// SetRedirects adds redirects, or replaces those with the same paths. refused has the
	// reason for each refused one.
	SetRedirects(ctx context.Context, list []octavo.Redirect) (refused []error, err error)
	// SetHome makes a page the home page of the site if none is set. done is false if
	// the caller may not do so.
	SetHome(ctx context.Context, id octavo.ID) (done bool, err error)
}

// Settle sets the home page, if it is not the first page of the tree, and adds redirects to
// the pages, from addresses of the other system and from those that the tree names.
func (s *Source) Settle(ctx context.Context, to Site, found importer.Found, report *importer.Report) error {
	r, all := *report, found.Redirects()
	home := found.Home()
	if i := slices.IndexFunc(r, func(e importer.Entry) bool { return e.Path == home && e.ID != "" }); i >= 0 && to != nil {
		done, err := to.SetHome(ctx, r[i].ID)
		if err != nil {
			return fmt.Errorf("set the home page: %w", err)
		}
		if !done {
			r[i].Notes = append(r[i].Notes, importer.Note{Line: 1, Message: "the navigation lists the home page in a section, so the site begins with another page; an administrator can set the home page in the settings of the site"})
		}
	}
	if s.Moved != nil {
		for _, m := range s.Moved.Redirects {
			all = append(all, importer.Redirect{From: m.From, Path: m.Path})
		}
	}
	if to == nil || len(all) == 0 {
		return nil
	}
	there := map[string]string{}
	for have, err := range to.Redirects(ctx) {
		if err != nil {
			return fmt.Errorf("read the redirects: %w", err)
		}
		there[have.From] = have.To
	}
	at := map[string]*importer.Entry{}
	var others []*importer.Entry
	for i := range r {
		at[r[i].Path] = &r[i]
	}
	var list []octavo.Redirect
	var from []importer.Redirect // the origin of each redirect
	refuse := func(want importer.Redirect, err error) {
		by := cmp.Or(want.File, want.Path)
		if at[by] == nil {
			at[by] = &importer.Entry{Path: by, Action: importer.Skipped}
			others = append(others, at[by])
		}
		at[by].Notes = append(at[by].Notes, importer.Note{Line: max(want.Line, 1), Message: fmt.Sprintf("nothing redirects from %s: %v", want.From, err)})
	}
	for _, want := range all {
		e := at[want.Path]
		if want.Path != "" {
			if e == nil || e.Slug == "" || e.Failed || want.To == "" && want.From == "/"+e.Slug {
				continue
			}
			want.To = "/" + e.Slug + want.To
		}
		v := octavo.Object(octavo.Member{Name: "from", Value: octavo.String(want.From)}, octavo.Member{Name: "to", Value: octavo.String(want.To)})
		next, err := octavo.DecodeRedirect(v, true)
		if err != nil {
			refuse(want, err)
		} else if there[next.From] != next.To {
			list, from = append(list, next), append(from, want)
		}
	}
	for len(list) > 0 {
		some := min(len(list), jobBatch)
		refused, err := to.SetRedirects(ctx, list[:some])
		if err != nil {
			return fmt.Errorf("redirect from the addresses of the other system: %w", err)
		}
		for i, err := range refused {
			if err != nil {
				refuse(from[i], err)
			}
		}
		list, from = list[some:], from[some:]
	}
	for _, e := range others {
		*report = append(*report, *e)
	}
	slices.SortStableFunc(*report, func(a, b importer.Entry) int { return strings.Compare(a.Path, b.Path) })
	return nil
}
