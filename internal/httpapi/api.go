// Package httpapi is the HTTP surface of Octavo: the contract's operations and
// the extensions beyond them. routes.go is its map. Package rest inside serves
// operations, whatever they are about; the other packages inside have the
// operations of one kind of resource each. What an operation means is the
// features' business.
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

// Options are what the API is built from: what every operation is served with,
// and what the operations of each resource work on.
type Options struct {
	rest.Options

	Pages     pageapi.Operations
	Assets    assetapi.Operations
	Search    searchapi.Operations // without a Service no searches are served
	Exports   exportapi.Operations
	Imports   importapi.Operations
	Events    eventapi.Operations
	Webhooks  webhookapi.Operations
	Admin     adminapi.Operations
	Settings  settingsapi.Operations
	Proposals proposalapi.Operations
	Site      siteapi.Operations // without a Service there is no site

	// SearchAlone has nothing served of the operations but searches and health.
	SearchAlone bool

	// Static holds what else is served, by path: the start page, the
	// reference, the document. Served is the same by path and method, for what
	// takes more than GET: signing in.
	Static map[string]StaticHandler
	Served map[string]map[string]http.Handler
}

// StaticHandler answers requests for what is no operation. An error comes before
// anything of an answer, and is answered as a Problem.
type StaticHandler = rest.StaticHandler

// New builds the API. The error says that the address of the site is one of its own.
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

// serves reports whether the operation is among those that this process
// serves.
func (o Options) serves(rt route) bool {
	if rt.Flags&searchOnly != 0 {
		return o.Search.Service != nil
	}
	return !o.SearchAlone || rt.Accept == public
}

// Address returns the network address that a request to one of
// Options.Served came from, whatever proxies stand between.
func Address(r *http.Request) string { return rest.Address(r) }

// Trace returns what the sender of such a request wants it recognised by: its
// X-Trace-Id or traceparent; it may be empty.
func Trace(r *http.Request) string { return rest.Trace(r) }
