package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/alecthomas/kong"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/sync/errgroup"
	"golang.org/x/term"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/importer"
	"github.com/octavo-docs/octavo/internal/importer/summary"
	"github.com/octavo-docs/octavo/internal/imports"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/storage"
	"github.com/octavo-docs/octavo/internal/store"
)

// progressTick is the shortest time between two drawings of a progress bar.
const progressTick = 100 * time.Millisecond

type importCommand struct {
	config.Storage
	Path           string            `arg:"" type:"path" help:"Folder or zip with .md, .mdx and .markdown files and the files that they use, or the export of another system."`
	From           string            `enum:"auto,${systems}" default:"auto" placeholder:"SYSTEM" help:"Kind of the folder or zip: ${systems}. With files, only names, folders and front matter are used. By default the kind is detected."`
	URL            string            `name:"url" placeholder:"URL" help:"Import into the server at this address instead of a data folder."`
	Token          string            `env:"OCTAVO_TOKEN" placeholder:"TOKEN" help:"Access token or API key for the server, with the scope pages:write."`
	Status         octavo.PageStatus `enum:"draft,published" default:"draft" placeholder:"STATUS" help:"Status of new pages: draft or published. Files marked as drafts stay drafts."`
	Set            string            `placeholder:"NAME" help:"Import set of the pages. Default: the title in the configuration of the tree, else the set that has most of the files, else the name of the folder."`
	Gone           string            `enum:"keep,draft,delete" default:"keep" placeholder:"WHAT" help:"What to do with pages of the set whose file no longer exists: keep, draft or delete. draft and delete need --set, or a tree whose configuration has a title."`
	Language       string            `placeholder:"TAG" help:"Language of pages whose front matter and folder name none, such as pt-BR. Default: the language of the site."`
	Dialect        octavo.Dialect    `placeholder:"NAME" help:"Markdown dialect of the pages, such as mkdocs or hugo. Default: the dialect of the parent page, or of the site. Existing pages keep their dialect."`
	Overwrite      bool              `help:"If a page and its file were both changed in ways that cannot be merged, use the file. Without this option the page stays unchanged."`
	DryRun         bool              `help:"Print what would be done, and change nothing."`
	OverrideReview bool              `help:"Change published pages even if the site requires approvals. The audit log records it. With --url it needs the scope admin."`
	MaxImport      config.Size       `placeholder:"SIZE" default:"4GiB" help:"Largest zip that is read. Its contents may have four times that size."`
	Report         string            `placeholder:"FILE" help:"Write a report to this file: a JSON object for every file, with everything that was not imported. If the name ends with .html, the report is a page for people."`
}

// collectAt makes an import collect garbage earlier than by default, so that
// 10,000 pages take less than 256 MiB.
const collectAt = 75

func (c *importCommand) Run(p *program, line *kong.Context) error {
	debug.SetGCPercent(collectAt)
	err := c.importTree(p, line)
	if err != nil && p.ctx.Err() != nil {
		return errors.New("interrupted; run the import again")
	}
	return err
}

func (c *importCommand) importTree(p *program, line *kong.Context) error {
	if c.Language != "" {
		if wrong := octavo.CheckLanguage(c.Language); wrong != "" {
			return usageError{fmt.Errorf("--language %s", wrong)}
		}
	}
	if wrong := octavo.CheckDialect(c.Dialect); wrong != "" {
		return usageError{fmt.Errorf("--dialect %s", wrong)}
	}
	if c.URL != "" {
		if given(line, "data") || given(line, "database-url") {
			return usageError{errors.New("--url imports into a server, --data and --database-url into its data: give one of them")}
		}
		if c.Token == "" {
			return usageError{errors.New("--url needs a credential: give --token, or set OCTAVO_TOKEN")}
		}
		var more []client.Option
		if c.OverrideReview {
			more = append(more, client.WithPreference("override-review"))
		}
		api, err := connect(c.URL, c.Token, "import", more...)
		if err != nil {
			return err
		}
		return advise(c.URL, c.run(p, importer.Server(api), remote{api}))
	}
	if err := c.Check(); err != nil {
		return usageError{err}
	}
	if c.DryRun {
		return c.try(p)
	}
	if c.DatabaseURL == "" {
		release, err := storage.LockFolder(c.Data)
		if err != nil {
			if held := new(storage.InUseError); errors.As(err, &held) {
				held.Mend = "import through it with --url, or stop it first"
			}
			return err
		}
		defer release()
	}
	return p.withStorage(c.Storage, storage.CreateLocked, func(s *storage.Storage) (err error) {
		blobs, err := s.KeepFiles(p.ctx, c.Storage, true)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, blobs.Close()) }()
		return c.into(p, s, blobs)
	}, func(o *store.Options) { o.Serving = true })
}

