package client

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
)

// followWait is how long one request of Follow waits for an event, less than
// DefaultTimeout.
const followWait = 30 * time.Second

// EventQuery selects events. Zero members do not narrow.
type EventQuery struct {
	After string             // the position to continue behind; "" begins at the oldest event kept
	Types []octavo.EventType // none stand for [octavo.DefaultEventTypes]
	Limit int                // events in one answer, 1 to 100; 0 leaves it to the server
	Wait  time.Duration      // how long to wait when there is no event yet: whole seconds, up to 60
}

// EventSlice is one answer of the feed.
type EventSlice struct {
	Data []octavo.Event `json:"data"`
	Next string         `json:"next"` // the position to continue behind
}

// Events reads the events behind a position. When some of them are not kept
// any more the error is a [Problem] of kind [octavo.Gone], whose Oldest is the
// first position that the feed can still be read from. The timeout of the HTTP
// client has to be longer than q.Wait.
func (c *Client) Events(ctx context.Context, q EventQuery, opts ...CallOption) (EventSlice, error) {
	query := url.Values{}
	if q.After != "" {
		query.Set("after", q.After)
	}
	if len(q.Types) > 0 {
		names := make([]string, len(q.Types))
		for i, t := range q.Types {
			names[i] = string(t)
		}
		query.Set("types", strings.Join(names, ","))
	}
	if q.Limit != 0 {
		query.Set("limit", strconv.Itoa(q.Limit))
	}
	if q.Wait != 0 {
		query.Set("wait", strconv.Itoa(int(q.Wait/time.Second)))
	}
	return read[EventSlice](ctx, c, request{method: http.MethodGet, path: "/events", query: query}, opts)
}

// Follow iterates over the events behind a position and then over those to
// come, for as long as ctx lasts. Each step is one answer of the feed, which may
// hold no events. Keep its Next once the events are dealt with: a program that
// is started anew goes on from there. The iteration ends after the first error
// that trying again does not mend.
func (c *Client) Follow(ctx context.Context, q EventQuery, opts ...CallOption) iter.Seq2[EventSlice, error] {
	return func(yield func(EventSlice, error) bool) {
		q := q // so that the iterator can be used again
		if q.Wait == 0 {
			q.Wait = followWait
		}
		for {
			s, err := c.Events(ctx, q, opts...)
			if !yield(s, err) || err != nil {
				return
			}
			q.After = s.Next
		}
	}
}
