package storetest

import (
	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// visibility holds every read to decision 38: to a published-only audience
// nothing exists but published pages, and nothing of any other shows.
func visibility(e *env) {
	hidden := e.create(page("hidden"))
	n := published("shown")
	n.ParentID = hidden.ID
	shown := e.create(n)
	n = published("below")
	n.ParentID = shown.ID
	below := e.create(n)
	e.create(under(shown.ID, "draft"))
	archived := e.create(page("archived"))
	e.update(archived.ID, pagestore.Change{Status: ref(octavo.Archived)})
	e.update(below.ID, pagestore.Change{Slug: ref("below-now")})
	e.update(hidden.ID, pagestore.Change{Slug: ref("hidden-now")})

	for _, id := range []octavo.ID{hidden.ID, archived.ID} {
		_, err := e.st.Pages.Get(e.ctx, public, id)
		e.wantError(err, octavo.NotFound)
		_, _, err = e.st.Pages.Revisions(e.ctx, public, id, 0, 10)
		e.wantError(err, octavo.NotFound)
		_, err = e.st.Pages.Revision(e.ctx, public, id, 1)
		e.wantError(err, octavo.NotFound)
		_, _, _, err = e.st.Pages.Backlinks(e.ctx, public, id, sqldb.Cursor{}, 10)
		e.wantError(err, octavo.NotFound)
	}
	secret := e.create(page("secret-name"))
	e.update(secret.ID, pagestore.Change{Slug: ref("open-name")})
	e.update(secret.ID, pagestore.Change{Status: ref(octavo.Published)})
	for _, slug := range []string{"hidden", "hidden-now", "archived", "secret-name"} {
		_, _, err := e.st.Pages.BySlug(e.ctx, public, slug)
		e.wantError(err, octavo.NotFound)
	}
	e.update(secret.ID, pagestore.Change{Status: ref(octavo.Draft)})
	p, former, err := e.st.Pages.BySlug(e.ctx, public, "below")
	e.noError(err, "read by a former slug")
	e.equal("page", p.ID, below.ID)
	e.equal("former", former, true)

	e.equal("parent that is hidden", e.get(public, shown.ID).ParentID, octavo.ID(""))
	e.equal("parent that is shown", e.get(public, below.ID).ParentID, shown.ID)

	list := func(q pagestore.Query) (slugs []string) {
		q.Limit = 100
		pages, _, err := e.st.Pages.List(e.ctx, public, q)
		e.noError(err, "list")
		for _, p := range pages {
			slugs = append(slugs, p.Slug)
		}
		return slugs
	}
	e.equal("all", list(pagestore.Query{}), []string{"shown", "below-now"})
	e.equal("drafts", list(pagestore.Query{Status: octavo.Draft}), nil)
	e.equal("root pages", list(pagestore.Query{Parent: ref(octavo.ID(""))}), []string{"shown"})
	e.equal("under a hidden page", list(pagestore.Query{Parent: &hidden.ID}), nil)
	e.equal("under a shown page", list(pagestore.Query{Parent: &shown.ID}), []string{"below-now"})
	e.equal("at a hidden slug", list(pagestore.Query{Slug: "hidden-now"}), nil)

	children, err := e.st.Pages.Children(e.ctx, public, []octavo.ID{hidden.ID, shown.ID})
	e.noError(err, "read children")
	e.equal("children", children, map[octavo.ID][]octavo.PageSummary{
		shown.ID: {{ID: below.ID, Title: below.Title, Slug: "below-now", Status: octavo.Published}},
	})
	authors, err := e.st.Pages.Authors(e.ctx, public, []octavo.ID{hidden.ID, archived.ID})
	e.noError(err, "read authors")
	e.equal("authors of hidden pages", authors, nil)
}