// try reports what an import would do. It changes nothing, so it works beside a
// server, and creates no data.
func (c *importCommand) try(p *program) error {
	if c.DatabaseURL == "" && !c.exists() {
		return c.tryEmpty(p)
	}
	err := p.withStorage(c.Storage, storage.RefuseMissing, func(s *storage.Storage) (err error) {
		blobs, err := s.ReadFiles(p.ctx, c.Storage)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, blobs.Close()) }()
		return c.into(p, s, blobs)
	})
	if errors.Is(err, store.ErrEmpty) {
		return c.tryEmpty(p)
	}
	return err
}

// tryEmpty is try without data.
func (c *importCommand) tryEmpty(p *program) error {
	if c.DatabaseURL == "" {
		if err := errors.Join(storage.RefuseUnfinished(c.Data), storage.RefuseLost(c.Data)); err != nil {
			return err
		}
	}
	return c.run(p, imports.EmptyTarget{}, nil)
}

// into imports into a store of this process.
func (c *importCommand) into(p *program, s *storage.Storage, blobs blob.Store) error {
	files, err := app.Assets(p.ctx, s.Env, s.Store, blobs, nil, "", 0)
	if err != nil {
		return err
	}
	target := imports.NewTarget(s.Store, pages.New(s.Store.DB, s.Store.Pages, s.Store.Assets, 0), files)
	target.OverrideReview = c.OverrideReview
	if err := target.Check(p.ctx); err != nil {
		return err
	}
	return c.run(p, target, target)
}

// given reports whether a flag is on the command line.
func given(line *kong.Context, name string) bool {
	return slices.ContainsFunc(line.Path, func(e *kong.Path) bool {
		return e.Flag != nil && !e.Resolved && e.Flag.Name == name
	})
}

// exists reports whether the data folder holds data.
func (c *importCommand) exists() bool {
	_, err := os.Stat(filepath.Join(c.Data, storage.DatabaseFile))
	return !errors.Is(err, fs.ErrNotExist)
}

func (c *importCommand) run(p *program, target importer.Target, site imports.Site) (err error) {
	tree, closeTree, err := c.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closeTree()) }()
	name, named := treeName(c.Path), c.Set
	if tree.Moved != nil {
		name = cmp.Or(tree.Moved.Name, name)
		named = cmp.Or(named, tree.Moved.Name)
	}
	var out io.WriteCloser
	if c.Report != "" {
		if out, err = os.Create(c.Report); err != nil {
			return fmt.Errorf("create the report: %w", err)
		}
	}
	var found importer.Found
	progress, finish := p.progressBar("importing")
	report, err := importer.Run(p.ctx, tree, target, importer.Options{
		Status: c.Status, Now: p.now(), Name: name, DryRun: c.DryRun, Workers: runtime.GOMAXPROCS(0), Progress: progress,
		Language: c.Language, Dialect: c.Dialect, Set: named, Gone: c.Gone, Overwrite: c.Overwrite, From: tree.From, Found: func(f importer.Found) { found = f },
	})
	finish()
	report = tree.Tell(report)
	if err == nil && !c.DryRun {
		err = tree.Settle(p.ctx, site, found, &report)
	}
	sum := summary.Of(report)
	sum.Name, sum.System, sum.Set, sum.DryRun = name, tree.System(found), found.Set, c.DryRun
	if out != nil {
		err = errors.Join(err, save(out, report, sum, c.Report))
	}
	lines := bufio.NewWriter(p.stdout)
	for _, e := range report {
		if e.Action == importer.Created || e.Action == importer.Updated || e.Action == importer.Deleted {
			id := string(e.ID)
			if id == "" {
				id = "-"
			}
			fmt.Fprintf(lines, "%s %s %s\n", e.Action, id, cmp.Or(e.Slug, onOneLine(e.Path)))
		}
	}
	if flushed := lines.Flush(); flushed != nil {
		err = errors.Join(err, fmt.Errorf("print the result: %w", flushed))
	}
	if err != nil && len(report) == 0 {
		return err
	}
	n := sum.Counts
	if n.Kept > 0 {
		fmt.Fprintf(p.stderr, "octavo: changed both here and in their files, and left unchanged here (%d): see --report, or use the files with --overwrite\n", n.Kept)
	}
	if slices.ContainsFunc(report, func(e importer.Entry) bool { return e.Path == summary.Whole && e.Notes[0].Message == importer.NoPages }) {
		fmt.Fprintln(p.stderr, "octavo: "+importer.NoPages)
	}
	if sum.Files > 0 {
		fmt.Fprintf(p.stderr, "octavo: %s of %d files were imported\n", sum.Share(), sum.Files)
	}
	if c.DryRun {
		fmt.Fprintln(p.stderr, "octavo: this was a dry run: nothing was written")
	}
	fmt.Fprintf(p.stderr, "octavo: %d created, %d updated, %d unchanged, %d skipped, %d notes, %d gone, set %s, from %s\n", n.Created, n.Updated, n.Unchanged, n.Skipped, n.Notes, n.Gone, found.Set, sum.System)
	if n.Failed > 0 && err == nil {
		for _, e := range report {
			if e.Failed {
				fmt.Fprintf(p.stderr, "octavo: %s: %s\n", onOneLine(e.Path), e.Notes[0].Message)
			}
		}
		return fmt.Errorf("files could not be imported (%d)", n.Failed)
	}
	return err
}

