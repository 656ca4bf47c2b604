package rest

import (
	"net/http"
	"net/url"
	"strings"
)

// serve handles a request.
type serve func(*Request)

// router finds the handler of a path, segment by segment. A literal segment has
// precedence over a parameter, as OpenAPI requires ("Path Templating Matching").
// http.ServeMux cannot do that for /pages/by-slug/{slug} and /pages/{pageId}/restore.
// Paths are used unchanged: nothing is cleaned and no slash is added.
type router struct {
	literals map[string]*router
	param    *router
	name     string // of the parameter
	rest     serve  // for everything below
	here     serve
}

// handle registers s for a pattern such as /pages/{pageId}; one that ends in "/*"
// matches everything below.
func (n *router) handle(pattern string, s serve) {
	for _, segment := range strings.Split(pattern, "/")[1:] {
		if segment == "*" {
			n.rest = s
			return
		}
		n = n.child(segment)
	}
	n.here = s
}

func (n *router) child(segment string) *router {
	if strings.HasPrefix(segment, "{") {
		if n.param == nil {
			n.param = &router{name: strings.Trim(segment, "{}")}
		}
		return n.param
	}
	if n.literals == nil {
		n.literals = map[string]*router{}
	}
	if n.literals[segment] == nil {
		n.literals[segment] = &router{}
	}
	return n.literals[segment]
}

// find returns the handler of the request's path, or nil, and sets the path values of
// the request.
func (n *router) find(r *http.Request) serve {
	var rest serve
	path := r.URL.EscapedPath()
	if path == "" || path[0] != '/' {
		return nil
	}
	for path != "" {
		var segment string
		segment, path = cutSegment(path)
		if n.rest != nil {
			rest = n.rest
		}
		text, err := url.PathUnescape(segment)
		if err != nil {
			return nil
		}
		switch next := n.literals[text]; {
		case next != nil:
			n = next
		case n.param != nil && text != "":
			n = n.param
			r.SetPathValue(n.name, text)
		default:
			return rest
		}
	}
	if n.here == nil {
		return rest
	}
	return n.here
}

// Serves reports whether a registered path has the same first segment.
func (a *API) Serves(path string) bool {
	segment, _ := cutSegment(path)
	return a.routing.literals[segment] != nil
}

// cutSegment splits the first segment off a path that begins with a slash.
func cutSegment(path string) (segment, rest string) {
	segment = path[1:]
	if i := strings.IndexByte(segment, '/'); i >= 0 {
		return segment[:i], segment[i:]
	}
	return segment, ""
}
