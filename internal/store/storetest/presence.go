package storetest

import (
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/proposalstore"
)

// presence shows a person for 30 seconds to viewers of the page, and changes nothing else.
func presence(e *env) {
	shown, hidden := e.create(published("shown")), e.create(page("hidden"))
	start, last := e.clock.now(), e.last()
	before, err := e.st.Stamps.All(e.ctx)
	e.noError(err, "take a stamp")
	appear := func(who octavo.Actor, id octavo.ID, publishedOnly bool) error {
		return proposalstore.NewPresences(e.st.DB).Appear(e.ctx, who, proposalstore.Viewer{ID: who.ID, PublishedOnly: publishedOnly}, id)
	}
	want := func(publishedOnly bool, want ...string) {
		e.Helper()
		list, err := proposalstore.NewPresences(e.st.DB).Present(e.ctx, proposalstore.Viewer{ID: "usr_eve", PublishedOnly: publishedOnly}, true)
		e.noError(err, "read who is present")
		var have []string
		for _, p := range list {
			have = append(have, fmt.Sprint(p.Person.Name, " at ", e.get(everyone, p.PageID).Slug, " since ", p.Since.Sub(start)))
		}
		e.equal("who is present", have, want)
	}
	e.noError(appear(ann, hidden.ID, false), "appear")
	e.noError(appear(ann, shown.ID, false), "appear")
	e.wantError(appear(bob, hidden.ID, true), octavo.NotFound)
	e.wantError(appear(bob, "page_none", false), octavo.NotFound)
	e.wantError(appear(bob, "prop_none", false), octavo.NotFound)
	want(false, "Ann at shown since 0s", "Ann at hidden since 0s")
	want(true, "Ann at shown since 0s")

	e.clock.move(20 * time.Second)
	e.noError(appear(ann, shown.ID, false), "appear again")
	e.noError(appear(bob, shown.ID, true), "appear")
	e.clock.move(15 * time.Second)
	want(false, "Ann at shown since 0s", "Bob at shown since 20s")
	e.clock.move(20 * time.Second)
	want(false)
	e.noError(appear(ann, shown.ID, false), "come back")
	want(false, "Ann at shown since 55s")
	after, err := e.st.Stamps.All(e.ctx)
	e.noError(err, "take a stamp")
	e.equal("end of the log", e.last(), last)
	e.equal("what was read holds", before.Is(after), !e.st.DB.Shared()) // PostgreSQL tells that something was written

	// A person is at few places, the last ones.
	for i := range 12 {
		e.clock.move(time.Second)
		e.noError(appear(ann, e.create(page(fmt.Sprint("page-", i))).ID, false), "appear")
	}
	list, err := proposalstore.NewPresences(e.st.DB).Present(e.ctx, proposalstore.Viewer{ID: ann.ID}, true)
	e.noError(err, "read who is present")
	e.equal("places of a person", len(list), 8)
}
