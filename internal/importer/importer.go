// Package importer turns a tree of Markdown files into pages, and the files
// that they refer to into assets. It decides what
// each file becomes (slug, title, parent, position, status) and which pages of
// an earlier run must change, and it reports whatever could not be carried
// over, with file and line. It does not know how a [Target] stores pages, and
// it leaves the text of a page as it is, byte for byte, but for the front
// matter, which becomes the page's own.
//
// The habits of Docusaurus, Hugo, Jekyll, MkDocs, Starlight and VitePress are
// understood side by side, without asking which of them made the tree:
//
//   - The slug is made of the names on the path, without ordering numbers, or
//     of what the front matter says instead (url, permalink, slug, id). Where
//     two pages want one slug, the later path gets -2 behind it.
//   - The title is that of the front matter, else of the navigation in
//     mkdocs.yml, else the heading that names the text, else the label in
//     _category_.json, else the name of the file.
//   - A section of mkdocs.yml and a folder with a label become a page without
//     content where none speaks for them, a draft where all in it are held back.
//   - What its author holds back is a draft, or is published when its time comes.
//   - _index, index or README speaks for its folder, or a file of its name. It is the parent of the
//     folder's pages, and of the folder pages below. A folder without one
//     makes no page: what is in it hangs under the next folder above that has
//     one.
//   - The position is 1,024 times that of the front matter, else of the navigation or the
//     _category_ file, else the number that the name begins with.
//
// # Running again
//
// A file is matched with its page of the same import set, by its path in the tree
// or, where it was renamed, by its text. What differs is
// brought to what the file says, an edit made in the target since included;
// the page's revisions keep that. The status is set when a page is made. Later
// it follows only a change of how the file is held back, so
// that publishing by other means is not undone. Front matter that cannot be
// read stays in the text, and a new page with such is a draft, since it may
// have been meant as one. Options.Gone says what becomes of a page whose file is
// gone. Pages of other sets are left alone.
package importer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"time"

	"github.com/octavo-docs/octavo"
)

// Target is where pages go.
type Target interface {
	// Pages iterates over all pages that are not deleted, in any order.
	Pages(ctx context.Context) iter.Seq2[octavo.Page, error]

	// Apply carries out at most octavo.MaxBulk operations, each by itself, and
	// returns a result for each in their order. The error tells that the
	// target as a whole failed.
	Apply(ctx context.Context, operations []octavo.BulkOperation) ([]Result, error)
}

// Originals is a [Target] that can tell front matter as it was written, which
// pages themselves do not. Without it a change of form alone, such as a comment
// or a quote, is not noticed.
type Originals interface {
	Target

	// RawFronts adds to raw the front matter, with its fences, of those of at
	// most octavo.MaxBulk pages that have some.
	RawFronts(ctx context.Context, ids []octavo.ID, raw map[octavo.ID]string) error
}

// Result is what became of one operation.
type Result struct {
	ID  octavo.ID // of the page, on success
	Err error     // an *octavo.Error where the target says why
}

// Options change what an import does.
type Options struct {
	Status   octavo.PageStatus     // of new pages that are not held back; "" is Draft
	Now      time.Time             // dates after it are to come
	Name     string                // of the tree; its first page is called so where nothing else says a title
	Language string                // of pages that neither front matter nor a folder says one of
	Dialect  octavo.Dialect        // of the pages; "" for that of the page above, or the one they have
	Set      string                // import set of the pages; "" has it chosen
	Chosen   func(set string)      // is told the set
	Gone     string                // what becomes of pages of the set whose file is gone
	DryRun   bool                  // reports what would be done, and does nothing
	Workers  int                   // files read at the same time, 1 or more
	Progress func(done, total int) // called now and then; done never falls
	Only     []string              // files and folders to take alone; the others only say where these belong
	folder   string                // of the pages in the tree
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
	if opts.Chosen == nil {
		opts.Chosen = func(string) {}
	}
	fsys, nav, err := openMkDocs(fsys)
	if err != nil {
		return nil, err
	}
	if nav != nil && nav.name != "" {
		opts.Name = nav.name
	}
	if nav != nil {
		opts.folder = nav.folder
	}
	found, err := scan(ctx, fsys)
	if err != nil {
		return nil, err
	}
	found.dropHugo(fsys)
	progress := &progress{report: opts.Progress, total: 2*len(found.pages) + len(found.others)}
	files, err := readFiles(ctx, fsys, found.pages, manner{nav != nil, opts.Dialect}, opts.Workers, progress)
	if err != nil {
		return nil, err
	}
	files = found.takeParts(files, opts.Now)
	plan := newPlan(files)
	plan.navigate(fsys, nav, found.folders, opts.Name)
	plan.grow(nav)
	if plan.known, err = readKnown(ctx, target, plan.paths); err != nil {
		return nil, fmt.Errorf("read the pages that are there: %w", err)
	}
	if opts.Set, err = plan.chooseSet(opts, siteTitle(fsys, nav, found.others)); err != nil {
		return nil, err
	}
	if nav != nil && nav.lost && len(files) == 0 && (opts.Gone == GoneDraft || opts.Gone == GoneDelete) {
		return nil, errors.New("the folder that mkdocs.yml names is not there: its pages are kept, use --gone keep")
	}
	opts.Chosen(opts.Set)
	plan.match(fsys, opts.Set, found)
	if len(opts.Only) > 0 {
		plan.matchNames()
	}
	plan.space()
	plan.speak(opts.Language)
	plan.planGone(opts.Gone)
	rules := plan.rules(fsys, found, nav)
	plan.inherit(rules)
	plan.inherit(plan.bundles(fsys, found.others, opts.Now))
	plan.holdSections(opts.Now, (*file).holdNow)
	plan.holdSections(opts.Now, (*file).holdBefore)
	plan.name()
	for _, f := range plan.files {
		f.noteHold(opts)
	}
	rules = slices.DeleteFunc(rules, func(r rule) bool { return r.why != "" }) // which are about pages
	assets := plan.chooseAssets(fsys, found.others, opts.Now, rules)
	progress.drop(len(found.others) - len(assets))
	plan.checkLinks(fsys, slices.Concat(found.skipped, plan.entries), assets)
	plan.noteSections(found.folders, nav)
	if err := plan.applyAssets(ctx, fsys, assets, target, opts, progress); err != nil {
		return plan.report(found.skipped, nav), err
	}
	err = plan.apply(ctx, fsys, target, opts, progress)
	return opts.asked(plan.report(found.skipped, nav)), err
}
