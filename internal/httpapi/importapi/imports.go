// Package importapi has the operations on imports: uploading a file, waiting and
// reading the report. Package imports does the work. Start with [Operations].
package importapi

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/imports"
	"github.com/octavo-docs/octavo/internal/store/importstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// retry is when clients should check an import again, in seconds.
const retry = "1"

// Operations are the operations on imports.
type Operations struct{ Service *imports.Service }

// Create receives a form. The hash for an Idempotency-Key is known only after the file,
// so an earlier response is looked up then.
func (o Operations) Create(r *rest.Request) (*rest.Response, error) {
	key, err := r.IdempotencyKey()
	if err != nil {
		return nil, err
	}
	if _, err := r.Negotiate(rest.MediaJSON); err != nil {
		return nil, err
	}
	f, err := o.readForm(r)
	if err != nil {
		return nil, err
	}
	defer r.Bound()()
	if key != "" {
		if err := r.Claim(key, f.hash()); err != nil {
			o.Service.Assets.Discard(r.Context(), f.upload)
			return nil, err
		}
	}
	answer := func(v octavo.Import) *rest.Response {
		resp := rest.JSON(http.StatusAccepted, v.AppendJSON(nil))
		resp.Header = map[string]string{"Location": r.Address("/imports/" + string(v.ID)), "Retry-After": retry}
		return resp
	}
	v, err := o.Service.Create(r.Context(), r.Cause(), r.Principal, f.upload, f.options, func(v octavo.Import) sqldb.Response { return answer(v).Keep() })
	if err != nil {
		return nil, err
	}
	return answer(v), nil
}

// List returns imports, newest first.
func (o Operations) List(r *rest.Request) (*rest.Response, error) {
	return rest.ListByID(r, r.Params(), "imports", func(ctx context.Context, before octavo.ID, limit int) ([]octavo.Import, bool, error) {
		return o.Service.List(ctx, r.Principal, before, limit)
	}, func(v octavo.Import) octavo.ID { return v.ID }, func(dst []byte, v octavo.Import) []byte { return v.AppendJSON(dst) })
}

func (o Operations) Get(r *rest.Request) (*rest.Response, error) {
	id, err := path(r)
	if err != nil {
		return nil, err
	}
	p := r.Params()
	wait := p.Wait()
	if err := p.Faults.Err(); err != nil {
		return nil, err
	}
	if wait > 0 && r.Method != http.MethodHead {
		if err := o.await(r, id, wait); err != nil {
			return nil, err
		}
	}
	v, err := o.Service.Get(r.Context(), r.Principal, id)
	if err != nil {
		return nil, err
	}
	resp := rest.JSON(http.StatusOK, v.AppendJSON(nil))
	if !v.Status.Ended() {
		resp.Header = map[string]string{"Retry-After": retry}
	}
	return resp, nil
}

// await waits until an import has ended, or the time is over.
func (o Operations) await(r *rest.Request, id octavo.ID, wait time.Duration) error {
	ctx, cancel := r.WhileServing(wait)
	defer cancel()
	ctx, end := context.WithTimeout(ctx, wait)
	defer end()
	if err := o.Service.Await(ctx, r.Principal, id); err != nil && ctx.Err() == nil {
		return err
	}
	return r.Reauthenticate()
}

func (o Operations) Delete(r *rest.Request) (*rest.Response, error) {
	id, err := path(r)
	if err != nil {
		return nil, err
	}
	return rest.NoContent(o.Service.Delete(r.Context(), r.Cause(), r.Principal, id))
}

// Report returns lines of the report, which exist once the import has ended.
func (o Operations) Report(r *rest.Request) (*rest.Response, error) {
	id, err := path(r)
	if err != nil {
		return nil, err
	}
	return rest.ListByID(r, r.Params(), "import-report\x01"+string(id), func(ctx context.Context, after octavo.ID, limit int) ([]importstore.Line, bool, error) {
		from := 0
		if after != "" {
			last, err := strconv.Atoi(string(after))
			if err != nil {
				return nil, false, octavo.Invalid("cursor", "must be a cursor of this list")
			}
			from = last + 1
		}
		return o.Service.Lines(ctx, r.Principal, id, from, limit)
	}, func(l importstore.Line) octavo.ID { return octavo.ID(strconv.Itoa(l.Number)) }, func(dst []byte, l importstore.Line) []byte { return append(dst, l.Content...) })
}

// path returns the identifier of the import in the path.
func path(r *rest.Request) (octavo.ID, error) {
	return r.PathID("importId", octavo.PrefixImport, "There is no such import.")
}