// open opens a folder, a zip or an export. Symbolic links do not lead out of it.
func (c *importCommand) open() (tree *imports.Source, closeTree func() error, err error) {
	info, err := os.Stat(c.Path)
	if err != nil {
		return nil, nil, fmt.Errorf("open the tree: %w", err)
	}
	if info.IsDir() {
		root, err := os.OpenRoot(c.Path)
		if err != nil {
			return nil, nil, fmt.Errorf("open the tree: %w", err)
		}
		closeTree = root.Close
		tree, err = imports.OpenFolder(root.FS(), c.From)
		return tree, closeTree, opened(err, closeTree)
	}
	file, err := os.Open(c.Path)
	if err != nil {
		return nil, nil, fmt.Errorf("open the zip: %w", err)
	}
	tree, err = imports.OpenZip(file, info.Size(), int64(c.MaxImport), c.From)
	return tree, file.Close, opened(err, file.Close)
}

// opened closes a source that does not have the stated form.
func opened(err error, closeTree func() error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, imports.ErrUnknown) {
		err = usageError{err}
	}
	return errors.Join(err, closeTree())
}

// remote reads and writes the redirects and the home page of a server.
type remote struct{ api *client.Client }

func (r remote) Redirects(ctx context.Context) iter.Seq2[octavo.Redirect, error] {
	return r.api.Redirects(ctx)
}

func (r remote) SetRedirects(ctx context.Context, list []octavo.Redirect) ([]error, error) {
	refused := make([]error, len(list))
	group, ctx := errgroup.WithContext(ctx)
	for i, to := range list {
		to.From = escaped(to.From)
		group.Go(func() error {
			err := r.api.SetRedirect(ctx, to)
			if p, ok := errors.AsType[*client.Problem](err); ok && p.Kind() == octavo.Conflict {
				refused[i], err = err, nil
			}
			return err
		})
	}
	return refused, group.Wait()
}

func (r remote) SetHome(ctx context.Context, id octavo.ID) (bool, error) {
	have, err := r.api.Site(ctx)
	if err == nil && have.Home == nil {
		_, err = r.api.PatchSite(ctx, octavo.Object(octavo.Member{Name: "home", Value: octavo.String(string(id))}))
	}
	if p, ok := errors.AsType[*client.Problem](err); ok && p.Kind() == octavo.Forbidden {
		return false, nil
	}
	return true, err
}

// escaped returns the source of a redirect as the API accepts it: percent-encoded
// except for the * at its end.
func escaped(from string) string {
	path, star := strings.CutSuffix(from, "*")
	path = (&url.URL{Path: path}).EscapedPath()
	if star {
		path += "*"
	}
	return path
}

// save writes a report to a file, in the format of its extension.
func save(out io.WriteCloser, r importer.Report, sum *summary.Summary, name string) error {
	if strings.EqualFold(filepath.Ext(name), ".html") {
		return errors.Join(sum.WriteHTML(out), out.Close())
	}
	return errors.Join(r.Write(out), out.Close())
}

// treeName returns the name of a folder or zip, "" where its path has none.
func treeName(dir string) string {
	full, err := filepath.Abs(dir)
	if err != nil || full == string(filepath.Separator) {
		return ""
	}
	return strings.TrimSuffix(filepath.Base(full), ".zip")
}

// onOneLine returns a path, quoted if it has control characters, such as a line
// feed, or bytes that are not UTF-8.
func onOneLine(path string) string {
	if strings.ContainsFunc(path, func(r rune) bool { return isObeyed(r) || unicode.IsControl(r) }) || !utf8.ValidString(path) {
		return strconv.Quote(path)
	}
	return path
}

// asTerminal returns the terminal behind a writer, if there is one.
func asTerminal(w io.Writer) (*os.File, bool) {
	file, ok := w.(*os.File)
	return file, ok && term.IsTerminal(int(file.Fd()))
}

// progressBar returns functions that draw a progress bar and remove it. They do
// nothing if standard error is not a terminal.
func (p *program) progressBar(task string) (show func(done, total int), finish func()) {
	stderr := p.stderr
	if l, ok := stderr.(legibly); ok {
		stderr = l.Writer
	}
	file, ok := asTerminal(stderr)
	if !ok {
		return func(int, int) {}, func() {}
	}
	bar := progressbar.NewOptions(0, progressbar.OptionSetWriter(file), progressbar.OptionSetDescription(task),
		progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(progressTick))
	show = func(done, total int) {
		bar.ChangeMax(total)
		_ = bar.Set(done) // only the bar is lost
	}
	return show, func() { _ = bar.Finish() } // as above
}
