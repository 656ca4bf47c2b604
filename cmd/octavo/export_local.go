package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/app"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/exports/format"
	"github.com/octavo-docs/octavo/internal/importer"
	"github.com/octavo-docs/octavo/internal/imports"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/storage"
	"github.com/octavo-docs/octavo/internal/store"
)

// fromStore exports a data folder or database.
func (c *exportCommand) fromStore(p *program, r octavo.ExportRequest, out io.Writer) (report octavo.ExportReport, err error) {
	err = p.withStorage(c.Storage, storage.RefuseMissing, func(s *storage.Storage) (err error) {
		blobs, err := s.ReadFiles(p.ctx, c.Storage)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, blobs.Close()) }()
		report, err = c.render(p, s, blobs, r, false, out)
		return err
	})
	return report, err
}

// render exports a store, without dates if those of the store mean nothing.
func (c *exportCommand) render(p *program, s *storage.Storage, blobs blob.Store, r octavo.ExportRequest, undated bool, out io.Writer) (octavo.ExportReport, error) {
	address := c.SiteURL
	if address != "" {
		address = strings.TrimSuffix(address, "/") + "/"
	}
	books := &book.Maker{Pages: s.Store.Selection, Assets: s.Store.Assets, Blobs: blobs, Formats: format.All(nil, address, c.Fonts), Undated: undated}
	show, finish := p.progressBar("exporting")
	defer finish()
	pages := 0
	report, err := books.Render(p.ctx, r, out, func(done, total int) { pages = total; show(done, total) })
	if err != nil {
		return report, err
	}
	return c.ifEmpty(report, pages), nil
}

// fromFolder exports a tree of Markdown files, through a temporary store.
func (c *exportCommand) fromFolder(p *program, r octavo.ExportRequest, out io.Writer) (report octavo.ExportReport, err error) {
	dir, err := os.MkdirTemp("", "octavo-export-*")
	if err != nil {
		return report, fmt.Errorf("make a temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	env := p.env()
	ids := env.IDs()
	options := app.StoreOptions(env, ids, "")
	options.Throwaway = true
	st, err := store.OpenSQLite(p.ctx, filepath.Join(dir, storage.DatabaseFile), options)
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, st.Close()) }()
	blobs, err := blob.OpenFolder(filepath.Join(dir, storage.FilesFolder))
	if err != nil {
		return report, err
	}
	defer func() { err = errors.Join(err, blobs.Close()) }()
	files, err := app.Assets(p.ctx, env, st, blobs, nil, "", 0)
	if err != nil {
		return report, err
	}
	root, err := os.OpenRoot(c.Dir) // symbolic links do not lead out of it
	if err != nil {
		return report, fmt.Errorf("open the tree: %w", err)
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	show, finish := p.progressBar("reading")
	taken, err := importer.Run(p.ctx, root.FS(), imports.NewTarget(st, pages.New(st.DB, st.Pages, st.Assets, 0), files), importer.Options{
		Status: octavo.Published, Now: p.now(), Name: treeName(c.Dir), Workers: runtime.GOMAXPROCS(0), Progress: show,
	})
	finish()
	if err != nil {
		return report, err
	}
	defer func() { p.tellTaken(taken, report) }()
	if n := taken.Counts().Failed; n > 0 {
		return report, fmt.Errorf("files could not be read (%d), so nothing is exported", n)
	}
	return c.render(p, &storage.Storage{Store: st, Env: env, IDs: ids}, blobs, r, true, out)
}

// tellTaken prints what of a tree was not imported as written. It omits links that
// the rendering warns about, which has the line of each.
func (p *program) tellTaken(taken importer.Report, rendered octavo.ExportReport) {
	told := map[string][]string{} // messages by file
	for _, w := range rendered.Warnings {
		told[w.Source] = append(told[w.Source], w.Message)
	}
	for _, e := range taken {
		for _, n := range e.Notes {
			beginning := n.Link[:min(len(n.Link), 40)] // renderings quote only the beginning
			if n.Link != "" && slices.ContainsFunc(told[e.Path], func(message string) bool { return strings.Contains(message, beginning) }) {
				continue
			}
			fmt.Fprintf(p.stderr, "octavo: %s:%d: %s\n", e.Path, n.Line, n.Message)
		}
	}
}
