// Package eventapi has the feed of events: as lists, with long polling, and as
// server-sent events. changelog has the events. Start with [Operations].
package eventapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/store/changelog"
)

const mediaEventStream = "text/event-stream"

// heartbeat is how often a stream without events sends its position.
const heartbeat = 15 * time.Second

// Operations are the operations on events.
type Operations struct{ Feed *changelog.Log }

// feedPosition is a client's position in the feed: the position that it gets for
// continuing, and the position up to which the feed was searched. They differ for a
// published-only credential: the first moves only with its own events.
type feedPosition struct{ sent, scanned int64 }

// List returns the events after a position, waiting for the first one if requested, or
// a stream.
func (o Operations) List(r *rest.Request) (*rest.Response, error) {
	p := r.Params()
	q := changelog.EventQuery{After: after(r, p), Types: eventTypes(r, p), Limit: p.Limit()}
	wait := p.Wait()
	if err := p.Faults.Err(); err != nil {
		return nil, err
	}
	media, err := r.Negotiate(rest.MediaJSON, mediaEventStream)
	if err != nil {
		return nil, err
	}
	if media == mediaEventStream {
		return o.streamEvents(r, q)
	}
	if r.Method == http.MethodHead {
		wait = 0
	}
	ctx, cancel := r.WhileServing(wait)
	defer cancel()
	events, at, err := o.awaitEvents(ctx, r, q, feedPosition{q.After, q.After}, wait)
	if err != nil {
		return nil, err
	}
	return jsonEvents(events, at.sent), nil
}

// awaitEvents reads events and, while there are none, waits up to that time, or until
// ctx ends.
func (o Operations) awaitEvents(ctx context.Context, r *rest.Request, q changelog.EventQuery, at feedPosition, wait time.Duration) (events []changelog.Change, _ feedPosition, err error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		if events, at, err = o.readEvents(r, q, at); err != nil || len(events) > 0 || wait == 0 {
			return events, at, err
		}
		if o.Feed.Await(ctx, at.scanned) != nil {
			return nil, at, r.Context().Err()
		}
		if err := r.Reauthenticate(); err != nil {
			return nil, at, err
		}
	}
}

// readEvents reads the events after a position that the principal may see.
func (o Operations) readEvents(r *rest.Request, q changelog.EventQuery, at feedPosition) ([]changelog.Change, feedPosition, error) {
	q.After, q.Public = at.scanned, r.Principal.Audience().PublishedOnly
	events, next, err := o.Feed.Events(r.Context(), q)
	if truncated, ok := errors.AsType[*changelog.TruncatedError](err); ok {
		oldest := strconv.FormatInt(truncated.Removed, 10)
		err = &octavo.Error{Type: octavo.Gone, Err: err, Oldest: oldest, Detail: "Some of the events after position " +
			strconv.FormatInt(truncated.After, 10) + " are no longer stored. The oldest position to continue from is " + oldest + "."}
	}
	if err != nil {
		return nil, at, err
	}
	at.scanned = next
	switch {
	case !q.Public:
		at.sent = next
	case len(events) > 0:
		at.sent = events[len(events)-1].Position
	case at.sent < 0:
		at.sent, err = o.Feed.Gone(r.Context(), q.Types)
	}
	return events, at, err
}

func jsonEvents(events []changelog.Change, next int64) *rest.Response {
	body := []byte(`{"data":[`)
	for i := range events {
		if i > 0 {
			body = append(body, ',')
		}
		body = events[i].Event().AppendJSON(body)
	}
	body = strconv.AppendInt(append(body, `],"next":"`...), next, 10)
	resp := rest.JSON(http.StatusOK, append(body, `"}`...))
	resp.Header = map[string]string{"Cache-Control": "no-store"}
	return resp
}

// after reads where to continue. Last-Event-ID, which stream clients send when they
// reconnect, has precedence over the parameter. Without either it is negative, the
// beginning.
func after(r *rest.Request, p *rest.Params) int64 {
	name := "Last-Event-ID"
	text := r.Header.Get(name)
	if text == "" {
		var ok bool
		name = "after"
		if text, ok = p.Get(name); !ok {
			return -1
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || text != strconv.FormatInt(n, 10) {
		p.Faults.Add(name, "must be a position of the feed; start again without one")
	}
	return n
}

// eventTypes reads which events are wanted.
func eventTypes(r *rest.Request, p *rest.Params) []octavo.EventType {
	p.JoinList("types")
	text, ok := p.Get("types")
	if !ok {
		return octavo.DefaultEventTypes()
	}
	var types []octavo.EventType
	for _, name := range strings.Split(text, ",") {
		t := octavo.EventType(name)
		if !t.WellFormed() {
			p.Faults.Add("types", "must list types such as page.published, separated by commas; %q is not a type", name)
			return nil
		}
		if t != octavo.FeedbackCreated || r.Principal.Scopes.Allow(octavo.ScopeWrite) {
			types = append(types, t)
		}
	}
	if len(types) > octavo.MaxEventTypes {
		p.Faults.Add("types", "must list at most %d types", octavo.MaxEventTypes)
	}
	return types
}
