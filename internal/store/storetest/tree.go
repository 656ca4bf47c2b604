package storetest

import (
	"errors"
	"fmt"
	"sync"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

func (e *env) tryMove(id, parent octavo.ID) error {
	_, err := e.tryUpdate(id, pagestore.Change{ParentID: &parent})
	return err
}

// chain creates n pages, each under the one before, and returns their ids.
func (e *env) chain(name string, n int) []octavo.ID {
	e.Helper()
	ids := []octavo.ID{""}
	for i := range n {
		ids = append(ids, e.create(under(ids[i], fmt.Sprintf("%s-%d", name, i))).ID)
	}
	return ids[1:]
}

func treeParent(e *env) {
	p, gone := e.create(page("p")), e.create(page("gone"))
	e.delete(gone.ID)
	for _, parent := range []octavo.ID{"page_unknown", gone.ID, "x_\x00"} {
		_, err := e.tryCreate(under(parent, "child"))
		e.wantError(err, octavo.InvalidRequest, "/parentId")
		e.wantError(e.tryMove(p.ID, parent), octavo.InvalidRequest, "/parentId")
	}
	e.samePage(p)
	e.wantSlug("child", "", false)
}

func treeCycle(e *env) {
	ids := e.chain("a", 3)
	for _, parent := range ids {
		e.wantError(e.tryMove(ids[0], parent), octavo.Conflict, "/parentId")
	}
	e.noError(e.tryMove(ids[2], ids[0]), "move up")
}

func treeDepth(e *env) {
	deep := e.chain("deep", octavo.MaxDepth)
	_, err := e.tryCreate(under(deep[octavo.MaxDepth-1], "deeper"))
	e.wantError(err, octavo.InvalidRequest, "/parentId")

	branch := e.chain("branch", 3)
	e.wantError(e.tryMove(branch[0], deep[octavo.MaxDepth-3]), octavo.InvalidRequest, "/parentId")
	e.noError(e.tryMove(branch[0], deep[octavo.MaxDepth-4]), "move a branch that just fits")
}

func treeChildren(e *env) {
	p, empty := e.create(page("p")), e.create(page("empty"))
	at := func(slug string, position int64) octavo.PageSummary {
		n := under(p.ID, slug)
		if position >= 0 {
			n.Position = &position
		}
		c := e.create(n)
		return octavo.PageSummary{ID: c.ID, Title: c.Title, Slug: c.Slug, Status: c.Status}
	}
	none, two, one, alsoOne := at("none", -1), at("two", 2), at("one", 1), at("also-one", 1)
	children, err := e.st.Pages.Children(e.ctx, everyone, []octavo.ID{p.ID, empty.ID, "page_unknown"})
	e.noError(err, "read children")
	e.equal("children", children, map[octavo.ID][]octavo.PageSummary{p.ID: {one, alsoOne, two, none}})
	children, err = e.st.Pages.Children(e.ctx, everyone, nil)
	e.noError(err, "read children of no page")
	e.equal("children of no page", children, nil)
}

// treeRace moves pages under each other at once, which would make a cycle if
// both moves were checked before either was made.
func treeRace(e *env) {
	for round := range 10 {
		a := e.create(page(fmt.Sprintf("a-%d", round))).ID
		b := e.create(page(fmt.Sprintf("b-%d", round))).ID
		var wg sync.WaitGroup
		errs := make([]error, 2)
		wg.Go(func() { errs[0] = e.tryMove(a, b) })
		wg.Go(func() { errs[1] = e.tryMove(b, a) })
		wg.Wait()
		err := errors.Join(errs...)
		if (errs[0] == nil) == (errs[1] == nil) {
			e.Fatalf("have errors %v, want exactly one", errs)
		}
		e.wantError(err, octavo.Conflict, "/parentId")
	}
}
