package pageapi

import (
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/frontmatter"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/pages"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// readInclude reads the comma-separated include parameter. An empty value includes
// nothing.
func readInclude(p *rest.Params) pages.Include {
	var in pages.Include
	p.JoinList("include")
	text, ok := p.Get("include")
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
		case "frontmatterRaw":
			in.RawFront = true
		case "imported":
			in.Imported = true
		default:
			p.Faults.Add("include", "must list authors, assets, children, frontmatterRaw or imported, separated by commas; %q is not one of them", name)
		}
	}
	return in
}

// frontText returns the original front matter if it is stored, otherwise in the form of
// exports; "" if there is none (decision 57).
func frontText(kept string, object []byte) string {
	front, err := octavo.ValueOf(object)
	if kept != "" || err != nil || len(front.Members) == 0 {
		return kept
	}
	return string(frontmatter.AppendYAML(nil, front))
}

// pageQuery reads the filters and the order of a page list.
func pageQuery(p *rest.Params) pagestore.Query {
	q := pagestore.Query{
		Status:       pageStatus(p),
		UpdatedAfter: p.Time("updatedAfter"),
		Sort:         pagestore.Sort(p.OneOf("sort", "createdAt", "-createdAt", "-updatedAt", "title")),
	}
	if q.Sort == "" {
		q.Sort = pagestore.SortCreated
	}
	if slug, ok := p.Get("slug"); ok {
		q.Slug = slug
		if msg := octavo.CheckSlug(slug); msg != "" {
			p.Faults.Add("slug", "%s", msg)
		}
	}
	q.Tag, q.Language = p.Tag(), p.Language()
	if deleted := p.Bool("deleted"); deleted != nil {
		if q.Deleted = *deleted; q.Deleted && q.Tag != "" {
			p.Faults.Add("tag", "must not be given together with deleted: deleted pages have no tags")
		}
	}
	if p.Has("filters") {
		p.Faults.Add("filters", "is a parameter of GET /search; pages are selected by status, tag, language, slug, parentId and updatedAfter")
	}
	q.Parent = parentParam(p)
	return q
}

func pageStatus(p *rest.Params) octavo.PageStatus {
	return octavo.PageStatus(p.OneOf("status", "draft", "published", "archived"))
}

// parentParam reads the parent of a list; "" is the root, nil anywhere.
func parentParam(p *rest.Params) *octavo.ID {
	parent, given := p.Get("parentId")
	if !given {
		return nil
	}
	id := octavo.ID(parent)
	if parent == "root" {
		id = ""
	} else if !octavo.ValidIdentifier(parent) {
		p.Faults.Add("parentId", "must be the identifier of a page, or root")
	}
	return &id
}

// listName identifies the list of a query, for its cursors.
func listName(q pagestore.Query) string {
	parent := "any"
	if q.Parent != nil {
		parent = "=" + string(*q.Parent)
	}
	return strings.Join([]string{
		"pages", string(q.Status), q.Slug, parent, q.Tag, strconv.FormatInt(q.UpdatedAfter.UnixNano(), 10), string(q.Sort),
		strconv.FormatBool(q.Deleted), q.Language, strconv.FormatBool(q.Unsaid),
	}, "\x01")
}

// pagePath returns the identifier of the page in the path. A malformed one is an error;
// whether the page exists is checked later.
func pagePath(r *rest.Request) (octavo.ID, error) {
	const name = "pageId"
	text := r.PathValue(name)
	if !octavo.ValidIdentifier(text) {
		return "", octavo.Invalid(name, "must be an identifier such as page_01h455vb4pex5vsknk084sn02q")
	}
	return octavo.ID(text), nil
}
