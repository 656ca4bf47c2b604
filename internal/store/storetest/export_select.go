package storetest

import (
	"slices"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/exportstore"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// exportSelection shows which pages an export can choose, and that their texts
// stay what they were.
func exportSelection(e *env) {
	root := e.create(published("root"))
	draft := e.create(under(root.ID, "draft"))
	n := under(draft.ID, "leaf")
	n.Status, n.Frontmatter = octavo.Published, []byte(`{"tags":["a","b"]}`)
	n.Derived = &pagestore.Derived{Tags: []string{"a", "b"}}
	leaf := e.create(n)
	gone := e.create(published("gone"))
	e.delete(gone.ID)

	ids := func(list []pagestore.Stub, err error) (ids []octavo.ID) {
		e.Helper()
		e.noError(err, "select pages")
		for _, p := range list {
			ids = append(ids, p.ID)
		}
		return ids
	}
	public1 := []octavo.PageStatus{octavo.Published}
	e.equal("published", ids(e.st.Selection.Stubs(e.ctx, everyone, pagestore.StubQuery{Statuses: public1})), []octavo.ID{root.ID, leaf.ID})
	e.equal("drafts too", ids(e.st.Selection.Stubs(e.ctx, everyone, pagestore.StubQuery{Statuses: []octavo.PageStatus{octavo.Published, octavo.Draft}})),
		[]octavo.ID{root.ID, draft.ID, leaf.ID})
	e.equal("drafts are not shown", ids(e.st.Selection.Stubs(e.ctx, public, pagestore.StubQuery{Statuses: []octavo.PageStatus{octavo.Draft}})), nil)
	e.equal("with tags", ids(e.st.Selection.Stubs(e.ctx, everyone, pagestore.StubQuery{Statuses: public1, Tags: []string{"a", "b"}})), []octavo.ID{leaf.ID})
	e.equal("with no such tag", ids(e.st.Selection.Stubs(e.ctx, everyone, pagestore.StubQuery{Statuses: public1, Tags: []string{"a", "c"}})), nil)
	n = published("spoken")
	n.Language = "pt-BR"
	spoken := e.create(n)
	in := func(language string, unsaid bool) pagestore.StubQuery {
		return pagestore.StubQuery{Statuses: public1, Language: language, Unsaid: unsaid}
	}
	e.equal("in a language", ids(e.st.Selection.Stubs(e.ctx, everyone, in("PT", false))), []octavo.ID{spoken.ID})
	e.equal("in another", ids(e.st.Selection.Stubs(e.ctx, everyone, in("pt-PT", false))), nil)
	e.equal("in that of the site", ids(e.st.Selection.Stubs(e.ctx, everyone, in("en", true))), []octavo.ID{root.ID, leaf.ID})
	e.delete(spoken.ID)
	e.equal("changed since", ids(e.st.Selection.Stubs(e.ctx, everyone, pagestore.StubQuery{Statuses: public1, UpdatedAfter: e.clock.now()})), nil)
	e.equal("below", ids(e.st.Selection.StubsBelow(e.ctx, everyone, root.ID, 9)), []octavo.ID{draft.ID, leaf.ID})
	e.equal("below, one level", ids(e.st.Selection.StubsBelow(e.ctx, everyone, root.ID, 1)), []octavo.ID{draft.ID})
	e.equal("below what is not shown", ids(e.st.Selection.StubsBelow(e.ctx, public, root.ID, 9)), nil)

	found, err := e.st.Selection.StubsByID(e.ctx, public, []octavo.ID{root.ID, draft.ID, leaf.ID, gone.ID, "page_none"})
	e.noError(err, "select by id")
	have := []octavo.ID{}
	for id := range found {
		have = append(have, id)
	}
	slices.Sort(have)
	e.equal("by id", have, []octavo.ID{root.ID, leaf.ID})
	e.equal("a hidden parent", found[leaf.ID].ParentID, octavo.ID(""))

	written := published("raw")
	written.RawFront, written.Frontmatter = []byte("---\na: 1\n---\n"), []byte(`{"a":1}`)
	raw := pagestore.RevisionKey{Page: e.create(written).ID, Number: 1}
	e.update(root.ID, pagestore.Change{Content: ref("second")})
	e.delete(leaf.ID)
	first := pagestore.RevisionKey{Page: root.ID, Number: 1}
	second := pagestore.RevisionKey{Page: root.ID, Number: 2}
	of := pagestore.RevisionKey{Page: leaf.ID, Number: 1}
	texts, room, err := e.st.Selection.RevisionTexts(e.ctx, []pagestore.RevisionKey{first, {Page: "page_none", Number: 1}, second, of, raw}, nil)
	e.noError(err, "read texts")
	text := func(t pagestore.RevisionText) []any {
		return []any{t.Kept, string(t.Content), string(t.Frontmatter), t.RawFront != nil, string(t.RawFront)}
	}
	e.equal("the first", text(texts[0]), []any{true, "Content of root", "", false, ""})
	e.equal("none", text(texts[1]), []any{false, "", "", false, ""})
	e.equal("the second", text(texts[2]), []any{true, "second", "", false, ""})
	e.equal("of a page that was deleted", text(texts[3]), []any{true, "Content of leaf", `{"tags":["a","b"]}`, false, ""})
	e.equal("with front matter as it was written", text(texts[4]), []any{true, "Content of raw", `{"a":1}`, true, "---\na: 1\n---\n"})
	texts, again, err := e.st.Selection.RevisionTexts(e.ctx, []pagestore.RevisionKey{raw, first}, room)
	e.noError(err, "read texts into the same memory")
	e.equal("the same memory", &again[0] == &room[0], true)
	e.equal("in another order", text(texts[0]), []any{true, "Content of raw", `{"a":1}`, true, "---\na: 1\n---\n"})
	e.equal("and the other", text(texts[1]), []any{true, "Content of root", "", false, ""})
}

// exportTells shows which receivers are notified.
func exportTells(e *env) {
	r := octavo.ExportRequest{CallbackURL: "https://c.example/hook", Delivery: octavo.ExportDelivery{Channels: []octavo.ExportChannel{
		{Kind: octavo.ChannelWebhook, URL: "https://c.example/other"}, {Kind: octavo.ChannelEmail, Email: "a@b.example"},
	}}}
	x := e.export(ann, exportstore.NewExport{Request: r})
	e.finishExport(e.claimExport(1, x.ID), nil)
	event := e.readExport(x.ID).EventID
	due, err := e.st.Hooks.DueTargets(e.ctx, "", 10)
	e.noError(err, "look for targets")
	e.equal("targets", due, []hookstore.DueTarget{{Target: "callback/c.example", At: e.clock.now()}})
	claimed, err := e.st.Hooks.Claim(e.ctx, []hookstore.Ask{{Target: due[0].Target, Limit: 10}}, 5)
	e.noError(err, "claim")
	e.equal("deliveries", len(claimed), 2)
	var addresses []string
	for _, d := range claimed {
		e.equal("event", []any{d.EventID, d.Kind}, []any{event, octavo.ExportIsReady})
		id, number, ok := exportstore.OfLane(d.Lane)
		e.equal("lane", []any{id, ok}, []any{x.ID, true})
		address, found, err := e.st.Exports.Address(e.ctx, id, number)
		e.noError(err, "look up the address")
		e.equal("found", found, true)
		addresses = append(addresses, address)
	}
	slices.Sort(addresses)
	e.equal("addresses", addresses, []string{"https://c.example/hook", "https://c.example/other"})
	_, err = e.st.Hooks.Finish(e.ctx, []hookstore.Outcome{
		{Delivery: claimed[0], Status: octavo.DeliverySucceeded, EndedAt: e.clock.now(), ResponseStatus: 204},
		{Delivery: claimed[1], Status: octavo.DeliveryFailed, EndedAt: e.clock.now(), ResponseStatus: 500, Error: "no"},
	}, 0)
	e.noError(err, "finish")
	_, number, _ := exportstore.OfLane(claimed[1].Lane)
	read := func(number int) []any {
		e.Helper()
		channels, err := e.st.Exports.Channels(e.ctx, []octavo.ID{x.ID})
		e.noError(err, "read the channels")
		e.equal("channels", len(channels[x.ID]), 3)
		c := channels[x.ID][number]
		return []any{c.Status, c.Attempt, c.Error, c.Answered}
	}
	e.equal("mail", read(1), []any{octavo.DeliveryPending, 0, "", false})
	e.equal("the webhook that failed", read(number), []any{octavo.DeliveryPending, 1, "no", true})
	for _, then := range []struct {
		outcome hookstore.Outcome
		want    []any
	}{
		{hookstore.Outcome{Status: octavo.DeliveryFailed, Error: "refused"}, []any{octavo.DeliveryPending, 2, "refused", false}},
		{hookstore.Outcome{Status: octavo.DeliverySucceeded, ResponseStatus: 204}, []any{octavo.DeliverySucceeded, 3, "", true}},
	} {
		claimed, err = e.st.Hooks.Claim(e.ctx, []hookstore.Ask{{Target: due[0].Target, Limit: 10}}, 5)
		e.noError(err, "claim again")
		e.equal("deliveries again", len(claimed), 1)
		o := then.outcome
		o.Delivery, o.EndedAt = claimed[0], e.clock.now()
		_, err = e.st.Hooks.Finish(e.ctx, []hookstore.Outcome{o}, 0)
		e.noError(err, "finish again")
		e.equal("the webhook then", read(number), then.want)
	}
}

// exportMessages shows that a message is due until it was sent or given up.
func exportMessages(e *env) {
	r := octavo.ExportRequest{Delivery: octavo.ExportDelivery{Channels: []octavo.ExportChannel{{Kind: octavo.ChannelEmail, Email: "a@b.example"}}}}
	x := e.export(ann, exportstore.NewExport{Request: r})
	claim := func(lease int64, want int) []exportstore.Channel {
		e.Helper()
		list, err := e.st.Exports.ClaimMessages(e.ctx, lease, messageWaits, 10)
		e.noError(err, "claim messages")
		e.equal("claimed", len(list), want)
		return list
	}
	claim(1, 0) // it has not ended
	e.finishExport(e.claimExport(1, x.ID), nil)
	untried := claim(9, 1)[0]
	claim(10, 0)
	e.noError(e.st.Exports.ReleaseMessage(e.ctx, untried), "give back")
	first := claim(2, 1)[0]
	e.noError(e.st.Exports.ReleaseMessage(e.ctx, untried), "give back what others have")
	e.equal("message", []any{first.ExportID, first.Address, first.Attempt}, []any{x.ID, "a@b.example", 1})
	claim(3, 0)
	e.clock.move(time.Minute)
	second := claim(4, 1)[0]
	e.noError(e.st.Exports.FinishMessage(e.ctx, exportstore.MessageOutcome{Channel: first, Status: octavo.DeliverySucceeded}), "finish too late")
	e.noError(e.st.Exports.FinishMessage(e.ctx, exportstore.MessageOutcome{Channel: second, Status: octavo.DeliveryPending, RetryAfter: time.Minute, Error: "no\x00"}), "put off")
	claim(5, 0)
	e.clock.move(time.Minute)
	third := claim(6, 1)[0]
	e.noError(e.st.Exports.FinishMessage(e.ctx, exportstore.MessageOutcome{Channel: third, Status: octavo.DeliverySucceeded}), "finish")
	e.clock.move(time.Hour)
	claim(7, 0)
	channels, err := e.st.Exports.Channels(e.ctx, []octavo.ID{x.ID})
	e.noError(err, "read the channels")
	e.equal("in the end", []any{channels[x.ID][0].Status, channels[x.ID][0].Attempt}, []any{octavo.DeliverySucceeded, 3})
}
