package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

const (
	mediaEventStream = "text/event-stream"
	maxWait          = 60 // seconds
)

// heartbeat is how often a stream without events shows that it lives and how
// far it is.
const heartbeat = 15 * time.Second

// listEvents answers with the events behind a position, waiting for the first
// where that is asked for, or with a stream of them that goes on.
func (a *API) listEvents(r *request) (*response, error) {
	p := readParams(r)
	q := store.EventQuery{After: p.after(r), Types: p.eventTypes(), Limit: p.limit()}
	wait := p.wait()
	if err := p.faults.Err(); err != nil {
		return nil, err
	}
	media, err := negotiate(r, mediaJSON, mediaEventStream)
	if err != nil {
		return nil, err
	}
	if media == mediaEventStream {
		return a.streamEvents(r, q)
	}
	if r.Method == http.MethodHead {
		wait = 0
	}
	// The time for the request would end the wait; not every writer has one.
	_ = http.NewResponseController(r.w).SetReadDeadline(deadline(wait + streamTime))
	ctx, cancel := a.whileServing(r.Context())
	defer cancel()
	events, next, err := a.awaitEvents(ctx, r, q, wait)
	if err != nil {
		return nil, err
	}
	return jsonEvents(events, next), nil
}

// awaitEvents reads events and, while there is none and ctx lasts, waits for
// that time.
func (a *API) awaitEvents(ctx context.Context, r *request, q store.EventQuery, wait time.Duration) (events []store.Change, next int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	for {
		if events, next, err = a.readEvents(r, q); err != nil || len(events) > 0 || wait == 0 {
			return events, next, err
		}
		if a.Events.Await(ctx, next) != nil {
			return nil, next, r.Context().Err()
		}
		if err := a.reauthenticate(r); err != nil {
			return nil, 0, err
		}
		q.After = next
	}
}

// readEvents reads those of the events that the principal may see.
func (a *API) readEvents(r *request, q store.EventQuery) ([]store.Change, int64, error) {
	q.Public = r.principal.Audience().PublishedOnly
	events, next, err := a.Events.Events(r.Context(), q)
	var truncated *store.TruncatedError
	if errors.As(err, &truncated) {
		oldest := strconv.FormatInt(truncated.Removed, 10)
		err = &octavo.Error{Type: octavo.Gone, Err: err, Oldest: oldest, Detail: "Some of the events behind position " +
			strconv.FormatInt(truncated.After, 10) + " are not kept any more. The oldest position to continue from is " + oldest + "."}
	}
	return events, next, err
}

// reauthenticate holds a request that has waited to its credential once more,
// which may have ended or been limited meanwhile.
func (a *API) reauthenticate(r *request) error {
	principal, refused, err := a.verify(r)
	switch {
	case err != nil:
		return err
	case refused != nil:
		return refused
	}
	r.principal = principal
	return authorize(r)
}

// whileServing returns a context that ends with the server too.
func (a *API) whileServing(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	if a.Serving == nil {
		return ctx, cancel
	}
	unlink := context.AfterFunc(a.Serving, cancel)
	return ctx, func() {
		unlink()
		cancel()
	}
}

func jsonEvents(events []store.Change, next int64) *response {
	body := []byte(`{"data":[`)
	for i := range events {
		if i > 0 {
			body = append(body, ',')
		}
		body = events[i].Event().AppendJSON(body)
	}
	body = strconv.AppendInt(append(body, `],"next":"`...), next, 10)
	resp := jsonResponse(http.StatusOK, append(body, `"}`...))
	resp.header = map[string]string{"Cache-Control": "no-store"}
	return resp
}

// after reads where to continue: Last-Event-ID, which clients of a stream send
// when they connect again, counts before the parameter. Without either it is
// negative, the beginning.
func (p *params) after(r *request) int64 {
	name := "Last-Event-ID"
	text := r.Header.Get(name)
	if text == "" {
		var ok bool
		name = "after"
		if text, ok = p.get(name); !ok {
			return -1
		}
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 || text != strconv.FormatInt(n, 10) {
		p.faults.Add(name, "must be a position that the feed gave out; begin again without one")
	}
	return n
}

// eventTypes reads which events are wanted.
func (p *params) eventTypes() []octavo.EventType {
	text, ok := p.get("types")
	if !ok {
		return octavo.DefaultEventTypes()
	}
	var types []octavo.EventType
	for _, name := range strings.Split(text, ",") {
		t := octavo.EventType(name)
		if !t.WellFormed() {
			p.faults.Add("types", "must list types such as page.published, separated by commas; %q is none", name)
			return nil
		}
		types = append(types, t)
	}
	if len(types) > octavo.MaxEventTypes {
		p.faults.Add("types", "must list at most %d types", octavo.MaxEventTypes)
	}
	return types
}

func (p *params) wait() time.Duration {
	text, ok := p.get("wait")
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || strings.HasPrefix(text, "+") || n < 0 || n > maxWait {
		p.faults.Add("wait", "must be a whole number of seconds from 0 to %d", maxWait)
	}
	return time.Duration(n) * time.Second
}
