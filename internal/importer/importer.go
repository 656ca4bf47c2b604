// Package importer turns a tree of Markdown files into pages, and the files they refer
// to into assets. It decides the slug, title, parent, position and status of each page
// and what changes on pages of an earlier import. Its report names what was lost, with
// file and line. It does not know how a [Target] stores pages. The text of a page stays
// byte for byte; only the front matter is separated.
//
// The generator is detected by its files. Package navigation reads its page order:
//
//   - The slug comes from the path without ordering numbers, or from front matter
//     (url, permalink, slug, id). If two pages want the same slug, the later path
//     gets -2.
//   - The title comes from front matter, the navigation, the heading that names the
//     text, the label in _category_.json or the file name, in this order.
//   - A section of the navigation or a folder with a label becomes a page without
//     content if no file represents it. It is a draft if all its pages are.
//   - A page that its author has not published is a draft, or is published on its date.
//   - The parent comes from the navigation. Otherwise _index, index, README, or a file
//     with the folder's name in it or beside it, represents its folder: it is the
//     parent of the pages and folders in it. A folder without one makes no page; its
//     content goes to the nearest folder above that has one.
//   - The position comes from the navigation, else it is 1,024 times the number in
//     front matter, the _category_ file or the file name.
//
// # Running again
//
// A file is matched with the page of the same import set by its path or, if renamed, by
// its last imported text. What the file changed since then is merged with the changes
// in the target (package brought). The status is set on creation; later it follows
// only changes of the file, so that publishing by other means is not undone. Unreadable
// front matter stays in the text and makes a new page a draft, since it may have said
// so. Options.Gone decides about pages whose file is gone. Pages of other sets are
// left alone.
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

// Target stores pages.
type Target interface {
	// Pages iterates over all pages that are not deleted, in any order, with their import
	// bases.
	Pages(ctx context.Context) iter.Seq2[octavo.Page, error]

	// Page returns a page with its text and import base.
	Page(ctx context.Context, id octavo.ID) (octavo.Page, error)

	// Apply carries out at most octavo.MaxBulk independent operations and returns their
	// results in the same order. The error means that the target as a whole failed.
	Apply(ctx context.Context, operations []octavo.BulkOperation) ([]Result, error)
}

// Result is the outcome of one operation.
type Result struct {
	ID  octavo.ID // of the page, on success
	Err error     // an *octavo.Error if the target gives a reason
}

// Options configure an import.
type Options struct {
	Status    octavo.PageStatus     // of new pages that are not drafts; "" is Draft
	Now       time.Time             // later dates are in the future
	Name      string                // of the tree; the fallback for the title of its first page
	Language  string                // of pages without one in front matter or folder name
	Dialect   octavo.Dialect        // of the pages; "" keeps the present one or takes that of the parent
	Set       string                // import set of the pages; "" chooses one
	From      string                // the generator of the tree; "" or Auto detects it
	Found     func(Found)           // is called with the detected site and set
	Gone      string                // what happens to pages of the set whose file is gone
	Overwrite bool                  // in conflicts the file wins
	DryRun    bool                  // only reports
	Parent    octavo.ID             // parent of the tree; "" is the top
	Workers   int                   // files read at the same time, 1 or more
	Progress  func(done, total int) // called occasionally; done never decreases
	Only      []string              // files and folders to import; the others only determine where these belong
	folder    string                // of the pages in the tree
	shown     []string              // folders in which MkDocs finds what pages show
}

// Run imports the tree below fsys. The report covers what was done even if there is an
// error; it includes refusals of single pages.
//
// fsys must not follow symbolic links out of the tree; os.Root does not. Files are read
// twice, for the plan and for the page, so that memory holds only the texts of the
// current batch. A file that changes in between is refused.
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
		opts.folder, opts.shown = nav.folder, nav.shown
	}
	found, err := scan(ctx, fsys)
	if err != nil {
		return nil, err
	}
	site := findSite(whole, fsys, nav, &found, opts.From)
	opts.Language = cmp.Or(opts.Language, site.Language)
	found.dropHugo(fsys)
	values := site.Values(fsys, found.names())
	if nav != nil {
		values = nav.values
	}
	progress := &progress{report: opts.Progress, total: 2*len(found.pages) + len(found.others)}
	files, err := readFiles(ctx, fsys, found.pages, manner{nav != nil, opts.dialectBy(site), values}, opts.Workers, progress)
	if err != nil {
		return nil, err
	}
	if site.System == "" && opts.Dialect == "" && isVault(files) {
		site.System = "obsidian"
		progress.total += len(found.pages)
		if files, err = readFiles(ctx, fsys, found.pages, manner{dialect: opts.dialectBy(site)}, opts.Workers, progress); err != nil {
			return nil, err
		}
	}
	plan := newPlan(files)
	outside := site.Outside(fsys, found.names())
	title := plan.arrange(fsys, site, &found, outside)
	plan.takeParts(&found, opts.Now)
	opts.Name = cmp.Or(title, opts.Name)
	if len(plan.listed) == 0 {
		plan.addFolders(site, found.folders)
	}
	plan.navigate(fsys, found.folders, opts.Name)
	plan.grow()
	if plan.known, err = readKnown(ctx, target, plan.paths); err != nil {
		return nil, fmt.Errorf("read the pages that are there: %w", err)
	}
	named := opts.Set != ""
	if opts.Set, err = plan.chooseSet(opts, title); err != nil {
		return nil, err
	}
	if nav != nil && nav.lost && len(plan.files) == 0 && (opts.Gone == GoneDraft || opts.Gone == GoneDelete) {
		return nil, errors.New("the folder that mkdocs.yml names does not exist: its pages are kept, use --gone keep")
	}
	opts.Found(Found{cmp.Or(site.System, Files), opts.Set, plan.leads, plan.inside})
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
	rules := append(plan.rules(fsys, found, nav), rule{where: site.Config, why: "it is outside of the folders that become pages of the site", covers: outside})
	plan.inherit(rules)
	plan.inherit(plan.bundles(fsys, found.others, opts.Now))
	plan.draftSections(opts.Now, (*file).currentPublication)
	plan.draftSections(opts.Now, (*file).lastPublication)
	plan.addRoutes(site)
	plan.addPermalinks(site)
	plan.name()
	if err := plan.decide(ctx, fsys, target, opts); err != nil {
		return plan.report(found.skipped, nav), err
	}
	steps := 0 // that remain
	for _, f := range plan.files {
		f.noteDraft(opts)
		if opts.asks(f.path) {
			steps++
		}
	}
	rules = slices.DeleteFunc(rules, func(r rule) bool { return r.why != "" }) // the rest are about pages
	all := beside.FS{FS: fsys, Around: whole, Folder: opts.folder, Folders: opts.shown}
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
