// Package reader shows the published pages of a store as a live site for
// people, in the look of exported sites. It sees exactly what a
// published-only credential sees: in pages, lists, counts and entity tags.
//
//	site, err := service.Now(ctx, members)
//	file, err := site.Page(ctx, "getting-started")
//
// A [Site] has the pages at one moment. The outline of all pages is in
// memory, and rendered pages are in a bounded cache. siteapi decides who may
// read, and serves HTTP. Start with [Service.Now], then page.go.
package reader

import (
	"cmp"
	"context"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/deflate"
	"github.com/octavo-docs/octavo/internal/outline"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store"
)

// Path is the default path of the site below the public address.
const Path = "/docs"

// audience is the audience of all readers.
func audience() octavo.Audience { return octavo.Audience{PublishedOnly: true} }

// Options configure the site. All are required.
type Options struct {
	Store     *store.Store
	Outline   *outline.Service
	Pages     *pages.Service // renders
	Search    *live.Service
	PublicURL string // without trailing slash
	SiteURL   string // address of the site, without trailing slash; "" means Path below PublicURL
	Cache     int64  // size of the cache of rendered pages in bytes

	// FileURL returns the public address of an asset. Term identifies the
	// period in which such addresses stay the same.
	FileURL func(octavo.Asset) string
	Term    func() string
}

// Service makes the site. It is safe for concurrent use.
type Service struct {
	Options
	origin   string // of the address of the site
	base     string // path of that address; "" at the root of a host
	own      string // path of everything of the site that is not a page
	server   string // prefix of the addresses of the server's other pages
	location Location
	looks    store.Looks[struct{}, *tree]
	listing  chan struct{} // full while a list of all pages is made
	writing  chan struct{} // one for each text of all pages that is being sent in pieces
	large    atomic.Value  // the moment for which pieces are known to be needed
	current  atomic.Pointer[tree]
	kept     *keeper
	pack     deflate.Compressor
	statics  statics
}

// maxWriting limits concurrent readers of the text of all pages in pieces.
const maxWriting = 4

// New returns a site with empty caches.
func New(o Options) (*Service, error) {
	public, err := url.Parse(o.PublicURL)
	if err != nil {
		return nil, err
	}
	site, err := url.Parse(cmp.Or(o.SiteURL, o.PublicURL+Path))
	if err != nil {
		return nil, err
	}
	server, place := public.Path, Location{Path: strings.TrimPrefix(site.Path, public.Path)}
	if site.Host = plainHost(site.Scheme, site.Host); site.Host != plainHost(public.Scheme, public.Host) {
		server, place = o.PublicURL, Location{Host: site.Host}
	}
	s := &Service{
		Options: o, origin: site.Scheme + "://" + site.Host, base: site.Path, own: site.Path + "/-", server: server, location: place, listing: make(chan struct{}, 1), writing: make(chan struct{}, maxWriting), kept: newKeeper(o.Cache),
	}
	s.looks.Start(s.refresh, o.Store.DB.Life().Go, 1, lookTime)
	return s, nil
}

// Site is the site at one moment.
type Site struct {
	*Service
	*tree
	members bool // files need the same access as pages
}

// Now returns the present site, for members or for everybody.
func (s *Service) Now(ctx context.Context, members bool) (*Site, error) {
	o, err := s.tree(ctx)
	if err != nil {
		return nil, err
	}
	return &Site{s, o, members}, nil
}

// At returns the path of something below the address of the site; "" is the
// home page. Browsers never read it as another host.
func (s *Service) At(path string) string {
	if s.base == "" {
		return "/" + strings.TrimLeft(path, "/")
	}
	return s.base + path
}

// Origin returns scheme, host and port of the site.
func (s *Service) Origin() string { return s.origin }

// Absolute returns the absolute address for At.
func (s *Service) Absolute(path string) string { return s.public(s.At(path)) }

// Start is the address of the site for links to it.
func (s *Service) Start() string {
	if s.location.Host != "" {
		return s.Absolute("")
	}
	return s.At("")
}

// plainHost is a host as browsers send it: in lower case, without the
// default port of its scheme.
func plainHost(scheme, host string) string {
	host = strings.TrimSuffix(strings.ToLower(host), map[string]string{"http": ":80", "https": ":443"}[scheme])
	if name, port, found := strings.Cut(host, ".:"); found { // a dot at the end of a name is the root's
		return name + ":" + port
	}
	return strings.TrimSuffix(host, ".")
}

// Is reports whether a Host header names the host of the site.
func (s *Service) Is(host string) bool {
	scheme, _, _ := strings.Cut(s.origin, ":")
	return plainHost(scheme, host) == s.location.Host
}

// Location is the address of the site.
type Location struct {
	Host string // "" for that of the public address
	Path string // below the public address, or "" at the root of Host
}

// Location returns the address of the site.
func (s *Service) Location() Location { return s.location }

// Server returns the address of another page of the server, for links on the site.
func (s *Service) Server(path string) string { return s.server + path }

// Apart reports whether the site has its own host.
func (s *Service) Apart() bool { return s.location.Host != "" }

// fileAddress is the address of an asset on the site.
func (s *Service) fileAddress(a octavo.Asset) string {
	return s.own + "/files/" + string(a.ID) + "/" + url.PathEscape(a.Name)
}

// public returns the absolute address for one that begins with a slash.
func (s *Service) public(address string) string { return s.origin + address }

// enter waits for free capacity in a channel.
func enter(ctx context.Context, c chan struct{}) (leave func(), err error) {
	select {
	case c <- struct{}{}:
		return func() { <-c }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}
