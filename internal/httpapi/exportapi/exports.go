// Package exportapi has the operations on exports: requesting, waiting and downloading.
// Package exports makes them. Start with [Operations].
package exportapi

import (
	"context"
	"mime"
	"net/http"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const mediaText = "text/plain"

// exportRetry is when clients should check an export again, in seconds.
const exportRetry = "1"

// Operations are the operations on exports.
type Operations struct {
	Service *exports.Service

	Language func(context.Context) (string, error) // of the site
}

// exporter is the caller of an export operation.
func exporter(r *rest.Request) exports.Caller {
	return exports.Caller{Principal: r.Principal, Version: r.Version()}
}

func (o Operations) Create(r *rest.Request) (*rest.Response, error) {
	media, err := r.Negotiate(rest.MediaJSON, mediaText)
	if err != nil {
		return nil, err
	}
	body, err := r.DecodeBody(rest.MediaYAML)
	if err != nil {
		return nil, err
	}
	in, err := octavo.DecodeExportRequest(body, r.Now(), r.Strict())
	if err != nil {
		return nil, err
	}
	if q := in.Selection.Query; q != nil && q.Language != "" {
		site, err := o.Language(r.Context())
		if err != nil {
			return nil, err
		}
		q.Unsaid = octavo.InLanguage(site, q.Language)
	}
	answer := func(e octavo.Export) *rest.Response {
		resp := &rest.Response{Status: http.StatusAccepted, ContentType: mediaText + "; charset=utf-8", Body: []byte(e.ID)}
		if media == rest.MediaJSON {
			resp = rest.JSON(http.StatusAccepted, e.AppendJSON(nil))
		}
		resp.Header = map[string]string{
			"Location": r.Address("/exports/" + string(e.ID)), "Retry-After": exportRetry,
		}
		return resp
	}
	e, err := o.Service.Create(r.Context(), r.Cause(), exporter(r), in, func(e octavo.Export) sqldb.Response { return answer(e).Keep() })
	if err != nil {
		return nil, err
	}
	return answer(e), nil
}

func (o Operations) List(r *rest.Request) (*rest.Response, error) {
	return rest.ListByID(r, r.Params(), "exports", func(ctx context.Context, after octavo.ID, limit int) ([]octavo.Export, bool, error) {
		return o.Service.List(ctx, exporter(r), after, limit)
	}, func(e octavo.Export) octavo.ID { return e.ID }, func(dst []byte, e octavo.Export) []byte { return e.AppendJSON(dst) })
}

func (o Operations) Get(r *rest.Request) (*rest.Response, error) {
	id, err := exportPath(r)
	if err != nil {
		return nil, err
	}
	p := r.Params()
	wait := p.Wait()
	if err := p.Faults.Err(); err != nil {
		return nil, err
	}
	e, err := o.awaitExport(r, id, wait)
	if err != nil {
		return nil, err
	}
	resp := rest.JSON(http.StatusOK, e.AppendJSON(nil))
	if !e.Status.Ended() {
		resp.Header = map[string]string{"Retry-After": exportRetry}
	}
	return resp, nil
}

// awaitExport reads an export once it has ended, or after the time.
func (o Operations) awaitExport(r *rest.Request, id octavo.ID, wait time.Duration) (octavo.Export, error) {
	if wait == 0 || r.Method == http.MethodHead {
		return o.Service.Get(r.Context(), exporter(r), id)
	}
	ctx, cancel := r.WhileServing(wait)
	defer cancel()
	ctx, end := context.WithTimeout(ctx, wait)
	defer end()
	if err := o.Service.Await(ctx, exporter(r), id); err != nil && ctx.Err() == nil {
		return octavo.Export{}, err
	}
	if err := r.Reauthenticate(); err != nil {
		return octavo.Export{}, err
	}
	return o.Service.Get(r.Context(), exporter(r), id)
}

func (o Operations) Delete(r *rest.Request) (*rest.Response, error) {
	id, err := exportPath(r)
	if err != nil {
		return nil, err
	}
	return rest.NoContent(o.Service.Delete(r.Context(), r.Cause(), exporter(r), id))
}

// Download sends the result of an export to anybody with its address, which is signed
// and expires.
func (o Operations) Download(r *rest.Request) (*rest.Response, error) {
	id, err := exportPath(r)
	if err != nil {
		return nil, err
	}
	file, err := o.Service.Open(r.Context(), id, r.URL.Query())
	if err != nil {
		return nil, err
	}
	return &rest.Response{File: &rest.File{
		Content: file.File, What: "export " + string(id), ContentType: file.MediaType, Tag: file.SHA256[:32], Modified: file.EndedAt,
		Disposition: mime.FormatMediaType("attachment", map[string]string{"filename": file.Name}), Expires: file.ExpiresAt,
	}}, nil
}

// exportPath returns the identifier of the export in the path.
func exportPath(r *rest.Request) (octavo.ID, error) {
	return r.PathID("exportId", octavo.PrefixExport, "There is no such export.")
}
