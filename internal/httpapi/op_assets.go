package httpapi

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// serveUpload carries out an upload, which a form always is (decision 47). It
// stands in for the rest of the pipeline, since the body goes to the assets
// while it arrives.
func (a *API) serveUpload(r *request) {
	resp, err := a.upload(r)
	var replay *store.ReplayError
	switch {
	case errors.As(err, &replay):
		a.replay(r, replay.Response, nil)
	case err != nil && r.claim != nil:
		a.keepRefusal(r, r.claim, err)
	case err != nil:
		a.writeProblem(r, err)
		a.drain(r)
	default:
		a.write(r, resp)
	}
}

// upload takes a form in. The hash of an Idempotency-Key is known only when
// the file is, so the first answer is looked for after it.
func (a *API) upload(r *request) (*response, error) {
	key, err := idempotencyKey(r)
	if err != nil {
		return nil, err
	}
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	form, err := a.readForm(r)
	if err != nil {
		return nil, err
	}
	defer r.bound()()
	if key != "" {
		claim := newClaim(r, key, mediaForm, form.hash())
		if kept, found, err := a.Idempotency.Replay(r.Context(), claim); err != nil || found {
			a.Assets.Discard(r.Context(), form.upload)
			if err == nil {
				err = &store.ReplayError{Response: kept}
			}
			return nil, err
		}
		r.claim = claim
	}
	answer := func(asset octavo.Asset) *response {
		resp := a.assetResponse(http.StatusAccepted, asset)
		resp.header = map[string]string{"Location": a.PublicURL + "/" + r.version + "/assets/" + string(asset.ID)}
		return resp
	}
	asset, err := a.Assets.Create(r.Context(), r.cause(), form.upload, form.description, func(asset octavo.Asset) store.Response {
		return answer(asset).keep()
	})
	if err != nil {
		return nil, err
	}
	return answer(asset), nil
}

// assetResponse answers with an asset. Its entity tag follows the version, and
// the address where that does not stay.
func (a *API) assetResponse(status int, asset octavo.Asset) *response {
	resp := jsonResponse(status, asset.AppendJSON(nil))
	resp.tag = entityTag{page: asset.ID.Suffix(), version: asset.Version, view: a.Assets.Term()}
	return resp
}

// createAsset gets what is no form.
func (a *API) createAsset(r *request) (*response, error) {
	if _, err := mediaType(r); err != nil {
		return nil, err
	}
	return nil, octavo.Errorf(octavo.UnsupportedMediaType, "Send %s with a part named file.", mediaForm)
}

// assetPath returns the identifier of the asset in the path.
func assetPath(r *request) (octavo.ID, error) {
	text := r.PathValue("assetId")
	if !octavo.ValidIdentifier(text) {
		return "", octavo.Invalid("assetId", "must be an identifier such as asset_01h455vb4pex5vsknk084sn02q")
	}
	return octavo.ID(text), nil
}

func (a *API) getAsset(r *request) (*response, error) {
	id, err := assetPath(r)
	if err != nil {
		return nil, err
	}
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	asset, err := a.Assets.Get(r.Context(), r.principal.Audience(), id)
	if err != nil {
		return nil, err
	}
	return a.assetResponse(http.StatusOK, asset), nil
}

func (a *API) patchAsset(r *request) (*response, error) {
	var faults octavo.Faults
	id, err := assetPath(r)
	faults.Merge(err)
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	match, err := writeCondition(r)
	faults.Merge(err)
	body, err := decodeBody(r, mediaMergePatch)
	if err != nil {
		return nil, err
	}
	patch, err := octavo.DecodeAssetPatch(body, strict(r))
	faults.Merge(err)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	asset, err := a.Assets.Patch(r.Context(), r.cause(), id, patch, match)
	if err != nil {
		return nil, err
	}
	return a.assetResponse(http.StatusOK, asset), nil
}

func (a *API) deleteAsset(r *request) (*response, error) {
	var faults octavo.Faults
	id, err := assetPath(r)
	faults.Merge(err)
	p := readParams(r)
	force := p.boolean("force")
	faults.Merge(p.faults.Err())
	match, err := writeCondition(r)
	faults.Merge(err)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if err := a.Assets.Delete(r.Context(), r.cause(), id, force != nil && *force, match); err != nil {
		return nil, err
	}
	return &response{status: http.StatusNoContent}, nil
}

func (a *API) listAssets(r *request) (*response, error) {
	p := readParams(r)
	q := store.AssetQuery{Limit: p.limit(), ContentType: p.contentType(), Tag: p.tag(), Unused: p.boolean("unused")}
	unused := "any"
	if q.Unused != nil {
		unused = map[bool]string{true: "yes", false: "no"}[*q.Unused]
	}
	list := strings.Join([]string{"assets", q.ContentType, q.Tag, unused}, "\x01")
	if m := p.cursor(a.cursors, list); m != nil {
		q.After = m.ID
	}
	if err := p.faults.Err(); err != nil {
		return nil, err
	}
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	var found []octavo.Asset
	var more bool
	asked := q.Limit
	err := a.boundedList(r, q.Limit, func(ctx context.Context, limit int) (_ int, err error) {
		q.Limit = limit
		found, more, err = a.Assets.List(ctx, r.principal.Audience(), q)
		return 0, err
	})
	if err != nil {
		return nil, err
	}
	cursor := ""
	if more {
		cursor = a.cursors.encode(list, store.Mark{ID: found[len(found)-1].ID})
	}
	return listResponse(found, func(dst []byte, asset octavo.Asset) []byte { return asset.AppendJSON(dst) }, asked, cursor), nil
}

// boolean reads a parameter that is true or false, nil when it is not given.
func (p *params) boolean(name string) *bool {
	switch p.oneOf(name, "true", "false") {
	case "true":
		return new(true)
	case "false":
		return new(false)
	}
	return nil
}

// contentType reads a media type without parameters, or one such as image/*.
func (p *params) contentType() string {
	const name = "contentType"
	text, ok := p.get(name)
	if !ok {
		return ""
	}
	media, params, err := mime.ParseMediaType(text)
	kind, sub, slash := strings.Cut(media, "/")
	if err != nil || len(params) > 0 || !slash || kind == "" || sub == "" || kind == "*" {
		p.faults.Add(name, "must be a media type such as image/png, or image/* for all of a kind")
	}
	return media
}

// tag reads a tag to narrow a list by.
func (p *params) tag() string {
	tag, ok := p.get("tag")
	if ok && (tag == "" || strings.ContainsRune(tag, 0)) {
		p.faults.Add("tag", "must not be empty nor contain the NUL character")
	}
	return tag
}
