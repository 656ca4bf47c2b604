package imports

import (
	"context"
	"errors"
	"io"
	"iter"
	"path"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/importer"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store"
)

// Target imports into a store of this process.
type Target struct {
	store  *store.Store
	pages  *pages.Service
	assets *assets.Service

	// OverrideReview changes published pages even if the site requires approvals.
	OverrideReview bool

	job *job // the writing job; nil for the command
}

// NewTarget returns a target for imports into a store. files may be nil for a tree without
// assets.
func NewTarget(st *store.Store, p *pages.Service, files *assets.Service) Target {
	return Target{store: st, pages: p, assets: files}
}

// Check refuses an import if changes of published pages need approvals (decision 74).
func (t Target) Check(ctx context.Context) error {
	site, _, err := t.store.Sites.Get(ctx, octavo.Audience{})
	if err != nil {
		return err
	}
	if site.Review.Approvals > 0 && !t.OverrideReview {
		return octavo.Errorf(octavo.ReviewRequired, "changes of published pages need approvals here: propose the files with octavo propose, or give --override-review, which the audit log records")
	}
	return nil
}

func (t Target) cause() store.Cause {
	c := store.Cause{Actor: localActor()}
	if t.job != nil {
		c.Actor, c.TraceID, c.Traceparent = t.job.Asker, t.job.TraceID, t.job.Parent
	}
	if t.OverrideReview {
		c.Review = store.ReviewOverridden
	}
	return c
}

// failed records in the job that the file is not at fault.
func (t Target) failed(err error) error {
	if t.job == nil {
		return err
	}
	return t.job.failed(err)
}

func localActor() octavo.Actor { return octavo.Actor{ID: "cli", Name: "octavo import"} }

// Assets implements importer.AssetTarget.
func (t Target) Assets(ctx context.Context) iter.Seq2[octavo.Asset, error] {
	return func(yield func(octavo.Asset, error) bool) {
		q := assets.Query{Limit: 100}
		for more := true; more; {
			var list []octavo.Asset
			var err error
			list, more, err = t.assets.List(ctx, assets.Asker{}, q)
			if err != nil {
				yield(octavo.Asset{}, t.failed(err))
				return
			}
			for _, asset := range list {
				if !yield(asset, nil) {
					return
				}
				q.After = asset.ID
			}
		}
	}
}

// PutAsset implements importer.AssetTarget.
func (t Target) PutAsset(ctx context.Context, source string, content io.ReadSeeker) (octavo.Asset, error) {
	up, err := t.assets.Receive(ctx, content, path.Base(source), "")
	if err != nil {
		return octavo.Asset{}, t.failed(err)
	}
	if t.job == nil {
		return t.assets.Create(ctx, t.cause(), up, assets.Description{Source: source}, nil)
	}
	return t.job.putAsset(ctx, up, func(ctx context.Context) (octavo.Asset, error) {
		return t.assets.Create(ctx, t.cause(), up, assets.Description{Source: source}, nil)
	})
}

// Pages implements importer.Target.
func (t Target) Pages(ctx context.Context) iter.Seq2[octavo.Page, error] {
	return func(yield func(octavo.Page, error) bool) {
		q := pages.Query{Limit: 100}
		for more := true; more; {
			var list []octavo.Page
			var err error
			list, more, err = t.pages.List(ctx, octavo.Audience{}, q, pages.Include{Imported: true})
			if err != nil {
				yield(octavo.Page{}, t.failed(err))
				return
			}
			for _, page := range list {
				if !yield(page, nil) {
					return
				}
				q.Behind(page)
			}
		}
	}
}

// Page implements importer.Target.
func (t Target) Page(ctx context.Context, id octavo.ID) (octavo.Page, error) {
	page, err := t.pages.Get(ctx, octavo.Audience{}, id, pages.Include{Imported: true})
	return page, t.failed(err)
}

