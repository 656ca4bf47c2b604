package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/store"
)

// streamEvents answers with server-sent events (WHATWG HTML section 9.2) until
// the client goes, the server stops or the credential ends. Then the stream
// ends as a whole, and its client continues from the last id that it saw.
func (a *API) streamEvents(r *request, q store.EventQuery) (*response, error) {
	q.Limit = maxLimit
	events, next, err := a.readEvents(r, q) // before the answer begins, so that a failure can be told
	if err != nil {
		return nil, err
	}
	return &response{
		status: http.StatusOK, contentType: mediaEventStream, live: true,
		header: map[string]string{"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
		stream: func(write func([]byte) error) error {
			ctx, cancel := a.whileServing(r.Context())
			defer cancel()
			_ = http.NewResponseController(r.w).SetReadDeadline(time.Time{}) // the time for the request would end the stream
			return ended(ctx, a.follow(ctx, r, q, events, next, write))
		},
	}, nil
}

// follow writes the events, and those that come after them. Each reading is
// the credential's as it is then, and what was read is told only while it holds.
func (a *API) follow(ctx context.Context, r *request, q store.EventQuery, events []store.Change, next int64, write func([]byte) error) error {
	for {
		if write(streamed(events, next)) != nil {
			return nil // nobody reads it any more
		}
		err := a.reauthenticate(r)
		if err != nil {
			return err
		}
		q.After = next
		if events, next, err = a.awaitEvents(ctx, r, q, heartbeat); err != nil || ctx.Err() != nil {
			return err
		}
		if err := a.reauthenticate(r); err != nil {
			return err
		}
	}
}

// streamed is how events are sent, and how it is told up to where there is no
// other: an id without data moves the client's position and is no event to it.
func streamed(events []store.Change, next int64) []byte {
	var text []byte
	for i := range events {
		text = append(strconv.AppendInt(append(text, "id: "...), events[i].Position, 10), "\ndata: "...)
		from := len(text)
		text = events[i].Event().AppendJSON(text)
		for j := from; j < len(text); j++ {
			if text[j] == '\n' || text[j] == '\r' { // only between the parts of JSON, where a space does as well
				text[j] = ' '
			}
		}
		text = append(text, "\n\n"...)
	}
	return append(strconv.AppendInt(append(text, "id: "...), next, 10), "\n\n"...)
}

// ended drops the errors that are reasons for a stream to end as a whole: that
// its client or the server is gone, that the credential does not hold any more,
// that the events to come are not kept.
func ended(ctx context.Context, err error) error {
	var refused *auth.Error
	var told *octavo.Error
	switch {
	case ctx.Err() != nil, errors.As(err, &refused):
		return nil
	case errors.As(err, &told) && told.Type.Info().Status < http.StatusInternalServerError,
		told != nil && told.Type == octavo.Unavailable:
		return nil
	}
	return err
}
