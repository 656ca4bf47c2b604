// Package portal has the server's own pages for browsers: the start page, the API
// reference and an explanation of every problem type, with their style sheet and scripts.
// It does not show documentation pages, and serves neither the OpenAPI document nor the
// API, to which it only links.
//
// Nothing in it depends on the request, so [New] renders everything once and a [Portal]
// is a table from path to bytes. No page loads anything from another server.
package portal

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
)

// Options describe the server to the pages.
type Options struct {
	BaseURL  string   // the public address, without version or trailing slash
	Versions []string // the API versions served; examples use the first
	Product  string   // the version of Octavo
	Studio   string   // address of Studio; "" means none
}

// Portal has the rendered pages. It is safe for concurrent use.
type Portal struct {
	files map[string]file
	style string
}

// New renders the pages. It fails without an API version, or if a template does not match
// its data.
func New(o Options) (*Portal, error) {
	if len(o.Versions) == 0 {
		return nil, errors.New("portal: no API version is served")
	}
	p, err := newPacker()
	if err != nil {
		return nil, fmt.Errorf("portal: %w", err)
	}
	files, version, err := p.staticFiles()
	if err != nil {
		return nil, fmt.Errorf("portal: read embedded files: %w", err)
	}
	pages, err := p.render(o, version)
	if err != nil {
		return nil, fmt.Errorf("portal: render pages: %w", err)
	}
	maps.Copy(files, pages)
	return &Portal{files: files, style: stylePath + "?v=" + version}, nil
}

// Style returns the path of the style sheet, for pages of other packages.
func (p *Portal) Style() string { return p.style }

// Handlers returns the handlers by exact path. They answer GET and HEAD; the caller
// refuses other methods and paths.
func (p *Portal) Handlers() map[string]http.Handler {
	handlers := make(map[string]http.Handler, len(p.files))
	for path, f := range p.files {
		handlers[path] = f
	}
	return handlers
}
