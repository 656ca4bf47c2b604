package rest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// Request is one HTTP request in the pipeline.
type Request struct {
	*http.Request
	// Principal is the caller; the zero Principal for public operations.
	Principal octavo.Principal

	api     *API
	w       *recorder
	route   *Route // nil if it is not an operation
	served  string // the pattern for the log if route is nil, such as /oauth/token; "" for others
	version string // the API version it was sent to
	id      string
	address netip.Addr // of the client
	trace   trace
	span    *tracing.Span // nil if no trace is recorded
	lacking octavo.Scopes // the scopes that the refused credential lacked; 0 for none
	body    []byte        // nil until it was read
	claim   *sqldb.Claim  // of its Idempotency-Key; nil without one
	memory  lease         // from the shared budget
	small   lease         // from the budget of small bodies
}

func (a *API) ServeHTTP(w http.ResponseWriter, hr *http.Request) {
	start := a.Now()
	r := &Request{Request: hr, api: a, w: &recorder{ResponseWriter: w}, memory: lease{of: a.memory.shared}, small: lease{of: a.memory.small}}
	r.address = a.client(r)
	a.identify(r)
	if len(r.TransferEncoding) > 0 {
		// It may have had a Content-Length too, which net/http drops. A proxy may then
		// see its end elsewhere (RFC 9112 section 6.1).
		r.w.Header().Set("Connection", "close")
	}
	defer func() {
		defer r.memory.keep(0) // after the response to a panic too
		defer r.small.keep(0)
		switch p := recover(); p {
		case nil:
		case http.ErrAbortHandler: // the response is half written, and the log has the reason
			defer panic(p)
		default:
			a.Log.ErrorContext(r.Context(), "panic", "request", r.id, "value", fmt.Sprint(p), "stack", string(debug.Stack()))
			if r.w.status == 0 {
				a.writeProblem(r, octavo.Errorf(octavo.Internal, ""))
			} else {
				defer panic(http.ErrAbortHandler) // the response is half written: close the connection
			}
		}
		a.logRequest(r, start)
	}()
	if a.cors(r) {
		return
	}
	if r.Method == http.MethodOptions && r.RequestURI == "*" { // for the server as such (RFC 9110 section 9.3.7)
		a.refuseMethod(r, allMethods)
		return
	}
	if serve := a.routing.find(r.Request); serve != nil {
		serve(r)
		return
	}
	a.static(r, func(*Request) (*Response, error) {
		return nil, octavo.Errorf(octavo.NotFound, "There is no resource at this path.")
	})
}

// static handles a request that is not an operation of the API.
func (a *API) static(r *Request, h Handler) {
	if !preflight(r) {
		if err := a.countAddress(r); err != nil {
			a.writeProblem(r, err)
			return
		}
	}
	a.finish(r, h)
}

// mountedRoute is a route at one address.
type mountedRoute struct {
	*Route
	version string
}

// pathItem holds the operations of one path by method.
type pathItem map[string]mountedRoute

// allow lists the methods of a path for the Allow header.
func allow[T any](served map[string]T) string {
	methods := []string{"OPTIONS"}
	for m := range served {
		methods = append(methods, m)
		if m == http.MethodGet {
			methods = append(methods, http.MethodHead)
		}
	}
	slices.Sort(methods)
	return strings.Join(methods, ", ")
}

func (a *API) serveItem(item pathItem) serve {
	return func(r *Request) {
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		rt, ok := item[method]
		if !ok {
			a.refuseMethod(r, allow(item))
			return
		}
		r.route, r.version = rt.Route, rt.version
		if rt.Name != healthOperation {
			a.beginSpan(r, rt.Name, rt.Pattern)
		}
		a.serveRoute(r)
	}
}

// refuseMethod handles OPTIONS, and refuses any other method.
func (a *API) refuseMethod(r *Request, allow string) {
	r.w.Header().Set("Allow", allow)
	a.static(r, func(r *Request) (*Response, error) {
		if r.Method == http.MethodOptions {
			return &Response{Status: http.StatusNoContent}, nil
		}
		return nil, octavo.Errorf(octavo.MethodNotAllowed, "Use one of %s.", allow)
	})
}

// changeTime limits a change after it was received.
const changeTime = time.Minute

// Bound limits the duration of the requested change from now on.
func (r *Request) Bound() (cancel context.CancelFunc) {
	ctx, cancel := context.WithTimeout(r.Context(), changeTime)
	r.Request = r.WithContext(ctx)
	return cancel
}

// serveRoute is the pipeline of an operation: authenticate, authorize, count, read the
// body, then run the operation.
func (a *API) serveRoute(r *Request) {
	changes := r.Method != http.MethodGet && r.Method != http.MethodHead
	if changes {
		// net/http cancels the context when the client closes the connection, even only
		// its sending side. A request that was received completely is still carried
		// out.
		r.Request = r.WithContext(context.WithoutCancel(r.Context()))
	}
	if err := a.authenticate(r); err != nil {
		a.writeProblem(r, err)
		return
	}
	if r.route.Flags&FormAlone != 0 || r.route.Flags&Multipart != 0 && r.isForm() {
		a.serveForm(r)
		return
	}
	if changes {
		if err := a.readBody(r); err != nil {
			a.writeProblem(r, err)
			if r.body == nil {
				a.drain(r)
			}
			return
		}
		defer r.Bound()()
	}
	if r.route.Flags&Idempotent != 0 {
		a.serveIdempotent(r)
		return
	}
	a.finish(r, r.route.Handle)
}

// finish runs the handler and writes its response.
func (a *API) finish(r *Request, h Handler) {
	resp, err := h(r)
	if err != nil {
		a.writeProblem(r, err)
		return
	}
	a.write(r, resp)
}

// recorder records the response.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
	paced  bool  // a file is being sent; see ReadFrom
	failed error // why ReadFrom ended early
	// refused is the error status of package http for a file. sendFile sends a Problem
	// instead.
	refused int
}

func (w *recorder) WriteHeader(status int) {
	if w.paced && status >= http.StatusBadRequest {
		w.refused = status
		return
	}
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *recorder) Write(p []byte) (int, error) {
	if w.refused != 0 {
		return len(p), nil
	}
	if w.status == 0 {
		w.status = http.StatusOK
	}
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// clientGone reports whether the error means that nobody waits for a response.
func clientGone(r *Request, err error) bool {
	return errors.Is(err, context.Canceled) && r.Context().Err() != nil
}
