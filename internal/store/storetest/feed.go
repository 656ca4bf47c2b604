package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// feed reads events behind a position; next is where to continue.
func (e *env) feed(q changelog.EventQuery) (events []changelog.Change, next int64) {
	e.Helper()
	if q.Types == nil {
		q.Types = octavo.DefaultEventTypes()
	}
	if q.Limit == 0 {
		q.Limit = 100
	}
	events, next, err := e.st.Log.Events(e.ctx, q)
	e.noError(err, "read events")
	return events, next
}

// told formats events: type and page.
func told(events []changelog.Change, names map[octavo.ID]string) (list []string) {
	for _, c := range events {
		list = append(list, strings.TrimPrefix(string(c.Kind), "page.")+" "+names[c.Page])
	}
	return list
}

// feedSelects: the events that each audience sees of the same changes.
func feedSelects(e *env) {
	names := map[octavo.ID]string{}
	add := func(n pagestore.NewPage) octavo.Page {
		p := e.create(n)
		names[p.ID] = n.Slug
		return p
	}
	hidden := add(page("hidden"))
	below := published("below")
	below.ParentID = hidden.ID
	shown := add(below)
	under := published("under")
	under.ParentID = shown.ID
	add(under)
	withdrawn := add(published("withdrawn"))
	e.update(withdrawn.ID, pagestore.Change{Status: ref(octavo.Draft)})
	secret, gone := add(page("secret")), add(published("gone"))
	e.delete(secret.ID)
	e.delete(gone.ID)
	end := e.last()
	for _, test := range []struct {
		name string
		q    changelog.EventQuery
		want []string
	}{
		{"all", changelog.EventQuery{After: -1}, []string{
			"published below", "published under", "published withdrawn", "published gone", "deleted secret", "deleted gone",
		}},
		{"published-only", changelog.EventQuery{After: -1, Public: true}, []string{"published below", "published under", "deleted gone"}},
		{"one type", changelog.EventQuery{Types: []octavo.EventType{octavo.PageUnpublished}}, []string{"unpublished withdrawn"}},
		{"types that are not public", changelog.EventQuery{Types: []octavo.EventType{octavo.PageCreated, octavo.PageUnpublished}, Public: true}, nil},
		{"behind the end", changelog.EventQuery{After: end}, nil},
	} {
		events, next := e.feed(test.q)
		e.equal(test.name, told(events, names), test.want)
		e.equal("next of "+test.name, next, end)
		for test.q.Limit = 1; len(test.want) > 0; test.want = test.want[1:] {
			events, test.q.After = e.feed(test.q)
			e.equal(test.name+", one by one", told(events, names), test.want[:1])
		}
	}
	events, _ := e.feed(changelog.EventQuery{After: -1})
	e.equal("event", string(events[0].Event().AppendJSON(nil)), `{"id":"`+string(events[0].EventID)+`","type":"page.published","createdAt":"`+
		shown.CreatedAt.UTC().Format("2006-01-02T15:04:05.000Z")+`","data":`+string(shown.AppendJSON(nil))+`}`)
	events, _ = e.feed(changelog.EventQuery{After: -1, Public: true})
	shown.ParentID = ""
	e.equal("page below a hidden one", string(events[0].Payload), string(shown.AppendJSON(nil)))
	if !strings.Contains(string(events[1].Payload), `"parentId":"`+string(shown.ID)+`"`) {
		e.Errorf("page below a shown one: have %s, want its parent %s", events[1].Payload, shown.ID)
	}
	_, _, err := e.st.Log.Events(e.ctx, changelog.EventQuery{After: end + 1, Types: octavo.DefaultEventTypes(), Limit: 1})
	e.wantError(err, octavo.InvalidRequest, "after")
}

// feedRetention: readers learn that older changes were removed, except new readers.
func feedRetention(e *env) {
	e.create(published("old"))
	before := e.last()
	e.clock.move(changelog.DefaultKeepChanges)
	fresh := e.create(published("fresh"))
	e.sweep()
	_, _, err := e.st.Log.Events(e.ctx, changelog.EventQuery{After: before - 1, Types: octavo.DefaultEventTypes(), Limit: 10})
	var have *changelog.TruncatedError
	if !errors.As(err, &have) || *have != (changelog.TruncatedError{After: before - 1, Removed: before}) {
		e.Errorf("have error %v, want one that says %d", err, before)
	}
	for _, after := range []int64{-1, before} {
		events, next := e.feed(changelog.EventQuery{After: after})
		e.equal("events kept", told(events, map[octavo.ID]string{fresh.ID: "fresh"}), []string{"published fresh"})
		e.equal("next", next, e.last())
	}
	e.clock.move(changelog.DefaultKeepChanges)
	e.sweep()
	events, next := e.feed(changelog.EventQuery{After: -1})
	e.equal("events of an empty log", len(events), 0)
	e.equal("next of an empty log", next, e.last())
}

