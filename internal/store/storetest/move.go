package storetest

import (
	"fmt"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func (e *env) tryMoveTo(id octavo.ID, to octavo.PageMove, match sqldb.IfMatch) (p octavo.Page, err error) {
	err = e.write(func(tx *sqldb.Tx) (err error) {
		p, err = e.st.Pages.Move(tx, id, to, match)
		return err
	})
	return p, err
}

// order returns the pages below one.
func (e *env) order(parent octavo.ID) (ids []octavo.ID) {
	e.Helper()
	children, err := e.st.Pages.Children(e.ctx, octavo.Audience{}, []octavo.ID{parent})
	e.noError(err, "read children")
	for _, p := range children[parent] {
		ids = append(ids, p.ID)
	}
	return ids
}

// move checks that pages come where they are put, whatever positions there are, and
// that where there is room one page is written.
func move(e *env) {
	parent, other := e.create(page("parent")), e.create(page("other"))
	var want []octavo.ID
	for i, position := range []*int64{ref(int64(5)), ref(int64(5)), ref(int64(6)), ref(int64(-1 << 31)), ref(int64(1<<31 - 1)), nil, nil, nil} {
		n := under(parent.ID, fmt.Sprint("page-", i))
		n.Position = position
		want = append(want, e.create(n).ID)
	}
	want = []octavo.ID{want[3], want[0], want[1], want[2], want[4], want[5], want[6], want[7]}
	e.equal("order at first", e.order(parent.ID), want)
	written := 0
	for step := range 120 {
		id := want[step*5%len(want)]
		rest := slices.DeleteFunc(slices.Clone(want), func(p octavo.ID) bool { return p == id })
		place := step * step % (len(rest) + 1)
		var to octavo.PageMove
		switch {
		case place == len(rest):
		case step%2 == 0:
			to.Before = rest[place]
		case place == 0:
			to.Before = rest[0]
		default:
			to.After = rest[place-1]
		}
		end, err := e.st.Log.Last(e.ctx)
		e.noError(err, "read the end of the log")
		before := e.get(octavo.Audience{}, id)
		p, err := e.tryMoveTo(id, to, func(_ octavo.ID, version int64) bool { return version == before.Version })
		e.noError(err, "move")
		moved := slices.Insert(rest, place, id)
		changes := e.changes(end)
		for _, c := range changes {
			e.equal("kind of a change", c.Kind, octavo.PageUpdated)
		}
		if slices.Equal(moved, want) {
			e.equal("changes of a move to where it is", len(changes), 0)
			e.equal("version", p.Version, before.Version)
		} else if written++; written > 20 && len(changes) > 3 {
			e.Errorf("step %d wrote %d pages", step, len(changes))
		}
		want = moved
		e.equal(fmt.Sprint("order after step ", step), e.order(parent.ID), want)
	}

	// To another parent, and back to the root.
	p, err := e.tryMoveTo(want[0], octavo.PageMove{ParentID: &other.ID}, nil)
	e.noError(err, "move below another page")
	e.equal("parent", p.ParentID, other.ID)
	e.equal("position", p.Position, ref(int64(1024)))
	_, err = e.tryMoveTo(want[1], octavo.PageMove{ParentID: &other.ID, Before: want[0]}, nil)
	e.noError(err, "move before a page below another")
	e.equal("order below the other", e.order(other.ID), []octavo.ID{want[1], want[0]})
	root := octavo.ID("")
	p, err = e.tryMoveTo(want[0], octavo.PageMove{ParentID: &root, Before: parent.ID}, nil)
	e.noError(err, "move to the root")
	e.equal("parent", p.ParentID, root)

	for _, c := range []struct {
		to   octavo.PageMove
		kind octavo.ProblemType
		path []string
	}{
		{octavo.PageMove{Before: want[3]}, octavo.InvalidRequest, []string{"/before"}}, // below another page
		{octavo.PageMove{After: want[0]}, octavo.InvalidRequest, []string{"/after"}},   // the page itself
		{octavo.PageMove{ParentID: ref(octavo.ID("page_none"))}, octavo.InvalidRequest, []string{"/parentId"}},
		{octavo.PageMove{ParentID: &want[0]}, octavo.Conflict, []string{"/parentId"}},
	} {
		_, err := e.tryMoveTo(want[0], c.to, nil)
		e.wantError(err, c.kind, c.path...)
	}
	_, err = e.tryMoveTo(want[0], octavo.PageMove{}, func(octavo.ID, int64) bool { return false })
	e.wantError(err, octavo.PreconditionFailed)
	e.delete(p.ID)
	_, err = e.tryMoveTo(want[0], octavo.PageMove{}, nil)
	e.wantError(err, octavo.NotFound)
	e.equal("a page below stays", e.get(octavo.Audience{}, want[2]).ParentID, parent.ID)
}