// Redirects iterates over the redirects of the site.
func (t Target) Redirects(ctx context.Context) iter.Seq2[octavo.Redirect, error] {
	return func(yield func(octavo.Redirect, error) bool) {
		for after, more := "", true; more; {
			list, next, err := t.store.Sites.Redirects(ctx, after, 1000)
			if err != nil {
				yield(octavo.Redirect{}, t.failed(err))
				return
			}
			for _, r := range list {
				if after = r.From; !yield(r, nil) {
					return
				}
			}
			more = next
		}
	}
}

// SetRedirects implements Site.
func (t Target) SetRedirects(ctx context.Context, list []octavo.Redirect) ([]error, error) {
	if t.job != nil {
		if err := t.job.goOn(ctx); err != nil {
			return nil, err
		}
	}
	return t.store.Sites.SetRedirects(ctx, t.cause(), list)
}

// SetHome implements Site.
func (t Target) SetHome(ctx context.Context, id octavo.ID) (bool, error) {
	if t.job != nil {
		if scopes, err := t.job.s.standing(ctx, t.job.Import); err != nil || !scopes.Allow(octavo.ScopeAdmin) {
			return false, t.failed(err)
		}
	}
	have, _, err := t.store.Sites.Get(ctx, octavo.Audience{})
	if err == nil && have.Home == nil {
		_, _, err = t.store.Sites.Patch(ctx, t.cause(), octavo.Object(octavo.Member{Name: "home", Value: octavo.String(string(id))}), nil)
	}
	return true, t.failed(err)
}

// EmptyTarget is the target of a dry run without a store.
type EmptyTarget struct{}

// Pages implements importer.Target.
func (EmptyTarget) Pages(context.Context) iter.Seq2[octavo.Page, error] {
	return func(func(octavo.Page, error) bool) {}
}

// Page implements importer.Target. A dry run does not call it without pages.
func (EmptyTarget) Page(_ context.Context, id octavo.ID) (octavo.Page, error) {
	return octavo.Page{}, octavo.Errorf(octavo.NotFound, "There is no page %q.", id)
}

// Apply implements importer.Target. A dry run does not call it.
func (EmptyTarget) Apply(context.Context, []octavo.BulkOperation) ([]importer.Result, error) {
	return nil, errors.New("nothing can be imported in a dry run")
}

// Assets implements importer.AssetTarget.
func (EmptyTarget) Assets(context.Context) iter.Seq2[octavo.Asset, error] {
	return func(func(octavo.Asset, error) bool) {}
}

// PutAsset implements importer.AssetTarget. A dry run does not call it.
func (EmptyTarget) PutAsset(context.Context, string, io.ReadSeeker) (octavo.Asset, error) {
	return octavo.Asset{}, errors.New("nothing can be imported in a dry run")
}

// Operations in one transaction. A server uses fewer, so that requests do not wait.
const (
	localBatch = 200
	jobBatch   = 50
)

// Apply implements importer.Target.
func (t Target) Apply(ctx context.Context, operations []octavo.BulkOperation) ([]importer.Result, error) {
	size := localBatch
	if t.job != nil {
		size = jobBatch
	}
	results := make([]importer.Result, 0, len(operations))
	for batch := range slices.Chunk(operations, size) {
		answers, err := t.bulk(ctx, batch)
		if err != nil {
			return results, err
		}
		for _, a := range answers {
			r := importer.Result{Err: a.Err}
			if a.Page != nil {
				r.ID = a.Page.ID
			}
			results = append(results, r)
		}
	}
	return results, nil
}

func (t Target) bulk(ctx context.Context, batch []octavo.BulkOperation) ([]pages.BulkResult, error) {
	cause := pages.BulkCause{Cause: t.cause()}
	if t.job != nil {
		if err := t.job.goOn(ctx); err != nil {
			return nil, err
		}
		ctx = context.WithoutCancel(ctx) // finish the transaction, so that the report is complete
		cause.Within = t.job.noting(batch)
	}
	answers, err := t.pages.Bulk(ctx, cause, octavo.Bulk{Operations: batch})
	return answers, t.failed(err)
}
