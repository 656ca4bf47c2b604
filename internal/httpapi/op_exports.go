package httpapi

import (
	"context"
	"fmt"
	"mime"
	"net/http"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/store"
)

const mediaText = "text/plain"

// exportRetry is when who waits for an export is to look again, in seconds.
const exportRetry = "1"

// exporter is who asks for an export.
func (r *request) exporter() exports.Caller {
	return exports.Caller{Principal: r.principal, Version: r.version}
}

func (a *API) createExport(r *request) (*response, error) {
	media, err := negotiate(r, mediaJSON, mediaText)
	if err != nil {
		return nil, err
	}
	body, err := decodeBody(r, mediaYAML)
	if err != nil {
		return nil, err
	}
	in, err := octavo.DecodeExportRequest(body, a.Now(), strict(r))
	if err != nil {
		return nil, err
	}
	answer := func(e octavo.Export) *response {
		resp := &response{status: http.StatusAccepted, contentType: mediaText + "; charset=utf-8", body: []byte(e.ID)}
		if media == mediaJSON {
			resp = jsonResponse(http.StatusAccepted, e.AppendJSON(nil))
		}
		resp.header = map[string]string{
			"Location": a.PublicURL + "/" + r.version + "/exports/" + string(e.ID), "Retry-After": exportRetry,
		}
		return resp
	}
	e, err := a.Exports.Create(r.Context(), r.cause(), r.exporter(), in, func(e octavo.Export) store.Response { return answer(e).keep() })
	if err != nil {
		return nil, err
	}
	return answer(e), nil
}

func (a *API) listExports(r *request) (*response, error) {
	return listByID(a, r, "exports", func(ctx context.Context, after octavo.ID, limit int) ([]octavo.Export, bool, error) {
		return a.Exports.List(ctx, r.exporter(), after, limit)
	}, func(e octavo.Export) octavo.ID { return e.ID }, func(dst []byte, e octavo.Export) []byte { return e.AppendJSON(dst) })
}

func (a *API) getExport(r *request) (*response, error) {
	id, err := exportPath(r)
	if err != nil {
		return nil, err
	}
	p := readParams(r)
	wait := p.wait()
	if err := p.faults.Err(); err != nil {
		return nil, err
	}
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	e, err := a.awaitExport(r, id, wait)
	if err != nil {
		return nil, err
	}
	resp := jsonResponse(http.StatusOK, e.AppendJSON(nil))
	if !e.Status.Ended() {
		resp.header = map[string]string{"Retry-After": exportRetry}
	}
	return resp, nil
}

// awaitExport reads an export once it has ended, or that time is over.
func (a *API) awaitExport(r *request, id octavo.ID, wait time.Duration) (octavo.Export, error) {
	if wait == 0 || r.Method == http.MethodHead {
		return a.Exports.Get(r.Context(), r.exporter(), id)
	}
	// The time for the request would end the wait; not every writer has one.
	_ = http.NewResponseController(r.w).SetReadDeadline(deadline(wait + streamTime))
	ctx, cancel := a.whileServing(r.Context())
	defer cancel()
	ctx, end := context.WithTimeout(ctx, wait)
	defer end()
	if err := a.Exports.Await(ctx, r.exporter(), id); err != nil && ctx.Err() == nil {
		return octavo.Export{}, err
	}
	if err := a.reauthenticate(r); err != nil {
		return octavo.Export{}, err
	}
	return a.Exports.Get(r.Context(), r.exporter(), id)
}

func (a *API) deleteExport(r *request) (*response, error) {
	id, err := exportPath(r)
	if err != nil {
		return nil, err
	}
	if err := a.Exports.Delete(r.Context(), r.cause(), r.exporter(), id); err != nil {
		return nil, err
	}
	return &response{status: http.StatusNoContent}, nil
}

// downloadExport serves the result of an export to whoever has its address,
// which is signed and ends.
func (a *API) downloadExport(r *request) (*response, error) {
	id, err := exportPath(r)
	if err != nil {
		return nil, err
	}
	file, err := a.Exports.Open(r.Context(), id, r.URL.Query())
	if err != nil {
		return nil, err
	}
	return &response{file: &sentFile{
		content: file.File, what: "export " + string(id), contentType: file.MediaType, tag: file.SHA256[:32], modified: file.EndedAt,
		disposition: mime.FormatMediaType("attachment", map[string]string{"filename": file.Name}),
		caching:     fmt.Sprintf("private, max-age=%d, immutable", max(0, int64(file.ExpiresAt.Sub(a.Now())/time.Second))),
	}}, nil
}

// exportPath returns the identifier of the export in the path.
func exportPath(r *request) (octavo.ID, error) {
	return idPath(r, "exportId", octavo.PrefixExport, "There is no such export.")
}
