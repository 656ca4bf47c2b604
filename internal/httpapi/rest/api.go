// Package rest serves the operations of an HTTP API, whatever they are about. A
// request passes through one pipeline (identify, authenticate, count, read the
// body, handle), and every error leaves through one function as a Problem (RFC
// 9457). Handlers get a Request, which decodes and negotiates for them, and
// return a Response or an error.
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

// Verifier checks credentials. Its error for one that is missing or not valid
// is an *auth.Error.
type Verifier interface {
	Verify(ctx context.Context, c auth.Credential) (octavo.Principal, error)
}

// Idempotency keeps the answers to requests that carry an Idempotency-Key.
type Idempotency interface {
	Replay(ctx context.Context, c *sqldb.Claim) (sqldb.Response, bool, error)
	Outcome(ctx context.Context, c *sqldb.Claim, r sqldb.Response) error
}

// Options are what every operation is served with. All are needed unless said
// otherwise.
type Options struct {
	Auth        Verifier
	Idempotency Idempotency
	IDs         *octavo.IDSource
	Random      io.Reader // for traceparent
	Now         func() time.Time
	Log         *slog.Logger
	CursorKey   []byte // 32 random bytes that every process of an installation shares

	PublicURL  string            // without version and trailing slash
	SearchURL  string            // of the search server, without region and trailing slash
	Versions   []string          // served versions: v1, v2
	Regions    []string          // served search regions
	RegionURLs map[string]string // where other regions are served; may be nil

	Quotas         *quota.Limiter // counts requests; its window is quota.DefaultWindow
	RateLimit      int            // requests per window and credential; 0 is no limit
	MaxBody        int64          // bytes of a JSON or YAML body
	Memory         int64          // bytes that requests may take together; 0 sets no bound
	CORSOrigins    []string       // "*" for any; none switches CORS off
	TrustedProxies []netip.Prefix // whose X-Forwarded-For counts

	// Serving, unless nil, ends when the server is told to stop: what waits for
	// events then answers at once, and streams of them end.
	Serving context.Context

	Trace *tracing.Tracer // nil records no traces

	// Observe, unless nil, is called for each answered request.
	Observe func(operation string, status int, took time.Duration, bytes int64)
}

// API serves operations. It is an http.Handler.
type API struct {
	Options
	Form Handler // carries out what comes as a form, to operations that take forms

	routing    router
	sites      []string // patterns that belong to sites
	cursors    cursorCodec
	compressor deflate.Compressor
	fields     fields
	memory     memory
	buffers    sync.Pool // of *[]byte, for bodies made of pieces
}

// New builds an API that serves nothing but redirects to other regions yet.
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

// Mount registers operations: one path item for each pattern at each of its
// addresses.
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

// MountFiles registers what is read at a pattern without a credential and
// without being counted; its spans have that name.
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

// StaticHandler answers requests for what is no operation. An error comes before
// anything of an answer, and is told as a Problem.
type StaticHandler func(w http.ResponseWriter, r *http.Request) error

// MountStatic registers what is read at a path and is no operation.
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

// MountMethods registers what is no operation of the document, by method, and
// is logged by its pattern. GET answers HEAD as well.
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

// callerKey is the key of a caller in the contexts of MountMethods.
type callerKey struct{}

// caller is who sent a request to what MountMethods registered.
type caller struct {
	address netip.Addr
	trace   string
}

// Address returns the network address that a request to what MountMethods
// registered came from, whatever proxies stand between.
func Address(hr *http.Request) string {
	c, _ := hr.Context().Value(callerKey{}).(caller)
	return c.address.String()
}

// Trace returns what the sender of such a request wants it recognised by: its
// X-Trace-Id or traceparent; it may be empty.
func Trace(hr *http.Request) string {
	c, _ := hr.Context().Value(callerKey{}).(caller)
	return c.trace
}

// searchPath is where the search server is below the public address.
const searchPath = "/search"

// prefix is an address below which operations are found.
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

// redirectRegion sends searches for a region that is served elsewhere there
// (decision 4), with the key in the query, without which they would find
// nothing (decision 23).
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
