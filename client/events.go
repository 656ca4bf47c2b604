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

// EventQuery selects events. Zero members select all.
type EventQuery struct {
	After string             // the position to continue after; "" begins at the oldest stored event
	Types []octavo.EventType // by default [octavo.DefaultEventTypes]
	Limit int                // events in one response, 1 to 100; 0 for the default of the server
	Wait  time.Duration      // how long to wait for an event if there is none: whole seconds, up to 60
}

// EventSlice is one response of the feed.
type EventSlice struct {
	Data []octavo.Event `json:"data"`
	Next string         `json:"next"` // the position to continue after
}

// Events reads the events after a position. If some of them are no longer stored,
// the error is a [Problem] of kind [octavo.Gone], whose Oldest is the oldest
// position to continue from. The timeout of the HTTP client must be longer than
// q.Wait.
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

// Follow iterates over the events after a position and then over new ones, until
// ctx ends. Each step is one response of the feed, which may have no events. Store
// its Next once you have processed the events, to continue from there after a
// restart. The iteration ends after the first error that is not temporary.
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
