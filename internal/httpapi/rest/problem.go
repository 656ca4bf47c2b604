package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
)

const problemJSON = "application/problem+json"

// statusClientClosed is logged and counted for requests whose client has left; nobody
// receives it.
const statusClientClosed = 499

// writeProblem is the only way for an error to leave the server. An *octavo.Error has
// what the caller may know; any other error is logged with the request's id and gets a
// fixed text.
func (a *API) writeProblem(r *Request, err error) {
	if clientGone(r, err) {
		// Without a response the server would send an empty 200 to a client that has
		// closed only one direction and still reads.
		r.w.status = statusClientClosed
		panic(http.ErrAbortHandler)
	}
	if refused, ok := errors.AsType[*auth.Error](err); ok {
		a.write(r, a.challenge(r, refused))
		return
	}
	resp := a.problem(r, err)
	if r.Body != nil && r.body == nil && resp.Status >= 400 && r.ContentLength > 0 {
		resp.Header["Connection"] = "close" // the unread body may be long
	}
	a.write(r, resp)
}

// problem translates an error into a response.
func (a *API) problem(r *Request, err error) *Response {
	e := a.known(r, err)
	info := e.Type.Info()
	problem := octavo.Problem{
		Type: "/problems/" + string(info.Type), Title: info.Title, Status: info.Status,
		Detail: e.Detail, Instance: "urn:octavo:request:" + r.id, Errors: e.Fields, Oldest: e.Oldest, Conflicts: e.Conflicts,
	}
	if e.Type == octavo.PreconditionFailed && weakOnly(r.Header) {
		problem.Detail = weakDetail
	}
	if problem.Errors == nil && e.Detail == "" && info.Status >= 500 {
		problem.Detail = "The cause is in the server's log under the request id " + r.id + "."
	}
	resp := &Response{Status: info.Status, ContentType: problemJSON, Body: EncodeJSON(problem), Header: map[string]string{"Cache-Control": "no-store"}}
	if e.RetryAfter > 0 {
		resp.Header["Retry-After"] = strconv.Itoa(int((e.RetryAfter + time.Second - 1) / time.Second))
	}
	if e.Type == octavo.Forbidden && r.lacking != 0 && r.route.Accept&Bearer != 0 {
		resp.Header["WWW-Authenticate"] = `Bearer realm="octavo", error="insufficient_scope", scope="` + r.lacking.String() + `"`
	}
	return resp
}

// Problem returns the status and the body of the response to an error.
func (r *Request) Problem(err error) (status int, body []byte) {
	resp := r.api.problem(r, err)
	return resp.Status, resp.Body
}

// known returns what the caller may know, and logs the rest.
func (a *API) known(r *Request, err error) *octavo.Error {
	var e *octavo.Error
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &e):
	case errors.As(err, &tooLarge):
		e = octavo.Errorf(octavo.TooLarge, "The body may have at most %d bytes.", tooLarge.Limit)
	case errors.Is(err, context.DeadlineExceeded):
		e = &octavo.Error{Type: octavo.Unavailable, Detail: "The request took too long.", RetryAfter: time.Second, Err: err}
	default:
		e = &octavo.Error{Type: octavo.Internal, Err: err}
	}
	if e.Type.Info().Status >= 500 && e.Type != octavo.NotImplemented {
		a.Log.ErrorContext(r.Context(), "request failed", "request", r.id, "problem", e.Type, "error", err)
	}
	return e
}

// EncodeJSON encodes an internal value, which cannot fail, without escaping markup
// characters.
func EncodeJSON(v any) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic("encode an answer: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
