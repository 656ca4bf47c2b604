package rest

import (
	"crypto/sha256"
	"errors"
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// serveIdempotent runs an operation so that repeating it with the same Idempotency-Key
// returns the first response (decision 18). A change and its response are committed
// together; the response to a request that changed nothing is stored afterwards.
func (a *API) serveIdempotent(r *Request) {
	key, err := r.IdempotencyKey()
	if err != nil {
		a.writeProblem(r, err)
		return
	}
	if key == "" {
		a.finish(r, r.route.Handle)
		return
	}
	claim := newClaim(r, key, r.Header.Get("Content-Type"), r.body)
	if kept, found, err := a.Idempotency.Replay(r.Context(), claim); err != nil || found {
		a.replay(r, kept, err)
		return
	}
	r.claim = claim
	resp, err := r.route.Handle(r)
	if replay, ok := errors.AsType[*sqldb.ReplayError](err); ok { // another request was first
		a.replay(r, replay.Response, nil)
		return
	}
	if err != nil {
		a.keepRefusal(r, claim, err)
		return
	}
	a.write(r, resp)
}

// serveForm handles a request with a form. Its handler reads the body, which is too
// long for memory, and claims the key.
func (a *API) serveForm(r *Request) {
	handle := a.Form
	if r.route.Flags&FormAlone != 0 {
		handle = r.route.Handle
	}
	resp, err := handle(r)
	var replay *sqldb.ReplayError
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

// Claim ties a form with that hash to an Idempotency-Key. It fails with a
// store.ReplayError if there is a response already.
func (r *Request) Claim(key string, hash []byte) error {
	claim := newClaim(r, key, MediaForm, hash)
	kept, found, err := r.api.Idempotency.Replay(r.Context(), claim)
	if err == nil && found {
		err = &sqldb.ReplayError{Response: kept}
	}
	if err == nil {
		r.claim = claim
	}
	return err
}

// IdempotencyKey reads the Idempotency-Key, or "".
func (r *Request) IdempotencyKey() (string, error) {
	values := r.Header.Values("Idempotency-Key")
	if len(values) == 0 {
		return "", nil
	}
	key := values[0]
	valid := len(values) == 1 && len(key) >= 1 && len(key) <= 255
	for _, c := range []byte(key) {
		valid = valid && c > ' ' && c < 0x7f
	}
	if !valid {
		return "", octavo.Invalid("Idempotency-Key", "must be given once and have 1 to 255 visible ASCII characters")
	}
	return key, nil
}

// newClaim ties the request, with its body's type and content, to a key.
func newClaim(r *Request, key, contentType string, content []byte) *sqldb.Claim {
	h := sha256.New()
	for _, part := range []string{r.Method, r.URL.Path, r.URL.RawQuery, contentType} {
		h.Write([]byte(part + "\x00"))
	}
	h.Write(content)
	c := &sqldb.Claim{Owner: r.Principal.ID + "\x00" + r.Principal.Client, Key: key}
	if r.Principal.Audience().PublishedOnly {
		c.Owner += "\x00published" // a subject's response with more visibility is not for one with less
	}
	h.Sum(c.Hash[:0])
	return c
}

func (a *API) replay(r *Request, kept sqldb.Response, err error) {
	if err != nil {
		a.writeProblem(r, err)
		return
	}
	resp := &Response{Status: kept.Status, Header: map[string]string{"Idempotency-Replayed": "true"}, Body: kept.Body}
	for name, value := range kept.Header {
		if name == "Content-Type" {
			resp.ContentType = value
			continue
		}
		resp.Header[name] = value
	}
	a.write(r, resp)
}

// maxKeptRefusal is the maximum size of a stored refusal, in bytes: any caller can
// cause as many as the rate limit allows. Each may repeat much of its request and is
// stored for a day.
const maxKeptRefusal = 4 << 10

// keepRefusal responds to a request that changed nothing, and stores the response if a
// repetition would get the same. A response that is too long to store is made again.
func (a *API) keepRefusal(r *Request, claim *sqldb.Claim, err error) {
	if e, ok := errors.AsType[*octavo.Error](err); ok && !errors.Is(err, sqldb.ErrInProgress) && repeatable(e.Type.Info().Status) {
		kept := a.problem(r, err).Keep()
		if len(kept.Body) > maxKeptRefusal {
			a.writeProblem(r, err)
			return
		}
		if err := a.Idempotency.Outcome(r.Context(), claim, kept); err != nil {
			a.writeProblem(r, err)
			return
		}
	}
	a.writeProblem(r, err)
}

// repeatable reports whether a refusal is replayed: 4xx except those that ask to retry.
func repeatable(status int) bool {
	switch status {
	case http.StatusUnauthorized, http.StatusRequestTimeout, http.StatusTooManyRequests:
		return false
	}
	return status >= 400 && status < 500
}

// Answer makes the response to a result.
type Answer[T any] func(T) *Response

// To is the response to what returned result and err.
func (a Answer[T]) To(result T, err error) (*Response, error) {
	if err != nil {
		return nil, err
	}
	return a(result), nil
}

// OK is the response 200 with a result in JSON.
func OK[T any](encode func(dst []byte, result T) []byte) Answer[T] {
	return func(result T) *Response { return JSON(http.StatusOK, encode(nil, result)) }
}

// Keep is the response in the form that is stored for a repeated request.
func (a Answer[T]) Keep(result T) sqldb.Response { return a(result).Keep() }

// Keep is the response in stored form.
func (resp *Response) Keep() sqldb.Response {
	kept := sqldb.Response{Status: resp.Status, Header: map[string]string{}, Body: resp.Body}
	for name, value := range resp.Header {
		kept.Header[name] = value
	}
	if resp.ContentType != "" {
		kept.Header["Content-Type"] = resp.ContentType
	}
	if resp.Tag != (EntityTag{}) {
		kept.Header["ETag"] = resp.Tag.String()
	}
	return kept
}
