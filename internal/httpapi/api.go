// Package httpapi is the HTTP interface of Octavo: the contract's operations and
// extensions. routes.go is its map. Package rest below it runs operations of any kind,
// and the other packages have the operations of one kind of resource each. The features
// define what operations mean.
package httpapi

import (
	"net/http"

	"github.com/octavo-docs/octavo/internal/httpapi/adminapi"
	"github.com/octavo-docs/octavo/internal/httpapi/assetapi"
	"github.com/octavo-docs/octavo/internal/httpapi/eventapi"
	"github.com/octavo-docs/octavo/internal/httpapi/exportapi"
	"github.com/octavo-docs/octavo/internal/httpapi/importapi"
	"github.com/octavo-docs/octavo/internal/httpapi/pageapi"
	"github.com/octavo-docs/octavo/internal/httpapi/proposalapi"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/httpapi/searchapi"
	"github.com/octavo-docs/octavo/internal/httpapi/settingsapi"
	"github.com/octavo-docs/octavo/internal/httpapi/siteapi"
	"github.com/octavo-docs/octavo/internal/httpapi/webhookapi"
)

// Options configure the API: what every operation needs, and what the operations of
// each resource use.
type Options struct {
	rest.Options

	Pages     pageapi.Operations
	Assets    assetapi.Operations
	Search    searchapi.Operations // without a Service, searches are not served
	Exports   exportapi.Operations
	Imports   importapi.Operations
	Events    eventapi.Operations
	Webhooks  webhookapi.Operations
	Admin     adminapi.Operations
	Settings  settingsapi.Operations
	Proposals proposalapi.Operations
	Site      siteapi.Operations // without a Service, there is no site

	// SearchAlone serves only the operations for searches and health.
	SearchAlone bool

	// Static has other handlers by path: the start page, the reference, the document.
	// Served has handlers by path and method for what needs more than GET: signing in.
	Static map[string]StaticHandler
	Served map[string]map[string]http.Handler
}

// StaticHandler handles requests outside of the operations. An error must come before
// any output, and becomes a Problem.
type StaticHandler = rest.StaticHandler

// New builds the API. It fails if the address of the site is one of the API's own.
func New(o Options) (http.Handler, error) {
	a := rest.New(o.Options)
	a.Form = o.Assets.Upload
	var served []rest.Route
	for _, rt := range routes(o) {
		if o.serves(rt) {
			served = append(served, rest.Route(rt))
		}
	}
	a.Mount(served)
	if !o.SearchAlone {
		a.MountFiles(assetapi.FilePattern, "file", o.Assets.File)
	}
	if o.Site.Service != nil {
		o.Site.Mount(a)
		if start := o.Static["/"]; start != nil {
			o.Static["/"] = o.Site.Start(start)
		}
	}
	for path, h := range o.Static {
		a.MountStatic(path, h)
	}
	for pattern, methods := range o.Served {
		a.MountMethods(pattern, methods)
	}
	if o.Site.Service == nil {
		return a, nil
	}
	return o.Site.Around(a)
}

// serves reports whether this process serves the operation.
func (o Options) serves(rt route) bool {
	if rt.Flags&searchOnly != 0 {
		return o.Search.Service != nil
	}
	return !o.SearchAlone || rt.Accept == public
}

// Address returns the network address of a request to one of Options.Served, behind
// proxies too.
func Address(r *http.Request) string { return rest.Address(r) }

// Trace returns the trace identifier of such a request: its X-Trace-Id or traceparent,
// or "".
func Trace(r *http.Request) string { return rest.Trace(r) }
