package storetest

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Lists compares every combination of audience, filters and order with what
// a look at each page by itself finds. prepare is called with the new store.
func Lists(t *testing.T, open Opener, prepare func(*store.Store)) {
	e := newEnv(t, open)
	prepare(e.st)
	listAll(e)
	e.sound()
}

func listAll(e *env) {
	ids, since := manyPages(e)
	root := octavo.ID("")
	for _, aud := range []octavo.Audience{everyone, public} {
		var pages []octavo.Page
		for _, id := range ids {
			if p, err := e.st.Pages.Get(e.ctx, aud, id); err == nil {
				pages = append(pages, p)
			}
		}
		for _, sort := range []pagestore.Sort{pagestore.SortCreated, pagestore.SortCreatedDesc, pagestore.SortUpdatedDesc, pagestore.SortTitle} {
			for _, after := range []time.Time{{}, since} {
				for _, tag := range []string{"", "even"} {
					for _, slug := range []string{"p4", "p5", "p9", "none"} {
						e.sameList(aud, pagestore.Query{Slug: slug, Tag: tag, UpdatedAfter: after, Sort: sort}, pages)
					}
					for _, status := range []octavo.PageStatus{"", octavo.Draft, octavo.Published, octavo.Archived} {
						for _, parent := range []*octavo.ID{nil, &root, &ids[0], &ids[1], &ids[2]} {
							q := pagestore.Query{Status: status, Parent: parent, Tag: tag, UpdatedAfter: after, Sort: sort}
							e.sameList(aud, q, pages)
							q.Language = "pt"
							e.sameList(aud, q, pages)
							q.Unsaid = true
							e.sameList(aud, q, pages)
						}
					}
				}
			}
		}
	}
}

// manyPages makes pages that differ in all that lists look at, and changes
// them in every way. The first is published, the second a draft, the third
// a draft again; all have children.
func manyPages(e *env) (ids []octavo.ID, since time.Time) {
	for i := range 36 {
		e.clock.move(time.Second)
		n := page(fmt.Sprint("p", i))
		n.Title = fmt.Sprint("Title ", i*7%5)
		if i > 2 && i%4 > 0 {
			n.ParentID = ids[i%4-1]
		}
		if i%2 == 0 {
			n.Frontmatter = json.RawMessage(`{"tags":["even"]}`)
		}
		switch i % 5 {
		case 1:
			n.Language = "pt-BR"
		case 2:
			n.Frontmatter = json.RawMessage(`{"tags":["even"],"lang":"PT"}`)
		}
		if i%3 != 1 {
			n.Status = octavo.Published
		}
		ids = append(ids, e.create(n).ID)
	}
	since = e.clock.now().Add(-12 * time.Second)
	for i, c := range map[int]pagestore.Change{
		2:  {Status: ref(octavo.Draft)},
		4:  {Title: ref("Title 0")},
		5:  {Slug: ref("p5-now")},
		6:  {ParentID: &ids[1]},
		7:  {Frontmatter: ref([]byte(`{"tags":["even","odd"]}`))},
		8:  {Frontmatter: ref([]byte(nil)), Title: ref("Title 1")},
		10: {Status: ref(octavo.Archived), Position: &octavo.OptInt{Value: ref(int64(1))}},
		12: {Status: ref(octavo.Archived)},
		14: {ParentID: ref(octavo.ID(""))},
		16: {Status: ref(octavo.Published), Content: ref("changed")},
	} {
		e.update(ids[i], c)
	}
	for _, i := range []int{9, 18, 20} {
		e.delete(ids[i])
	}
	e.clock.move(time.Second)
	e.restore(ids[18])
	return ids, since
}

// sameList compares a list, read in slices, with what a filter keeps of pages.
func (e *env) sameList(aud octavo.Audience, q pagestore.Query, pages []octavo.Page) {
	e.Helper()
	want := slices.DeleteFunc(slices.Clone(pages), func(p octavo.Page) bool { return !selects(q, p) })
	slices.SortFunc(want, func(a, b octavo.Page) int {
		switch q.Sort {
		case pagestore.SortCreatedDesc:
			return cmp.Compare(b.ID, a.ID)
		case pagestore.SortUpdatedDesc:
			return cmp.Or(b.UpdatedAt.Compare(a.UpdatedAt), cmp.Compare(b.ID, a.ID))
		case pagestore.SortTitle:
			return cmp.Or(cmp.Compare(a.Title, b.Title), cmp.Compare(a.ID, b.ID))
		}
		return cmp.Compare(a.ID, b.ID)
	})
	q.Limit = 5
	var have []octavo.Page
	for next := true; next; {
		slice, more, err := e.st.Pages.List(e.ctx, aud, q)
		e.noError(err, "list")
		refs, marks, moreRefs, err := e.st.Pages.ListRefs(e.ctx, aud, q)
		e.noError(err, "list references")
		of, places := []pagestore.Ref{}, []sqldb.Cursor{}
		for _, p := range slice {
			of = append(of, pagestore.RefOf(p))
			places = append(places, pagestore.CursorOf(p, q.Sort))
			q.After = ref(pagestore.CursorOf(p, q.Sort))
		}
		e.equal("references", append([]pagestore.Ref{}, refs...), of)
		e.equal("places", append([]sqldb.Cursor{}, marks...), places)
		e.equal("more references", moreRefs, more)
		have, next = append(have, slice...), more
	}
	q.After = nil
	e.equal(fmt.Sprintf("list for %+v of %+v", aud, q), have, want)
	if e.Failed() {
		e.FailNow() // one is enough
	}
}

// selects reports whether a page that the audience sees is one that is asked for.
func selects(q pagestore.Query, p octavo.Page) bool {
	return (q.Status == "" || p.Status == q.Status) &&
		(q.Slug == "" || p.Slug == q.Slug) &&
		(q.Parent == nil || p.ParentID == *q.Parent) &&
		(q.Tag == "" || slices.Contains(octavo.Tags(p.Frontmatter), q.Tag)) &&
		(q.Language == "" || octavo.InLanguage(p.Language, q.Language) || q.Unsaid && p.Language == "") &&
		(q.UpdatedAfter.IsZero() || p.UpdatedAt.After(q.UpdatedAfter))
}
