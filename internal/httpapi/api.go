// Package httpapi is the HTTP surface of Octavo: the contract's operations and
// the extensions beyond them. routes.go is its map. A request passes through
// one pipeline (identify, authenticate, count, read the body, handle) and every
// error leaves through one function as a Problem (RFC 9457).
//
// What an operation means is the features' business; this package decodes,
// negotiates and encodes.
package httpapi

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
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/deflate"
	"github.com/octavo-docs/octavo/internal/exports"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/quota"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/tracing"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// Verifier checks credentials. Its error for one that is missing or not valid
// is an *auth.Error.
type Verifier interface {
	Verify(ctx context.Context, c auth.Credential) (octavo.Principal, error)
}

// Idempotency keeps the answers to requests that carry an Idempotency-Key.
type Idempotency interface {
	Replay(ctx context.Context, c *store.Claim) (store.Response, bool, error)
	Outcome(ctx context.Context, c *store.Claim, r store.Response) error
}

// AuditLog keeps who did what to credentials and people.
type AuditLog interface {
	ListAudit(ctx context.Context, q store.AuditQuery) (entries []octavo.AuditEntry, more bool, err error)
}

// People lists those who can sign in.
type People interface {
	ListUsers(ctx context.Context, after octavo.ID, limit int) (users []octavo.User, more bool, err error)
}

// EventFeed reads what happened, in order.
type EventFeed interface {
	Events(ctx context.Context, q store.EventQuery) (events []store.Change, next int64, err error)
	Await(ctx context.Context, after int64) error
}

// Options are what the API is built from. All are needed unless said otherwise.
type Options struct {
	Pages       *pages.Service
	Assets      *assets.Service
	Exports     *exports.Service
	Auth        Verifier
	Idempotency Idempotency
	Audit       AuditLog
	Events      EventFeed
	Keys        *auth.Keys
	People      People
	Webhooks    *webhooks.Service
	Search      *live.Service // nil has no searches served
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
	MaxUpload      int64          // bytes of an uploaded file
	Memory         int64          // bytes that requests may take together; 0 sets no bound
	CORSOrigins    []string       // "*" for any; none switches CORS off
	TrustedProxies []netip.Prefix // whose X-Forwarded-For counts

	// Serving, unless nil, ends when the server is told to stop: what waits for
	// events then answers at once, and streams of them end.
	Serving context.Context

	// SearchAlone has nothing served of the operations but searches and health.
	SearchAlone bool

	Trace *tracing.Tracer // nil records no traces

	// Observe, unless nil, is told of each answered request.
	Observe func(operation string, status int, took time.Duration, bytes int64)

	// Static holds what else is served, by path: the start page, the
	// reference, the document. Served is the same by path and method, for what
	// takes more than GET: signing in.
	Static map[string]StaticHandler
	Served map[string]map[string]http.Handler
}

// API serves the operations. It is an http.Handler.
type API struct {
	Options
	routing    router
	cursors    cursorCodec
	compressor deflate.Compressor
	fields     fields
	rooms      rooms
	buffers    sync.Pool // of *[]byte, for bodies made of pieces
}

// New builds the API.
func New(o Options) *API {
	a := &API{
		Options: o,
		cursors: newCursorCodec(o.CursorKey),
		fields:  newFields(),
		rooms:   newRooms(o.Memory),
	}
	a.buffers.New = func() any { return new([]byte) }
	a.mount()
	return a
}

// mount registers one path item for each pattern at each of its addresses.
func (a *API) mount() {
	items := map[string]pathItem{}
	var order []string
	for _, rt := range a.routes() {
		if !a.serves(rt) {
			continue
		}
		for _, prefix := range a.prefixes(rt.server) {
			pattern := prefix.path + rt.pattern
			if items[pattern] == nil {
				items[pattern] = pathItem{}
				order = append(order, pattern)
			}
			mounted := rt
			items[pattern][rt.method] = mountedRoute{&mounted, prefix.version}
		}
	}
	for _, pattern := range order {
		a.routing.handle(pattern, a.serveItem(items[pattern]))
	}
	for region, base := range a.RegionURLs {
		a.routing.handle(searchPath+"/"+region+"/*", a.redirectRegion(strings.TrimRight(base, "/")))
	}
	for pattern, h := range a.Static {
		a.routing.handle(pattern, a.readOnly(h))
	}
	if !a.SearchAlone {
		a.routing.handle(filePattern, a.files)
	}
	for pattern, methods := range a.Served {
		a.routing.handle(pattern, a.byMethod(pattern, methods))
	}
}

// serves reports whether the operation is among those that this process
// serves.
func (a *API) serves(rt route) bool {
	if rt.flags&searchOnly != 0 {
		return a.Search != nil
	}
	return !a.SearchAlone || rt.accept == public
}

// files serves the bytes of assets.
func (a *API) files(r *request) {
	a.beginSpan(r, "file", filePattern)
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		a.refuseMethod(r, "GET, HEAD, OPTIONS")
		return
	}
	a.serveFile(r)
}

// byMethod serves what is no operation of the document, and is logged by its
// pattern. GET answers HEAD as well.
func (a *API) byMethod(pattern string, methods map[string]http.Handler) serve {
	item := pathItem{}
	for method := range methods {
		item[method] = mountedRoute{}
	}
	return func(r *request) {
		r.served = pattern
		a.beginSpan(r, pattern, pattern)
		method := r.Method
		if method == http.MethodHead {
			method = http.MethodGet
		}
		h := methods[method]
		if h == nil {
			a.refuseMethod(r, item.allow())
			return
		}
		if err := a.countAddress(r); err != nil {
			a.writeProblem(r, err)
			return
		}
		if method != http.MethodGet {
			r.Request = r.WithContext(context.WithoutCancel(r.Context())) // see serveRoute
			defer r.bound()()
		}
		h.ServeHTTP(r.w, r.WithContext(context.WithValue(r.Context(), callerKey{}, caller{r.address, r.trace.id})))
	}
}

// callerKey is the key of a caller in the contexts of Options.Served.
type callerKey struct{}

// caller is who sent a request to one of Options.Served.
type caller struct {
	address netip.Addr
	trace   string
}

// Address returns the network address that a request to one of
// Options.Served came from, whatever proxies stand between.
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

// StaticHandler answers requests for what is no operation. An error comes before
// anything of an answer, and is told as a Problem.
type StaticHandler func(w http.ResponseWriter, r *http.Request) error

// readOnly lets GET and HEAD through to what is no operation.
func (a *API) readOnly(h StaticHandler) serve {
	return func(r *request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			a.refuseMethod(r, "GET, HEAD, OPTIONS")
			return
		}
		if err := a.countAddress(r); err != nil {
			a.writeProblem(r, err)
			return
		}
		if err := h(r.w, r.Request); err != nil {
			a.writeProblem(r, err)
		}
	}
}

// searchPath is where the search server is below the public address.
const searchPath = "/search"

// prefix is an address below which operations are found.
type prefix struct{ path, version string }

func (a *API) prefixes(s server) []prefix {
	var list []prefix
	for _, v := range a.Versions {
		if s == onBase {
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
	return func(r *request) {
		rest := strings.SplitN(r.URL.EscapedPath(), "/", 4) // "", search, region, rest
		target := base + "/" + rest[3]
		if r.URL.RawQuery != "" {
			target += "?" + r.URL.RawQuery
		}
		a.static(r, func(*request) (*response, error) {
			return &response{status: http.StatusPermanentRedirect, header: map[string]string{
				"Location": target, "Cache-Control": "no-store", "Referrer-Policy": "no-referrer",
			}}, nil
		})
	}
}
