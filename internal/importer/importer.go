// Package importer turns a tree of Markdown files into pages, and the files
// that they refer to into assets. It decides what
// each file becomes (slug, title, parent, position, status) and which pages of
// an earlier run must change, and it reports whatever could not be carried
// over, with file and line. It does not know how a [Target] stores pages, and
// it leaves the text of a page as it is, byte for byte, but for the front
// matter, which becomes the page's own.
//
// The habits of generators are understood side by side. Which one made the tree is
// found by its files; package navigation reads the order that it gives the pages:
//
//   - The slug is made of the names on the path, without ordering numbers, or
//     of what the front matter says instead (url, permalink, slug, id). Where
//     two pages want one slug, the later path gets -2 behind it.
//   - The title is that of the front matter, else of the navigation,
//     else the heading that names the text, else the label in
//     _category_.json, else the name of the file.
//   - A section of the navigation and a folder with a label become a page without
//     content where none speaks for them, a draft where all in it are held back.
//   - What its author holds back is a draft, or is published when its time comes.
//   - Pages hang as the navigation says. Of others, _index, index or README speaks for its
//     folder, or a file of its name in it or beside it. It is the parent of the
//     folder's pages, and of the folder pages below. A folder without one
//     makes no page: what is in it hangs under the next folder above that has
//     one.
//   - The position is the place in the navigation, else 1,024 times that of the front
//     matter or the _category_ file, else of the number that the name begins with.
//
// # Running again
//
// A file is matched with its page of the same import set, by its path in the tree
// or, where it was renamed, by its text as last imported. The page becomes what the
// file changed since then; what was changed in the target stays, and is merged with
// that (package brought). The status is set when a page is made. Later
// it follows only a change of how the file is held back, so
// that publishing by other means is not undone. Front matter that cannot be
// read stays in the text, and a new page with such is a draft, since it may
// have been meant as one. Options.Gone says what becomes of a page whose file is
// gone. Pages of other sets are left alone.
package importer

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/beside"
)

// Target is where pages go.
type Target interface {
	// Pages iterates over all pages that are not deleted, in any order, with what
	// imports brought to them.
	Pages(ctx context.Context) iter.Seq2[octavo.Page, error]

	// Page returns a page with what an import brought to it, the text included.
	Page(ctx context.Context, id octavo.ID) (octavo.Page, error)

	// Apply carries out at most octavo.MaxBulk operations, each by itself, and
	// returns a result for each in their order. The error tells that the
	// target as a whole failed.
	Apply(ctx context.Context, operations []octavo.BulkOperation) ([]Result, error)
}

// Result is what became of one operation.
type Result struct {
	ID  octavo.ID // of the page, on success
	Err error     // an *octavo.Error where the target says why
}

// Options change what an import does.
type Options struct {
	Status    octavo.PageStatus     // of new pages that are not held back; "" is Draft
	Now       time.Time             // dates after it are to come
	Name      string                // of the tree; its first page is called so where nothing else says a title
	Language  string                // of pages that neither front matter nor a folder says one of
	Dialect   octavo.Dialect        // of the pages; "" for that of the page above, or the one they have
	Set       string                // import set of the pages; "" has it chosen
	From      string                // the generator of the tree; "" or Auto has it found out
	Found     func(Found)           // is told what site the tree is of, and the set
	Gone      string                // what becomes of pages of the set whose file is gone
	Overwrite bool                  // what was changed here and in the file, in different ways, becomes as in the file
	DryRun    bool                  // reports what would be done, and does nothing
	Parent    octavo.ID             // page below which the tree goes; "" is the top
	Workers   int                   // files read at the same time, 1 or more
	Progress  func(done, total int) // called now and then; done never falls
	Only      []string              // files and folders to take alone; the others only say where these belong
	folder    string                // of the pages in the tree
}

