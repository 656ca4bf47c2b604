// Package assetapi has the operations on assets: uploading and describing files, and
// sending their bytes. Package assets does the work. Start with [Operations].
package assetapi

import (
	"context"
	"mime"
	"net/http"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Operations are the operations on assets.
type Operations struct {
	Service   *assets.Service
	MaxUpload int64 // bytes of a file
}

// Upload receives a form. The hash for an Idempotency-Key is known only after the file,
// so an earlier response is looked up then.
func (o Operations) Upload(r *rest.Request) (*rest.Response, error) {
	key, err := r.IdempotencyKey()
	if err != nil {
		return nil, err
	}
	if _, err := r.Negotiate(rest.MediaJSON); err != nil {
		return nil, err
	}
	form, err := o.readForm(r)
	if err != nil {
		return nil, err
	}
	defer r.Bound()()
	if key != "" {
		if err := r.Claim(key, form.hash()); err != nil {
			o.Service.Discard(r.Context(), form.upload)
			return nil, err
		}
	}
	answer := func(asset octavo.Asset) *rest.Response {
		resp := o.assetResponse(http.StatusAccepted, asset)
		resp.Header = map[string]string{"Location": r.Address("/assets/" + string(asset.ID))}
		return resp
	}
	asset, err := o.Service.Create(r.Context(), r.Cause(), form.upload, form.description, func(asset octavo.Asset) sqldb.Response {
		return answer(asset).Keep()
	})
	if err != nil {
		return nil, err
	}
	return answer(asset), nil
}

// assetResponse returns an asset. Its entity tag depends on the version, and on the
// address if that expires.
func (o Operations) assetResponse(status int, asset octavo.Asset) *rest.Response {
	resp := rest.JSON(status, asset.AppendJSON(nil))
	resp.Tag = rest.EntityTag{ID: asset.ID.Suffix(), Version: asset.Version, View: o.Service.Term()}
	return resp
}

// Create handles requests that are not a form.
func (o Operations) Create(r *rest.Request) (*rest.Response, error) {
	if _, err := r.MediaType(); err != nil {
		return nil, err
	}
	return nil, octavo.Errorf(octavo.UnsupportedMediaType, "Send %s with a part named file.", rest.MediaForm)
}

// assetPath returns the identifier of the asset in the path.
func assetPath(r *rest.Request) (octavo.ID, error) {
	text := r.PathValue("assetId")
	if !octavo.ValidIdentifier(text) {
		return "", octavo.Invalid("assetId", "must be an identifier such as asset_01h455vb4pex5vsknk084sn02q")
	}
	return octavo.ID(text), nil
}

func (o Operations) Get(r *rest.Request) (*rest.Response, error) {
	id, err := assetPath(r)
	if err != nil {
		return nil, err
	}
	asset, err := o.Service.Get(r.Context(), assets.AskerOf(r.Principal), id)
	if err != nil {
		return nil, err
	}
	return o.assetResponse(http.StatusOK, asset), nil
}

func (o Operations) Patch(r *rest.Request) (*rest.Response, error) {
	var faults octavo.Faults
	id, err := assetPath(r)
	faults.Merge(err)
	match, err := r.WriteCondition()
	faults.Merge(err)
	body, err := r.DecodeBody(rest.MediaMergePatch)
	if err != nil {
		return nil, err
	}
	patch, err := octavo.DecodeAssetPatch(body, r.Strict())
	faults.Merge(err)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	asset, err := o.Service.Patch(r.Context(), r.Cause(), assets.AskerOf(r.Principal), id, patch, match)
	if err != nil {
		return nil, lacks(r, err)
	}
	return o.assetResponse(http.StatusOK, asset), nil
}

func (o Operations) Delete(r *rest.Request) (*rest.Response, error) {
	var faults octavo.Faults
	id, err := assetPath(r)
	faults.Merge(err)
	p := r.Params()
	force := p.Bool("force")
	faults.Merge(p.Faults.Err())
	match, err := r.WriteCondition()
	faults.Merge(err)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	err = o.Service.Delete(r.Context(), r.Cause(), assets.AskerOf(r.Principal), id, force != nil && *force, match)
	return rest.NoContent(lacks(r, err))
}

// lacks names the scope that is required for changing an asset.
func lacks(r *rest.Request, err error) error {
	if octavo.IsType(err, octavo.Forbidden) && !r.Principal.Scopes.Allow(octavo.ScopeWrite) {
		return r.Lacks(octavo.ScopeWrite, "This needs the scope %s.")
	}
	return err
}

// List returns one page of the assets that the filters select.
func (o Operations) List(r *rest.Request) (*rest.Response, error) {
	p := r.Params()
	q := assetstore.Query{ContentType: contentType(p), Tag: p.Tag(), Unused: p.Bool("unused")}
	unused := "any"
	if q.Unused != nil {
		unused = map[bool]string{true: "yes", false: "no"}[*q.Unused]
	}
	list := strings.Join([]string{"assets", q.ContentType, q.Tag, unused}, "\x01")
	return rest.ListByID(r, p, list, func(ctx context.Context, after octavo.ID, limit int) ([]octavo.Asset, bool, error) {
		q.After, q.Limit = after, limit
		return o.Service.List(ctx, assets.AskerOf(r.Principal), q)
	}, func(asset octavo.Asset) octavo.ID { return asset.ID }, func(dst []byte, asset octavo.Asset) []byte { return asset.AppendJSON(dst) })
}

// ListPages returns one page of the pages that refer to an asset.
func (o Operations) ListPages(r *rest.Request) (*rest.Response, error) {
	id, err := assetPath(r)
	if err != nil {
		return nil, err
	}
	return rest.ListByID(r, r.Params(), "asset-pages\x01"+string(id), func(ctx context.Context, after octavo.ID, limit int) ([]octavo.PageSummary, bool, error) {
		return o.Service.Pages(ctx, r.Principal.Audience(), id, after, limit)
	}, func(p octavo.PageSummary) octavo.ID { return p.ID }, rest.AppendAny[octavo.PageSummary])
}

// contentType reads a media type without parameters, or one such as image/*.
func contentType(p *rest.Params) string {
	const name = "contentType"
	text, ok := p.Get(name)
	if !ok {
		return ""
	}
	media, params, err := mime.ParseMediaType(text)
	kind, sub, slash := strings.Cut(media, "/")
	if err != nil || len(params) > 0 || !slash || kind == "" || sub == "" || kind == "*" {
		p.Faults.Add(name, "must be a media type such as image/png, or image/* for all of a kind")
	}
	return media
}
