// Package rest runs the operations of an HTTP API, of any kind. A request passes
// through one pipeline (identify, authenticate, count, read the body, handle), and
// every error leaves through one function as a Problem (RFC 9457). Handlers get a
// Request, which decodes and negotiates for them, and return a Response or an error. It
// knows no resources. Start with pipeline.go.
package rest

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/deflate"
	"github.com/octavo-docs/octavo/internal/quota"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// Verifier checks credentials. Its error for a missing or invalid one is an
// *auth.Error.
type Verifier interface {
	Verify(ctx context.Context, c auth.Credential) (octavo.Principal, error)
}

// Idempotency stores the responses to requests with an Idempotency-Key.
type Idempotency interface {
	Replay(ctx context.Context, c *sqldb.Claim) (sqldb.Response, bool, error)
	Outcome(ctx context.Context, c *sqldb.Claim, r sqldb.Response) error
}

// Options configure all operations. All are required unless stated otherwise.
type Options struct {
	Auth        Verifier
	Idempotency Idempotency
	IDs         *octavo.IDSource
	Random      io.Reader // for traceparent
	Now         func() time.Time
	Log         *slog.Logger
	CursorKey   []byte // 32 random bytes shared by all processes of an installation

	PublicURL  string            // without version and trailing slash
	SearchURL  string            // of the search server, without region and trailing slash
	Versions   []string          // served versions: v1, v2
	Regions    []string          // served search regions
	RegionURLs map[string]string // addresses of other regions; may be nil

	Quotas         *quota.Limiter // counts requests; its window is quota.DefaultWindow
	RateLimit      int            // requests per window and credential; 0 means no limit
	MaxBody        int64          // bytes of a JSON or YAML body
	Memory         int64          // bytes for all requests together; 0 means no limit
	CORSOrigins    []string       // "*" for any; none disables CORS
	TrustedProxies []netip.Prefix // whose X-Forwarded-For is trusted

	// Serving, if non-nil, ends when the server begins to stop: requests that wait for
	// events then return at once, and streams end.
	Serving context.Context

	Trace *tracing.Tracer // nil records no traces

	// Observe, if non-nil, is called for each response.
	Observe func(operation string, status int, took time.Duration, bytes int64)
}

// API serves operations. It is an http.Handler.
type API struct {
	Options
	Form Handler // handles forms for operations that take them

	routing    router
	sites      []string // patterns that belong to sites
	cursors    cursorCodec
	compressor deflate.Compressor
	fields     fields
	memory     memory
	buffers    sync.Pool // of *[]byte, for assembled bodies
}

// New returns an API that so far serves only redirects to other regions.
func New(o Options) *API {
	a := &API{
		Options: o,
		cursors: newCursorCodec(o.CursorKey),
		fields:  newFields(),
		memory:  newMemory(o.Memory),
	}
	a.buffers.New = func() any { return new([]byte) }
	for region, base := range o.RegionURLs {
		a.routing.handle(searchPath+"/"+region+"/*", a.redirectRegion(strings.TrimRight(base, "/")))
	}
	return a
}

// Mount registers operations: one path item for each pattern at each of its addresses.
func (a *API) Mount(routes []Route) {
	items := map[string]pathItem{}
	var order []string
	for _, rt := range routes {
		for _, prefix := range a.prefixes(rt.Server) {
			pattern := prefix.path + rt.Pattern
			if items[pattern] == nil {
				items[pattern] = pathItem{}
				order = append(order, pattern)
			}
			mounted := rt
			if rt.Flags&AsJSON != 0 {
				mounted.Handle = asJSON(rt.Handle)
			}
			items[pattern][rt.Method] = mountedRoute{&mounted, prefix.version}
		}
	}
	for _, pattern := range order {
		a.routing.handle(pattern, a.serveItem(items[pattern]))
	}
}

// MountFiles registers a pattern without credentials and rate limit; its spans have
// that name.
func (a *API) MountFiles(pattern, name string, h Handler) {
	a.routing.handle(pattern, func(r *Request) {
		a.beginSpan(r, name, pattern)
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			a.refuseMethod(r, "GET, HEAD, OPTIONS")
			return
		}
		a.showAddress(r)
		a.finish(r, h)
	})
}

// StaticHandler handles requests outside of the operations. An error must come before
// any output, and becomes a Problem.
type StaticHandler func(w http.ResponseWriter, r *http.Request) error

// MountStatic registers a path that is not an operation.
func (a *API) MountStatic(path string, h StaticHandler) {
	a.routing.handle(path, func(r *Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			a.refuseMethod(r, "GET, HEAD, OPTIONS")
			return
		}
		err := a.countAddress(r)
		if err == nil {
			err = h(r.w, r.Request)
		}
		if err != nil {
			a.writeProblem(r, err)
		}
	})
}

// MountMethods registers handlers outside of the document, by method, which are logged
// by their pattern. GET handles HEAD too.
func (a *API) MountMethods(pattern string, methods map[string]http.Handler) {
	a.routing.handle(pattern, func(r *Request) {
		r.served = pattern
		a.beginSpan(r, pattern, pattern)
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		h := methods[method]
		if h == nil {
			a.refuseMethod(r, allow(methods))
			return
		}
		if err := a.countAddress(r); err != nil {
			a.writeProblem(r, err)
			return
		}
		if method != http.MethodGet {
			r.Request = r.WithContext(context.WithoutCancel(r.Context())) // see serveRoute
			defer r.Bound()()
		}
		h.ServeHTTP(r.w, r.WithContext(context.WithValue(r.Context(), callerKey{}, caller{r.address, r.trace.id})))
	})
}

// callerKey is the context key of a caller in MountMethods.
type callerKey struct{}

// caller is the sender of a request to a handler of MountMethods.
type caller struct {
	address netip.Addr
	trace   string
}

// Address returns the network address of a request to a handler of MountMethods, behind
// proxies too.
func Address(hr *http.Request) string {
	c, _ := hr.Context().Value(callerKey{}).(caller)
	return c.address.String()
}

// Trace returns the trace identifier of such a request: its X-Trace-Id or traceparent,
// or "".
func Trace(hr *http.Request) string {
	c, _ := hr.Context().Value(callerKey{}).(caller)
	return c.trace
}

// searchPath is the path of the search server below the public address.
const searchPath = "/search"

// prefix is an address below which there are operations.
type prefix struct{ path, version string }

func (a *API) prefixes(s Server) []prefix {
	var list []prefix
	for _, v := range a.Versions {
		if s == OnBase {
			list = append(list, prefix{"/" + v, v})
			continue
		}
		for _, region := range a.Regions {
			list = append(list, prefix{searchPath + "/" + region + "/" + v, v})
		}
	}
	return list
}

// redirectRegion redirects searches for another region to its address (decision 4),
// including the key in the query, without which they would find nothing (decision 23).
func (a *API) redirectRegion(base string) serve {
	return func(r *Request) {
		rest := strings.SplitN(r.URL.EscapedPath(), "/", 4) // "", search, region, rest
		target := base + "/" + rest[3]
		if r.URL.RawQuery != "" {
			target += "?" + r.URL.RawQuery
		}
		a.static(r, func(*Request) (*Response, error) {
			return &Response{Status: http.StatusPermanentRedirect, Header: map[string]string{
				"Location": target, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
			}}, nil
		})
	}
}
