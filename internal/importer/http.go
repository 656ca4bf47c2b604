package importer

import (
	"context"
	"errors"
	"io"
	"iter"
	"net/http"
	"path"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
)

// Server returns a target that imports through the API.
func Server(c *client.Client) Target { return server{c} }

type server struct{ client *client.Client }

func (s server) Pages(ctx context.Context) iter.Seq2[octavo.Page, error] {
	return s.client.All(ctx, client.Query{Limit: 100, Include: []string{"imported"}})
}

func (s server) Page(ctx context.Context, id octavo.ID) (octavo.Page, error) {
	page, err := s.client.Get(ctx, id, client.Include("imported"))
	if p, ok := errors.AsType[*client.Problem](err); ok {
		err = &octavo.Error{Type: p.Kind(), Detail: p.Detail, Err: err}
	}
	return page.Page, err
}

// Assets implements AssetTarget.
func (s server) Assets(ctx context.Context) iter.Seq2[octavo.Asset, error] {
	return s.client.AllAssets(ctx, client.AssetQuery{Limit: 100})
}

// PutAsset implements AssetTarget.
func (s server) PutAsset(ctx context.Context, source string, content io.ReadSeeker) (octavo.Asset, error) {
	asset, err := s.client.Upload(ctx, client.Upload{Content: content, Name: path.Base(source), Source: source})
	if p, ok := errors.AsType[*client.Problem](err); ok {
		return asset.Asset, &octavo.Error{Type: p.Kind(), Detail: p.Detail, Fields: p.Errors, Err: err}
	}
	return asset.Asset, err
}

func (s server) Apply(ctx context.Context, operations []octavo.BulkOperation) ([]Result, error) {
	answers, err := s.client.Bulk(ctx, octavo.Bulk{Operations: operations})
	results := make([]Result, len(answers))
	for i, a := range answers {
		switch {
		case a.Problem != nil:
			p := client.Problem{Problem: *a.Problem}
			results[i].Err = &octavo.Error{Type: p.Kind(), Detail: p.Detail, Fields: p.Errors}
		case a.Page != nil && a.Page.ID != "":
			results[i].ID = a.Page.ID
		case a.Status == http.StatusNoContent: // deleted
		default:
			results[i].Err = errors.New("the server answered with neither a page nor a problem")
		}
	}
	return results, err
}
