package httpapi

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store"
)

const (
	defaultLimit = 20
	maxLimit     = 100
)

// params reads query parameters and notes every fault. Parameters that nothing
// asks for are ignored; one that is asked for may be given once (decision 48).
type params struct {
	values url.Values
	faults octavo.Faults
}

func readParams(r *request) *params {
	p := &params{}
	if r.URL.RawQuery == "" {
		return p
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		p.faults.Add("query", "is not well formed: percent-encode special characters and separate parameters by &")
	}
	p.values = values
	return p
}

// get returns the one value of a parameter.
func (p *params) get(name string) (string, bool) {
	values := p.values[name]
	switch {
	case len(values) == 0:
		return "", false
	case len(values) > 1:
		p.faults.Add(name, "must be given once; it was given %d times", len(values))
		return "", false
	case !utf8.ValidString(values[0]):
		p.faults.Add(name, "must be UTF-8")
		return "", false
	}
	return values[0], true
}

// oneOf returns the value of a parameter that has a fixed set of them.
func (p *params) oneOf(name string, allowed ...string) string {
	v, ok := p.get(name)
	if ok && !slices.Contains(allowed, v) {
		p.faults.Add(name, "must be one of %s", strings.Join(allowed, ", "))
		return ""
	}
	return v
}

func (p *params) limit() int {
	text, ok := p.get("limit")
	if !ok {
		return defaultLimit
	}
	n, err := strconv.Atoi(text)
	if err != nil || strings.HasPrefix(text, "+") || n < 1 || n > maxLimit {
		p.faults.Add("limit", "must be a whole number from 1 to %d", maxLimit)
		return defaultLimit
	}
	return n
}

func (p *params) time(name string) time.Time {
	text, ok := p.get(name)
	if !ok {
		return time.Time{}
	}
	t, err := octavo.ParseTime(text)
	if err != nil {
		p.faults.Add(name, "must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z (encode a + as %%2B)")
	}
	return t
}

// include reads the comma-separated include parameter. An empty value includes
// nothing.
func (p *params) include() pages.Include {
	var in pages.Include
	text, ok := p.get("include")
	if !ok || text == "" {
		return in
	}
	for _, name := range strings.Split(text, ",") {
		switch name {
		case "authors":
			in.Authors = true
		case "assets":
			in.Assets = true
		case "children":
			in.Children = true
		default:
			p.faults.Add("include", "must list authors, assets or children, separated by commas; %q is none of them", name)
		}
	}
	return in
}

// pageQuery reads the filters and the order of a page list.
func (p *params) pageQuery() store.PageQuery {
	q := store.PageQuery{
		Status:       octavo.PageStatus(p.oneOf("status", "draft", "published", "archived")),
		UpdatedAfter: p.time("updatedAfter"),
		Sort:         store.Sort(p.oneOf("sort", "createdAt", "-createdAt", "-updatedAt", "title")),
		Limit:        p.limit(),
	}
	if q.Sort == "" {
		q.Sort = store.SortCreated
	}
	if slug, ok := p.get("slug"); ok {
		q.Slug = slug
		if msg := octavo.CheckSlug(slug); msg != "" {
			p.faults.Add("slug", "%s", msg)
		}
	}
	if tag, ok := p.get("tag"); ok {
		q.Tag = tag
		if tag == "" || strings.ContainsRune(tag, 0) {
			p.faults.Add("tag", "must not be empty nor contain the NUL character")
		}
	}
	if parent, ok := p.get("parentId"); ok {
		id := octavo.ID(parent)
		if parent == "root" {
			id = ""
		} else if !octavo.ValidIdentifier(parent) {
			p.faults.Add("parentId", "must be the identifier of a page, or root")
		}
		q.Parent = &id
	}
	return q
}

// listName names the list that a query selects, for its cursors.
func listName(q store.PageQuery) string {
	parent := "any"
	if q.Parent != nil {
		parent = "=" + string(*q.Parent)
	}
	return strings.Join([]string{
		"pages", string(q.Status), q.Slug, parent, q.Tag, strconv.FormatInt(q.UpdatedAfter.UnixNano(), 10), string(q.Sort),
	}, "\x01")
}

// cursor reads the cursor of a list; nil begins at the start.
func (p *params) cursor(codec cursorCodec, list string) *store.Mark {
	text, ok := p.get("cursor")
	if !ok {
		return nil
	}
	m, err := codec.decode(list, text)
	if err != nil {
		p.faults.Merge(err)
		return nil
	}
	return &m
}

// pagePath returns the identifier of the page in the path. One that is not well
// formed is a fault; whether it exists is for the store to say.
func pagePath(r *request) (octavo.ID, error) {
	const name = "pageId"
	text := r.PathValue(name)
	if !octavo.ValidIdentifier(text) {
		return "", octavo.Invalid(name, "must be an identifier such as page_01h455vb4pex5vsknk084sn02q")
	}
	return octavo.ID(text), nil
}
