package format_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"log/slog"
	"path"
	"slices"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/importer"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// target imports into the store of a rig.
type target struct {
	*rig
	assets *assets.Service
}

func (r *rig) uploads() *assets.Service {
	return assets.New(assets.Options{DB: r.Store.DB, Assets: r.Store.Assets, Blobs: r.Blobs, Random: rand.Reader, Now: time.Now, Log: slog.New(slog.DiscardHandler)})
}

func (r *rig) importTree(tree fs.FS) {
	r.Helper()
	report, err := importer.Run(r.Context(), tree, target{r, r.uploads()}, importer.Options{Status: octavo.Published, Workers: 2})
	exporttest.Must(r, err)
	if n := report.Counts(); n.Failed > 0 {
		r.Fatalf("import: %+v", report)
	}
}

// asset makes an asset of bytes.
func (r *rig) asset(name, content string) octavo.Asset {
	r.Helper()
	s := r.uploads()
	up, err := s.Receive(r.Context(), bytes.NewReader([]byte(content)), name, "")
	exporttest.Must(r, err)
	a, err := s.Create(r.Context(), sqldb.Cause{}, up, assets.Description{}, nil)
	exporttest.Must(r, err)
	return a
}

func (t target) Assets(ctx context.Context) iter.Seq2[octavo.Asset, error] {
	return func(yield func(octavo.Asset, error) bool) {
		list, _, err := t.assets.List(ctx, assets.Asker{}, assetstore.Query{Limit: 100})
		for _, a := range list {
			if !yield(a, err) {
				return
			}
		}
	}
}

func (t target) PutAsset(ctx context.Context, source string, content io.ReadSeeker) (octavo.Asset, error) {
	up, err := t.assets.Receive(ctx, content, path.Base(source), "")
	if err != nil {
		return octavo.Asset{}, err
	}
	return t.assets.Create(ctx, sqldb.Cause{}, up, assets.Description{Source: source}, nil)
}

func (t target) Pages(ctx context.Context) iter.Seq2[octavo.Page, error] {
	return func(yield func(octavo.Page, error) bool) {
		list, _, err := t.Store.Pages.List(ctx, octavo.Audience{}, pagestore.Query{Limit: 1000})
		for _, p := range list {
			if !yield(p, err) {
				return
			}
		}
	}
}

func (t target) Page(ctx context.Context, id octavo.ID) (octavo.Page, error) {
	return t.Store.Pages.Get(ctx, octavo.Audience{}, id)
}

func (t target) Apply(ctx context.Context, operations []octavo.BulkOperation) ([]importer.Result, error) {
	answers, err := t.pages.Bulk(ctx, pages.BulkCause{}, octavo.Bulk{Operations: operations})
	var results []importer.Result
	for _, a := range answers {
		result := importer.Result{Err: a.Err}
		if a.Page != nil {
			result.ID = a.Page.ID
		}
		results = append(results, result)
	}
	return results, err
}

// all tells what the pages of a rig are, in the order of their slugs.
func (r *rig) all() (list []string) {
	r.Helper()
	found, _, err := r.Store.Pages.List(r.Context(), octavo.Audience{}, pagestore.Query{Limit: 1000})
	exporttest.Must(r, err)
	slugs := map[octavo.ID]string{}
	for _, p := range found {
		slugs[p.ID] = p.Slug
	}
	for _, p := range found {
		position := "none"
		if p.Position != nil {
			position = fmt.Sprint(*p.Position)
		}
		list = append(list, fmt.Sprintf("%s under %q, %s, at %s: %q %q %v", p.Slug, slugs[p.ParentID], p.Status, position, p.Title, p.Content, octavo.Tags(p.Frontmatter)))
	}
	slices.Sort(list)
	return list
}

// another returns a rig over an empty store.
func (r *rig) another() *rig { return newRig(r.TB) }
