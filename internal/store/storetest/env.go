package storetest

import (
	"encoding/json"
	"errors"
	"path"
	"reflect"
	"regexp"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// The two audiences.
var (
	everyone = octavo.Audience{}
	public   = octavo.Audience{PublishedOnly: true}
)

// ann and bob are people who write.
var (
	ann = octavo.Actor{ID: "usr_ann", Name: "Ann"}
	bob = octavo.Actor{ID: "usr_bob", Name: "Bob"}
)

var (
	linkPattern  = regexp.MustCompile(`\[([^]]*)\]\(([^)]*)\)`)
	labelPattern = regexp.MustCompile(`\((\w+)\)=`)
	assetPattern = regexp.MustCompile(`!\[([^]]*)\]`)
)

// derive reads links of the form [label](a|b|c), whose candidates are a page's
// id, a path that ends in .md, or a slug, labels of the form (label)=, references to
// assets of the form ![target], and the tags of the front matter.
func derive(src pagestore.Source) pagestore.Derived {
	d := pagestore.Derived{Tags: octavo.Tags(src.Frontmatter), PathKey: strings.TrimSuffix(src.Path, ".md")}
	if d.PathKey != "" {
		d.NameKey = "//" + path.Base(d.PathKey)
	}
	for _, m := range labelPattern.FindAllStringSubmatch(src.Content, -1) {
		d.Labels = append(d.Labels, "///"+m[1])
	}
	for _, m := range assetPattern.FindAllStringSubmatch(src.Content, -1) {
		d.Assets = append(d.Assets, pagestore.AssetReference{Href: m[1], Targets: []string{m[1]}})
	}
	for i, m := range linkPattern.FindAllStringSubmatch(src.Content, -1) {
		d.Links = append(d.Links, octavo.Link{Href: m[2], Label: m[1]})
		for rank, to := range strings.Split(m[2], "|") {
			target := pagestore.Target{Link: i, Rank: rank}
			switch {
			case octavo.ID(to).Is(octavo.PrefixPage):
				target.Page = octavo.ID(to)
			case strings.HasSuffix(to, ".md"):
				target.Path = strings.TrimSuffix(to, ".md")
			default:
				target.Slug = to
			}
			d.Targets = append(d.Targets, target)
		}
	}
	return d
}

// page describes a page with that slug and a title and content made of it.
func page(slug string) pagestore.NewPage {
	return pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "Title of " + slug, Slug: slug, Content: "Content of " + slug}}
}

// published is page with the status published.
func published(slug string) pagestore.NewPage {
	n := page(slug)
	n.Status = octavo.Published
	return n
}

// under is page with a parent.
func under(parent octavo.ID, slug string) pagestore.NewPage {
	n := page(slug)
	n.ParentID = parent
	return n
}

// write runs fn as ann.
func (e *env) write(fn func(tx *sqldb.Tx) error) error {
	return e.st.DB.Write(e.ctx, sqldb.Cause{Actor: ann, TraceID: "trace"}, fn)
}

func (e *env) tryCreate(n pagestore.NewPage) (p octavo.Page, err error) {
	err = e.write(func(tx *sqldb.Tx) (err error) {
		p, err = e.st.Pages.Create(tx, n)
		return err
	})
	return p, err
}

func (e *env) create(n pagestore.NewPage) octavo.Page {
	e.Helper()
	p, err := e.tryCreate(n)
	e.noError(err, "create "+n.Slug)
	return p
}

func (e *env) tryUpdate(id octavo.ID, c pagestore.Change) (p octavo.Page, err error) {
	err = e.write(func(tx *sqldb.Tx) (err error) {
		p, err = e.st.Pages.Update(tx, id, c, nil)
		return err
	})
	return p, err
}

func (e *env) update(id octavo.ID, c pagestore.Change) octavo.Page {
	e.Helper()
	p, err := e.tryUpdate(id, c)
	e.noError(err, "update")
	return p
}

func (e *env) tryDelete(id octavo.ID, policy pagestore.ChildrenPolicy) error {
	return e.write(func(tx *sqldb.Tx) error { return e.st.Pages.Delete(tx, id, policy, nil) })
}

func (e *env) delete(id octavo.ID) {
	e.Helper()
	e.noError(e.tryDelete(id, pagestore.ChildrenRefuse), "delete")
}

func (e *env) tryRestore(id octavo.ID) (p octavo.Page, err error) {
	err = e.write(func(tx *sqldb.Tx) (err error) {
		p, err = e.st.Pages.Restore(tx, id)
		return err
	})
	return p, err
}

func (e *env) restore(id octavo.ID) octavo.Page {
	e.Helper()
	p, err := e.tryRestore(id)
	e.noError(err, "restore")
	return p
}

func (e *env) get(aud octavo.Audience, id octavo.ID) octavo.Page {
	e.Helper()
	p, err := e.st.Pages.Get(e.ctx, aud, id)
	e.noError(err, "read page")
	return p
}

func (e *env) noError(err error, doing string) {
	e.Helper()
	if err != nil {
		e.Fatalf("%s: %v", doing, err)
	}
}

// wantError fails the test unless err is an *octavo.Error of the type, about
// the fields at the paths.
func (e *env) wantError(err error, want octavo.ProblemType, paths ...string) {
	e.Helper()
	var have *octavo.Error
	if !errors.As(err, &have) || have.Type != want {
		e.Fatalf("have error %v, want one of type %s", err, want)
	}
	var at []string
	for _, f := range have.Fields {
		at = append(at, f.Path)
	}
	e.equal("paths of the error", at, paths)
}

// equal compares two values of what.
func (e *env) equal(what string, have, want any) {
	e.Helper()
	if reflect.DeepEqual(have, want) || isEmpty(have) && isEmpty(want) {
		return
	}
	h, _ := json.Marshal(have)
	w, _ := json.Marshal(want)
	e.Errorf("%s:\nhave %s\nwant %s", what, h, w)
}

// isEmpty reports whether v is a nil or empty list or map.
func isEmpty(v any) bool {
	r := reflect.ValueOf(v)
	return !r.IsValid() || (r.Kind() == reflect.Slice || r.Kind() == reflect.Map) && r.Len() == 0
}

// samePage compares a page as a write returned it with how it reads.
func (e *env) samePage(p octavo.Page) {
	e.Helper()
	e.equal("page "+p.Slug, e.get(everyone, p.ID), p)
}

// kinds returns the kinds of the changes behind the position that are kept,
// those of one page or, with "", of all.
func (e *env) kinds(after int64, id octavo.ID) (list []octavo.EventType) {
	e.Helper()
	for _, c := range e.changes(after) {
		if id == "" || c.Page == id {
			list = append(list, c.Kind)
		}
	}
	return list
}

func (e *env) changes(after int64) []changelog.Change {
	e.Helper()
	first, err := e.st.Log.First(e.ctx)
	e.noError(err, "read where changes begin")
	list, err := e.st.Log.Changes(e.ctx, max(after, first), 1000)
	e.noError(err, "read changes")
	return list
}

// position returns the position of the newest change.
func (e *env) position() int64 {
	e.Helper()
	list := e.changes(0)
	if len(list) == 0 {
		return 0
	}
	return list[len(list)-1].Position
}

// ref returns a pointer to v.
func ref[T any](v T) *T { return &v }
