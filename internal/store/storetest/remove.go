package storetest

import (
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// wantGone fails the test unless the page cannot be read.
func (e *env) wantGone(id octavo.ID) {
	e.Helper()
	_, err := e.st.Pages.Get(e.ctx, everyone, id)
	e.wantError(err, octavo.NotFound)
}

func deleteRestore(e *env) {
	n := published("p")
	n.Content = "[x](x)"
	p := e.create(n)
	e.clock.move(time.Hour)
	e.delete(p.ID)
	e.wantGone(p.ID)
	e.wantSlug("p", "", false)
	e.wantError(e.tryDelete(p.ID, ""), octavo.NotFound)
	_, err := e.tryUpdate(p.ID, pagestore.Change{Title: ref("x")})
	e.wantError(err, octavo.NotFound)
	_, _, err = e.st.Pages.Revisions(e.ctx, everyone, p.ID, 0, 10)
	e.wantError(err, octavo.NotFound)

	e.clock.move(time.Hour)
	want := p
	want.Version, want.UpdatedAt = 3, e.clock.now()
	e.equal("restored page", e.restore(p.ID), want)
	e.samePage(want)
	e.wantSlug("p", p.ID, false)
	_, err = e.tryRestore(p.ID)
	e.wantError(err, octavo.NotFound)

	e.delete(p.ID)
	e.clock.move(pagestore.KeepDeleted)
	_, err = e.tryRestore(p.ID)
	e.wantError(err, octavo.NotFound)
}

func deleteRefused(e *env) {
	ids := e.chain("a", 2)
	e.wantError(e.tryDelete(ids[0], pagestore.ChildrenRefuse), octavo.Conflict)
	e.delete(ids[1])
	e.delete(ids[0])
}

func deleteCascade(e *env) {
	root := e.create(page("root")).ID
	a := e.create(under(root, "a")).ID
	b := e.create(under(a, "b")).ID
	c := e.create(under(root, "c")).ID
	before := e.position()
	e.noError(e.tryDelete(root, pagestore.ChildrenCascade), "delete with children")
	var order []octavo.ID
	for _, change := range e.changes(before) {
		e.equal("kind", change.Kind, octavo.PageDeleted)
		order = append(order, change.Page)
	}
	e.equal("order of deletion", order, []octavo.ID{b, a, c, root})
	for _, id := range order {
		e.wantGone(id)
	}
}

func deleteReparent(e *env) {
	root := e.create(page("root")).ID
	p := e.create(under(root, "p")).ID
	a, b := e.create(under(p, "a")), e.create(under(p, "b"))
	before := e.position()
	e.noError(e.tryDelete(p, pagestore.ChildrenReparent), "delete and move children up")
	e.equal("kinds", e.kinds(before, ""), []octavo.EventType{octavo.PageUpdated, octavo.PageUpdated, octavo.PageDeleted})
	for _, child := range []octavo.Page{a, b} {
		child.ParentID = root
		child.Version++
		child.UpdatedAt = child.UpdatedAt.Add(time.Millisecond) // the clock stands
		e.samePage(child)
	}
	e.noError(e.tryDelete(root, pagestore.ChildrenReparent), "delete a root page")
	e.equal("parent", e.get(everyone, a.ID).ParentID, octavo.ID(""))
}

func restoreOrphan(e *env) {
	ids := e.chain("a", 2)
	e.noError(e.tryDelete(ids[0], pagestore.ChildrenCascade), "delete")
	e.equal("parent while that is deleted", e.restore(ids[1]).ParentID, octavo.ID(""))
	e.restore(ids[0])

	ids = e.chain("b", 2)
	e.delete(ids[1])
	e.equal("parent that is there", e.restore(ids[1]).ParentID, ids[0])
}

func restoreSlugs(e *env) {
	p := e.create(page("old"))
	p = e.update(p.ID, pagestore.Change{Slug: ref("new")})
	e.delete(p.ID)
	e.wantSlug("old", "", false)

	taker := e.create(page("new"))
	_, err := e.tryRestore(p.ID)
	e.wantError(err, octavo.SlugTaken, "/slug")
	e.wantGone(p.ID)

	e.update(taker.ID, pagestore.Change{Slug: ref("other")})
	e.wantSlug("new", taker.ID, true)
	e.restore(p.ID)
	e.wantSlug("new", p.ID, false)
	e.wantSlug("old", p.ID, true)

	// Former slugs that somebody took stay with them.
	e.delete(p.ID)
	e.update(taker.ID, pagestore.Change{Slug: ref("old")})
	e.restore(p.ID)
	e.wantSlug("old", taker.ID, false)
}

func deletePurge(e *env) {
	keep, p := e.create(page("keep")), e.create(published("p"))
	child := e.create(under(p.ID, "child"))
	e.noError(e.tryDelete(p.ID, pagestore.ChildrenCascade), "delete")
	e.clock.move(pagestore.KeepDeleted - time.Millisecond)
	sweep := func(want int) {
		n, err := e.st.Sweep(e.ctx, bob)
		e.noError(err, "sweep")
		e.equal("purged pages", n, want)
	}
	sweep(0)
	before := e.position()
	e.clock.move(time.Millisecond)
	sweep(2)
	sweep(0)
	_, err := e.tryRestore(p.ID)
	e.wantError(err, octavo.NotFound)
	for _, id := range []octavo.ID{p.ID, child.ID} {
		e.equal("changes of the page", e.kinds(0, id), []octavo.EventType{octavo.PagePurged})
	}
	e.equal("changes that a follower sees", e.kinds(before, ""), []octavo.EventType{octavo.PagePurged, octavo.PagePurged})
	e.samePage(keep)
	e.create(page("p"))
}
