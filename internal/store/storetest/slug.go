package storetest

import (
	"crypto/rand"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// randomSlug returns a slug that nobody has.
func randomSlug() string { return strings.ToLower(rand.Text()) }

// wantSlug fails the test unless the slug leads to the page, "" being none.
func (e *env) wantSlug(slug string, id octavo.ID, former bool) {
	e.Helper()
	p, isFormer, err := e.st.Pages.BySlug(e.ctx, everyone, slug)
	if id == "" {
		e.wantError(err, octavo.NotFound)
		return
	}
	e.noError(err, "read by slug "+slug)
	e.equal("page at "+slug, p.ID, id)
	e.equal(slug+" is a former slug", isFormer, former)
}

func slugTaken(e *env) {
	p, q := e.create(page("p")), e.create(page("q"))
	before := e.position()
	_, err := e.tryCreate(page("p"))
	e.wantError(err, octavo.SlugTaken, "/slug")
	_, err = e.tryUpdate(q.ID, pagestore.Change{Slug: ref("p")})
	e.wantError(err, octavo.SlugTaken, "/slug")
	e.samePage(p)
	e.samePage(q)
	e.equal("changes", e.kinds(before, ""), nil)
	e.wantSlug("not a slug\x00", "", false)
}

func slugFormer(e *env) {
	p := e.create(page("a"))
	e.update(p.ID, pagestore.Change{Slug: ref("b")})
	p = e.update(p.ID, pagestore.Change{Slug: ref("c")})
	e.wantSlug("a", p.ID, true)
	e.wantSlug("b", p.ID, true)
	e.wantSlug("c", p.ID, false)
	e.update(p.ID, pagestore.Change{Slug: ref("a")})
	e.wantSlug("a", p.ID, false)
	e.wantSlug("c", p.ID, true)
}

func slugTakenOver(e *env) {
	p := e.create(page("a"))
	e.update(p.ID, pagestore.Change{Slug: ref("b")})
	q := e.create(page("a"))
	e.wantSlug("a", q.ID, false)
	_, err := e.tryUpdate(p.ID, pagestore.Change{Slug: ref("a")})
	e.wantError(err, octavo.SlugTaken, "/slug")
	e.update(q.ID, pagestore.Change{Slug: ref("c")})
	e.wantSlug("a", q.ID, true)
}

func slugAdded(e *env) {
	n := page("a")
	n.FormerSlugs = []string{"a", "old", "older"}
	p := e.create(n)
	e.wantSlug("a", p.ID, false)
	e.wantSlug("old", p.ID, true)
	before, err := e.st.Log.Last(e.ctx)
	e.noError(err, "ask where the log ends")
	p2 := e.update(p.ID, pagestore.Change{FormerSlugs: []string{"old", "oldest"}})
	e.equal("version with another former slug", p2.Version, p.Version+1)
	e.wantSlug("oldest", p.ID, true)
	e.equal("page with the same ones", e.update(p.ID, pagestore.Change{FormerSlugs: []string{"old", "oldest"}}), p2)
	e.equal("events", e.kinds(before, p.ID), []octavo.EventType{octavo.PageUpdated})
	title := "Other"
	p3 := e.update(p.ID, pagestore.Change{Title: &title, FormerSlugs: []string{"eldest"}})
	e.equal("version with another title too", p3.Version, p2.Version+1)

	q := page("b")
	q.FormerSlugs = []string{"old", "a"}
	_, err = e.tryCreate(q)
	e.wantError(err, octavo.SlugTaken, "/formerSlugs/1")
	e.wantSlug("old", p.ID, true)
	q.FormerSlugs = []string{"old"}
	e.wantSlug("old", e.create(q).ID, true)
}

func slugRace(e *env) {
	var wins, losses atomic.Int32
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			_, err := e.tryCreate(page("wanted"))
			switch {
			case err == nil:
				wins.Add(1)
			case octavo.IsType(err, octavo.SlugTaken):
				losses.Add(1)
			}
		})
	}
	wg.Wait()
	e.equal("pages that got the slug", wins.Load(), int32(1))
	e.equal("pages that did not", losses.Load(), int32(15))
}
