package storetest

import (
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// told queues a page's publication for a webhook.
func (e *env) told(w hookstore.Webhook, slug string) changelog.Change {
	e.Helper()
	e.create(published(slug))
	list := e.changes(0)
	c := list[len(list)-1]
	e.noError(e.write(func(tx *sqldb.Tx) error {
		return e.st.Hooks.Add(tx, []hookstore.NewDelivery{{Target: string(w.ID), EventID: c.EventID, Kind: c.Kind, Lane: string(c.Page), Position: c.Position}})
	}), "put in line")
	return c
}

func (e *env) hookLog(w hookstore.Webhook) []hookstore.LoggedDelivery {
	e.Helper()
	list, _, err := e.st.Hooks.Deliveries(e.ctx, w.ID, "", 1000)
	e.noError(err, "read the log")
	return list
}

func deliveryAgain(e *env) {
	w := e.webhook("https://a.example")
	c := e.told(w, "p")
	redeliver := func(id octavo.ID) {
		e.Helper()
		e.noError(e.st.Hooks.Redeliver(e.ctx, sqldb.Cause{}, w.ID, id), "redeliver")
	}
	first := e.claim(string(w.ID), 1)
	redeliver(first[0].ID) // it is under way: nothing to do
	e.equal("tries while it is under way", len(e.hookLog(w)), 1)
	e.finish(octavo.DeliveryFailed, first...)
	e.equal("before its time", e.claim(string(w.ID), 3), nil)
	redeliver(first[0].ID) // it waits for its next try: that is made now
	second := e.claim(string(w.ID), 5)
	e.equal("at once", second[0].Attempt, 2)
	e.finish(octavo.DeliverySucceeded, second...)
	redeliver(second[0].ID)
	redeliver(second[0].ID) // once
	third := e.claim(string(w.ID), 7)
	e.equal("again", eventsOf(third), []octavo.ID{c.EventID})
	e.finish(octavo.DeliverySucceeded, third...)
	e.equal("tries in all", len(e.hookLog(w)), 3)

	other := e.webhook("https://b.example")
	e.wantError(e.st.Hooks.Redeliver(e.ctx, sqldb.Cause{}, other.ID, third[0].ID), octavo.NotFound)
	event, err := e.st.Hooks.Test(e.ctx, sqldb.Cause{}, other.ID)
	e.noError(err, "test")
	e.equal("the test", eventsOf(e.claim(string(other.ID), 9)), []octavo.ID{event})
	v, found, err := e.st.Hooks.Sending(e.ctx, event)
	e.noError(err, "read the event")
	e.equal("its event", found && v.Event.Type == octavo.WebhookTest, true)
	_, err = e.st.Hooks.Update(e.ctx, sqldb.Cause{}, other.ID, octavo.WebhookPatch{Disabled: ref(true)})
	e.noError(err, "disable")
	_, err = e.st.Hooks.Test(e.ctx, sqldb.Cause{}, other.ID)
	e.wantError(err, octavo.Conflict)
}

func deliveryAgainSince(e *env) {
	w := e.webhook("https://a.example")
	target := string(w.ID)
	e.told(w, "before")
	e.finish(octavo.DeliveryAbandoned, e.claim(target, 1)...)
	e.told(w, "waits-since-before")
	e.finish(octavo.DeliveryFailed, e.claim(target, 2)...)
	e.clock.move(time.Minute)
	since := e.clock.now()
	lost, arrived, waits := e.told(w, "lost"), e.told(w, "arrived"), e.told(w, "waits")
	for _, d := range e.claim(target, 3) {
		e.finish(map[octavo.ID]octavo.DeliveryStatus{
			lost.EventID: octavo.DeliveryAbandoned, arrived.EventID: octavo.DeliverySucceeded, waits.EventID: octavo.DeliveryFailed,
		}[d.EventID], d)
	}
	redeliver := func(want int64) {
		e.Helper()
		n, err := e.st.Hooks.RedeliverSince(e.ctx, sqldb.Cause{}, w.ID, since)
		e.noError(err, "redeliver")
		e.equal("sent again", n, want)
	}
	redeliver(2)
	redeliver(0) // they are due already
	again := e.claim(target, 5)
	e.equal("due", len(again), 2)
	e.finish(octavo.DeliverySucceeded, again...)
	redeliver(0)
}

func deliveryLog(e *env) {
	w := e.webhook("https://a.example")
	long := published("long")
	long.Content = strings.Repeat("é", 5000)
	e.create(long)
	list := e.changes(0)
	c := list[len(list)-1]
	e.noError(e.write(func(tx *sqldb.Tx) error {
		return e.st.Hooks.Add(tx, []hookstore.NewDelivery{
			{Target: string(w.ID), EventID: c.EventID, Kind: c.Kind, Lane: string(c.Page), Position: c.Position},
			{Target: hookstore.CallbackTarget("https://CB.example:444/x"), EventID: c.EventID, Kind: c.Kind, Lane: string(c.Page), Position: c.Position},
		})
	}), "put in line")
	_, err := e.st.Hooks.Finish(e.ctx, []hookstore.Outcome{{
		Delivery: e.claim(string(w.ID), 1)[0], Status: octavo.DeliverySucceeded, EndedAt: e.clock.now(),
		ResponseStatus: 200, Response: "nul \x00", Error: "\xff",
	}}, giveUp)
	e.noError(err, "finish")
	log, more, err := e.st.Hooks.EventDeliveries(e.ctx, c.EventID, "", 1)
	e.noError(err, "read the log")
	e.equal("more", more, true)
	d := log[0]
	e.equal("answer", []any{d.ResponseStatus, d.Response, d.Error}, []any{200, "nul \uFFFD", "\uFFFD"})
	if !strings.HasPrefix(d.Request, `{"id":"`+string(c.EventID)+`","type":"page.published"`) || len(d.Request) > 1024 {
		e.Errorf("have request %q", d.Request)
	}
	log, _, err = e.st.Hooks.EventDeliveries(e.ctx, c.EventID, d.ID, 10)
	e.noError(err, "read the log")
	e.equal("target of a callback", log[0].Target, "callback/cb.example:444")
	e.equal("entries of the webhook", len(e.hookLog(w)), 1)
	kept, err := e.st.Hooks.EventKept(e.ctx, c.EventID)
	e.noError(err, "look for the event")
	e.equal("kept", kept, true)
}

// deliveryRetention: what became of deliveries goes with their events; those
// that are pending stay.
func deliveryRetention(e *env) {
	w := e.webhook("https://a.example")
	c := e.told(w, "done")
	e.finish(octavo.DeliverySucceeded, e.claim(string(w.ID), 1)...)
	e.told(w, "pending")
	e.clock.move(changelog.DefaultKeepChanges - time.Millisecond)
	e.sweep()
	e.equal("while they are young", len(e.hookLog(w)), 2)
	e.clock.move(2 * time.Millisecond)
	e.sweep()
	log := e.hookLog(w)
	e.equal("kept", len(log), 1)
	e.equal("status", log[0].Status, octavo.DeliveryPending)
	_, found, err := e.st.Hooks.Sending(e.ctx, c.EventID)
	e.noError(err, "read the event")
	e.equal("found", found, false)
}