// feedRetentionPublic: a published-only credential learns of removed changes only if it
// would have seen them.
func feedRetentionPublic(e *env) {
	both := octavo.DefaultEventTypes()
	read := func(after int64, types ...octavo.EventType) error {
		_, _, err := e.st.Log.Events(e.ctx, changelog.EventQuery{After: after, Types: types, Public: true, Limit: 10})
		return err
	}
	gone := func(want int64, types ...octavo.EventType) {
		e.Helper()
		have, err := e.st.Log.Gone(e.ctx, types)
		e.noError(err, "read what is gone")
		e.equal("gone", have, want)
	}
	old := func() {
		e.clock.move(changelog.DefaultKeepChanges)
		e.sweep()
	}
	draft, withdrawn := e.create(page("draft")), e.create(published("withdrawn"))
	e.update(withdrawn.ID, pagestore.Change{Status: ref(octavo.Draft)})
	old()
	e.update(draft.ID, pagestore.Change{Content: ref("y")})
	e.noError(read(0, both...), "behind hidden changes that are gone")
	gone(0, both...)

	e.create(published("shown"))
	e.update(draft.ID, pagestore.Change{Content: ref("z")})
	at := e.last() - 1
	e.create(page("another"))
	old()
	var have *changelog.TruncatedError
	if err := read(0, both...); !errors.As(err, &have) || *have != (changelog.TruncatedError{After: 0, Removed: at}) {
		e.Errorf("have error %v, want one that says %d", err, at)
	}
	gone(at, both...)
	gone(0, octavo.PageDeleted)
	e.noError(read(0, octavo.PageDeleted), "behind what another type is gone of")
	e.noError(read(at, both...), "behind what is gone")
	e.noError(read(e.last()+1000, both...), "behind the end")
}

// feedQuiet: what is not looked through again hides nothing that comes.
func feedQuiet(e *env) {
	e.create(published("first"))
	events, _ := e.feed(changelog.EventQuery{After: -1, Public: true})
	at := events[0].Position
	for i := range 3 {
		draft := e.create(page(fmt.Sprint("draft-", i)))
		for range 2 {
			events, next := e.feed(changelog.EventQuery{After: at, Public: true})
			e.equal("events", len(events), 0)
			e.equal("looked through", next, e.last())
		}
		e.update(draft.ID, pagestore.Change{Status: ref(octavo.Published)})
		events, _ := e.feed(changelog.EventQuery{After: at, Public: true})
		e.equal("events", told(events, map[octavo.ID]string{draft.ID: "draft"}), []string{"published draft"})
		at = events[0].Position
	}
}

// feedFollows: many waiting readers get every event once, in the same order, with any
// filter.
func feedFollows(e *env) {
	const writers, edits, readers = 6, 12, 8
	const total = writers * edits
	var wg sync.WaitGroup
	lists := make([][]octavo.ID, readers)
	for i := range readers {
		wg.Go(func() {
			q := changelog.EventQuery{After: -1, Types: octavo.DefaultEventTypes(), Public: i%2 == 1, Limit: 1 + 3*i}
			for len(lists[i]) < total {
				events, next, err := e.st.Log.Events(e.ctx, q)
				if err == nil && len(events) == 0 {
					err = e.st.Log.Await(e.ctx, next)
				}
				if err != nil {
					e.Errorf("reader %d: %v", i, err)
					return
				}
				q.After = next
				for _, c := range events {
					lists[i] = append(lists[i], c.EventID)
				}
			}
		})
	}
	for w := range writers {
		wg.Go(func() {
			for i := range edits {
				if _, err := e.tryCreate(published(fmt.Sprintf("w-%d-%d", w, i))); err != nil {
					e.Errorf("write: %v", err)
				}
			}
		})
	}
	wg.Wait()
	for i, list := range lists {
		e.equal(fmt.Sprint("events of reader ", i), list, lists[0])
	}
	events, _ := e.feed(changelog.EventQuery{After: -1})
	for i, c := range events {
		e.equal("event", lists[0][i], c.EventID)
	}
}

// feedAwaits: a thousand waiting readers end with a new event or with their context, and
// do not wait for existing events.
func feedAwaits(e *env) {
	e.create(page("a"))
	last := e.last()
	e.noError(e.st.Log.Await(e.ctx, last-1), "wait for what is there")
	const waiting = 1000
	var ended atomic.Int64
	var began, wg sync.WaitGroup
	began.Add(waiting)
	for range waiting {
		wg.Go(func() {
			began.Done()
			if err := e.st.Log.Await(e.ctx, last); err != nil {
				e.Errorf("wait: %v", err)
			}
			ended.Add(1)
		})
	}
	began.Wait()
	e.equal("those who have ended before anything came", ended.Load(), int64(0))
	e.create(page("b"))
	wg.Wait()
	ctx, cancel := context.WithCancel(e.ctx)
	cancel()
	if err := e.st.Log.Await(ctx, e.last()); !errors.Is(err, context.Canceled) {
		e.Errorf("wait for longer than the context: have %v", err)
	}
}

// activity goes back through the log, by ones and at once.
func activity(e *env) {
	hidden, shown := e.create(page("hidden")), e.create(published("shown"))
	for range 40 { // more than the first look
		e.update(hidden.ID, pagestore.Change{Content: ref(fmt.Sprint(e.last()))})
	}
	gone := e.create(published("gone"))
	e.delete(gone.ID)
	e.delete(hidden.ID)
	names := map[octavo.ID]string{hidden.ID: "hidden", shown.ID: "shown", gone.ID: "gone"}
	read := func(public bool, limit int) (list []string) {
		var before *sqldb.Cursor
		for more := true; more; {
			var changes []changelog.Change
			var err error
			changes, more, err = e.st.Log.Activity(e.ctx, public, before, limit)
			e.noError(err, "list what happened")
			for _, c := range changes {
				before = &sqldb.Cursor{Key: fmt.Sprint(c.Position)}
			}
			list = append(list, told(changes, names)...)
		}
		return list
	}
	all := e.changes(-1)
	slices.Reverse(all)
	for _, limit := range []int{1, 7, 100} {
		e.equal("all", read(false, limit), told(all, names))
		e.equal("published-only", read(true, limit), []string{"deleted gone", "published shown"})
	}
}