// Run imports the tree below fsys. It returns the report as far as it came
// also with an error; refusals of single pages are part of the report.
//
// fsys must not lead out of the tree through symbolic links; os.Root does not.
// Files are read twice, first for the plan and then each for its page, so that
// no more of their texts is in memory than what is written at once. One that is
// changed in between is refused.
func Run(ctx context.Context, fsys fs.FS, target Target, opts Options) (Report, error) {
	if opts.Status == "" {
		opts.Status = octavo.Draft
	}
	if opts.Progress == nil {
		opts.Progress = func(int, int) {}
	}
	if opts.Found == nil {
		opts.Found = func(Found) {}
	}
	whole := fsys
	fsys, nav, err := openSite(fsys, opts.From)
	if err != nil {
		return nil, err
	}
	if nav != nil {
		opts.folder = nav.folder
	}
	found, err := scan(ctx, fsys)
	if err != nil {
		return nil, err
	}
	site := findSite(whole, fsys, nav, &found, opts.From)
	opts.Language = cmp.Or(opts.Language, site.Language)
	found.dropHugo(fsys)
	progress := &progress{report: opts.Progress, total: 2*len(found.pages) + len(found.others)}
	files, err := readFiles(ctx, fsys, found.pages, manner{nav != nil, opts.dialectBy(site)}, opts.Workers, progress)
	if err != nil {
		return nil, err
	}
	files = found.takeParts(files, opts.Now)
	plan := newPlan(files)
	title := plan.arrange(fsys, site, &found)
	opts.Name = cmp.Or(title, opts.Name)
	plan.navigate(fsys, found.folders, opts.Name)
	plan.grow()
	if plan.known, err = readKnown(ctx, target, plan.paths); err != nil {
		return nil, fmt.Errorf("read the pages that are there: %w", err)
	}
	named := opts.Set != ""
	if opts.Set, err = plan.chooseSet(opts, title); err != nil {
		return nil, err
	}
	if nav != nil && nav.lost && len(files) == 0 && (opts.Gone == GoneDraft || opts.Gone == GoneDelete) {
		return nil, errors.New("the folder that mkdocs.yml names does not exist: its pages are kept, use --gone keep")
	}
	opts.Found(Found{cmp.Or(site.System, Files), opts.Set, plan.leads})
	plan.match(fsys, opts.Set, found)
	if err := plan.checkSet(opts); err != nil && !named {
		return nil, err
	}
	if len(opts.Only) > 0 {
		plan.matchNames()
	}
	plan.speak(opts.Language)
	plan.putLast(site.Whole(), opts.Language)
	plan.space()
	plan.planGone(opts)
	rules := plan.rules(fsys, found, nav)
	plan.inherit(rules)
	plan.inherit(plan.bundles(fsys, found.others, opts.Now))
	plan.holdSections(opts.Now, (*file).holdNow)
	plan.holdSections(opts.Now, (*file).holdBefore)
	plan.addRoutes(site.Routes())
	plan.addPermalinks(site)
	plan.name()
	if err := plan.decide(ctx, fsys, target, opts); err != nil {
		return plan.report(found.skipped, nav), err
	}
	steps := 0 // that are left
	for _, f := range plan.files {
		f.noteHold(opts)
		if opts.asks(f.path) {
			steps++
		}
	}
	rules = slices.DeleteFunc(rules, func(r rule) bool { return r.why != "" }) // which are about pages
	all := beside.FS{FS: fsys, Around: whole}
	others := slices.Concat(found.others, all.Find(plan.shownTexts()))
	slices.Sort(others)
	assets := plan.chooseAssets(all, others, opts.Now, rules)
	progress.left(steps + len(assets))
	plan.checkLinks(all, slices.Concat(found.skipped, plan.entries), assets)
	plan.noteSections(found.folders)
	if err := plan.applyAssets(ctx, all, assets, target, opts, progress); err != nil {
		return plan.report(found.skipped, nav), err
	}
	err = plan.apply(ctx, fsys, target, opts, progress)
	return opts.asked(plan.report(found.skipped, nav)), err
}
