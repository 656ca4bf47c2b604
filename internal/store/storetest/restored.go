package storetest

import (
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// restored: behind a copy that was brought back, nothing is given out again
// that was given out after the copy was made.
func restored(e *env) {
	page := e.create(published("kept"))
	file, _ := e.asset(asset("file", "file"))
	before := e.last()
	known := before + 5000 // position of a reader that has read lost changes
	e.noError(e.st.Restored(e.ctx), "go on")

	for position, want := range map[int64]bool{before: true, before + 1: false, known: false} {
		reach, err := e.st.Log.Reach(e.ctx)
		e.noError(err, "look how far the log is")
		e.equal(fmt.Sprintf("position %d is of this log", position-before), reach.Has(position), want)
	}
	e.equal("new events", e.readFrom(known), []octavo.ID(nil))
	later := e.create(published("later"))
	e.equal("events behind what is lost", e.readFrom(known), []octavo.ID{later.ID})
	e.equal("events behind the copy", e.readFrom(before), []octavo.ID{later.ID})
	e.equal("all events", e.readFrom(-1), []octavo.ID{page.ID, later.ID})

	ref, err := e.st.Pages.Ref(e.ctx, octavo.Audience{}, page.ID)
	e.noError(err, "read the page")
	e.equal("the page's version is far behind", ref.Version > 1<<20, true)
	have, err := e.st.Assets.Get(e.ctx, octavo.Audience{}, file.ID)
	e.noError(err, "read the asset")
	e.equal("the asset's version is far behind", have.Version > 1<<20, true)
	// Copies of a database give out different numbers if they are restored at different
	// times, and the same at one moment.
	e.update(page.ID, pagestore.Change{Title: &later.Title})
	given, err := e.st.Pages.Ref(e.ctx, octavo.Audience{}, page.ID)
	e.noError(err, "read the page")
	e.equal("it goes on from there", given.Version, ref.Version+1)
	end := e.last()
	e.clock.move(time.Second)
	e.noError(e.st.Restored(e.ctx), "go on once more")
	var versions []int64
	for _, id := range []octavo.ID{page.ID, later.ID} {
		ref, err := e.st.Pages.Ref(e.ctx, octavo.Audience{}, id)
		e.noError(err, "read a page")
		versions = append(versions, ref.Version)
	}
	e.equal("a version of later is beyond all that were given out", versions[0] > given.Version, true)
	e.equal("it is that of the moment", versions, []int64{versions[0], versions[0]})
	e.equal("so is the position", e.last() > end && e.last() == versions[0], true)
	e.clock.move(-time.Hour)
	e.noError(e.st.Restored(e.ctx), "go on by a clock that is late")
	late, err := e.st.Pages.Ref(e.ctx, octavo.Audience{}, page.ID)
	e.noError(err, "read the page")
	e.equal("a version by a clock that is late", late.Version > versions[0], true)
	e.clock.move(time.Hour)
	reach, err := e.st.Log.Reach(e.ctx)
	e.noError(err, "look how far the log is")
	e.equal("the end is of this log", reach.Has(e.last()), true)
	e.equal("what was lost first is not", reach.Has(known), false)
	e.sound()
}

// readFrom returns the pages whose publication the feed tells behind a
// position.
func (e *env) readFrom(after int64) (pages []octavo.ID) {
	e.Helper()
	events, _, err := e.st.Log.Events(e.ctx, changelog.EventQuery{After: after, Types: octavo.DefaultEventTypes(), Limit: 10})
	e.noError(err, "read the feed")
	for _, c := range events {
		pages = append(pages, c.Page)
	}
	return pages
}
