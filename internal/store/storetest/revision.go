package storetest

import (
	"encoding/json"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func (e *env) revisions(aud octavo.Audience, id octavo.ID) (numbers []int64) {
	e.Helper()
	list, more, err := e.st.Pages.Revisions(e.ctx, aud, id, 0, 100)
	e.noError(err, "list revisions")
	e.equal("more revisions", more, false)
	for _, r := range list {
		numbers = append(numbers, r.Number)
	}
	return numbers
}

func revisionEach(e *env) {
	n := page("p")
	n.Frontmatter = json.RawMessage(`{"a":1}`)
	p := e.create(n)
	at := e.clock.now()
	e.clock.move(time.Minute)
	e.update(p.ID, pagestore.Change{Title: ref("Two"), Slug: ref("two"), Content: ref("two"), Frontmatter: ref([]byte(nil))})
	e.update(p.ID, pagestore.Change{Status: ref(octavo.Published)})
	first := octavo.Revision{Number: 1, Title: p.Title, Slug: "p", Frontmatter: n.Frontmatter, Author: ann, CreatedAt: at}
	second := octavo.Revision{Number: 2, Title: "Two", Slug: "two", Author: ann, CreatedAt: e.clock.now()}

	list, more, err := e.st.Pages.Revisions(e.ctx, everyone, p.ID, 0, 1)
	e.noError(err, "list revisions")
	e.equal("first revision", list, []octavo.Revision{first})
	e.equal("more", more, true)
	list, more, err = e.st.Pages.Revisions(e.ctx, everyone, p.ID, 1, 1)
	e.noError(err, "list revisions behind the first")
	e.equal("second revision", list, []octavo.Revision{second})
	e.equal("more", more, false)

	one, err := e.st.Pages.Revision(e.ctx, everyone, p.ID, 1)
	e.noError(err, "read revision 1")
	first.Content = &n.Content
	e.equal("revision 1", one, first)
	_, err = e.st.Pages.Revision(e.ctx, everyone, p.ID, 3)
	e.wantError(err, octavo.NotFound)
}

func revisionRestore(e *env) {
	n := page("p")
	n.Frontmatter = json.RawMessage(`{"tags":["a"]}`)
	n.Content = "[x](y)"
	p := e.create(n)
	e.update(p.ID, pagestore.Change{Title: ref("Two"), Slug: ref("two"), Content: ref("two"), Frontmatter: ref([]byte(nil))})
	restore := func(number int64) (q octavo.Page, err error) {
		err = e.write(func(tx *sqldb.Tx) (err error) {
			q, err = e.st.Pages.RestoreRevision(tx, p.ID, number, nil)
			return err
		})
		return q, err
	}
	q, err := restore(1)
	e.noError(err, "restore revision 1")
	want := p
	want.Version, want.Revision, want.UpdatedAt = 3, 3, p.UpdatedAt.Add(2*time.Millisecond) // the clock stands
	e.equal("page", q, want)
	e.samePage(want)
	e.wantSlug("two", p.ID, true)

	before := e.position()
	q, err = restore(1)
	e.noError(err, "restore the same again")
	e.equal("page", q, want)
	e.equal("changes", e.kinds(before, ""), nil)

	_, err = restore(9)
	e.wantError(err, octavo.NotFound)
	e.create(page("two"))
	_, err = restore(2)
	e.wantError(err, octavo.SlugTaken, "/slug")
}

func revisionPublic(e *env) {
	p := e.create(page("p"))
	set := func(c pagestore.Change) { e.update(p.ID, c) }
	set(pagestore.Change{Content: ref("2")})
	set(pagestore.Change{Status: ref(octavo.Published)})
	set(pagestore.Change{Content: ref("3")})
	set(pagestore.Change{Content: ref("4"), Status: ref(octavo.Draft)})
	_, _, err := e.st.Pages.Revisions(e.ctx, public, p.ID, 0, 10)
	e.wantError(err, octavo.NotFound)
	set(pagestore.Change{Content: ref("5"), Status: ref(octavo.Published)})

	e.equal("revisions", e.revisions(everyone, p.ID), []int64{1, 2, 3, 4, 5})
	e.equal("public revisions", e.revisions(public, p.ID), []int64{2, 3, 5})
	_, err = e.st.Pages.Revision(e.ctx, public, p.ID, 4)
	e.wantError(err, octavo.NotFound)
	_, err = e.st.Pages.Revision(e.ctx, public, p.ID, 3)
	e.noError(err, "read a public revision")
}

func revisionAuthors(e *env) {
	p, q := e.create(page("p")), e.create(published("q"))
	as := func(actor octavo.Actor, id octavo.ID, c pagestore.Change) {
		err := e.st.DB.Write(e.ctx, sqldb.Cause{Actor: actor}, func(tx *sqldb.Tx) error {
			_, err := e.st.Pages.Update(tx, id, c, nil)
			return err
		})
		e.noError(err, "update as "+actor.Name)
	}
	as(bob, p.ID, pagestore.Change{Content: ref("bob's")})
	as(ann, p.ID, pagestore.Change{Content: ref("ann's")})
	as(bob, p.ID, pagestore.Change{Content: ref("bob's public"), Status: ref(octavo.Published)})
	authors := func(aud octavo.Audience) map[octavo.ID][]octavo.Actor {
		m, err := e.st.Pages.Authors(e.ctx, aud, []octavo.ID{p.ID, q.ID})
		e.noError(err, "read authors")
		return m
	}
	e.equal("authors", authors(everyone), map[octavo.ID][]octavo.Actor{p.ID: {ann, bob}, q.ID: {ann}})
	e.equal("authors in public", authors(public), map[octavo.ID][]octavo.Actor{p.ID: {bob}, q.ID: {ann}})
}
