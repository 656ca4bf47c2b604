package eventapi

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/store/changelog"
)

// streamEvents answers with server-sent events (WHATWG HTML section 9.2) until
// the client goes, the server stops or the credential ends. Then the stream
// ends as a whole, and its client continues from the last id that it saw.
func (o Operations) streamEvents(r *rest.Request, q changelog.EventQuery) (*rest.Response, error) {
	q.Limit, q.Bytes = rest.MaxLimit, streamBytes
	events, at, err := o.readEvents(r, q, feedPosition{q.After, q.After}) // before the answer begins, so that a failure can be told
	if err != nil {
		return nil, err
	}
	return &rest.Response{
		Status: http.StatusOK, ContentType: mediaEventStream, Live: true,
		Header: map[string]string{"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
		Stream: func(write func([]byte) error) error {
			ctx, cancel := r.WhileServing(0)
			defer cancel()
			return ended(ctx, o.follow(ctx, r, q, events, at, write))
		},
	}, nil
}

// follow writes the events, and those that come after them. Each reading is
// the credential's as it is then, and what was read is told only while it holds.
func (o Operations) follow(ctx context.Context, r *rest.Request, q changelog.EventQuery, events []changelog.Change, at feedPosition, write func([]byte) error) error {
	out := eventWriter{write: write}
	for {
		if out.send(events, at.sent) != nil {
			return nil // nobody reads it any more
		}
		err := r.Reauthenticate()
		if err != nil {
			return err
		}
		if events, at, err = o.awaitEvents(ctx, r, q, at, heartbeat); err != nil || ctx.Err() != nil {
			return err
		}
		if err := r.Reauthenticate(); err != nil {
			return err
		}
	}
}

// What a stream holds in memory at once, about: events that it has read and not
// sent, and the text that it sends next.
const (
	streamBytes = 128 << 10
	streamPiece = 16 << 10
)

// eventWriter sends events in pieces of bounded size, however large they are:
// there may be many streams, and each may be read slowly.
type eventWriter struct {
	write func([]byte) error
	text  []byte
	err   error // the first
}

// send writes the events and up to where there is no other: an id without data
// moves the client's position and is no event to it.
func (w *eventWriter) send(events []changelog.Change, next int64) error {
	for i := range events {
		event := events[i].Event()
		w.text = append(strconv.AppendInt(append(w.text, "id: "...), events[i].Position, 10), "\ndata: "...)
		w.text = event.AppendHead(w.text)
		w.data(event.Data)
		w.text = append(w.text, "}\n\n"...)
	}
	w.text = append(strconv.AppendInt(append(w.text, "id: "...), next, 10), "\n\n"...)
	w.flush()
	return w.err
}

// data appends JSON on one line: line ends can only stand between its parts,
// where a space does as well.
func (w *eventWriter) data(json []byte) {
	for len(json) > 0 && w.err == nil {
		if len(w.text) >= streamPiece {
			w.flush()
		}
		n := min(len(json), streamPiece)
		from := len(w.text)
		w.text = append(w.text, json[:n]...)
		json = json[n:]
		for _, end := range []byte("\r\n") {
			for line := w.text[from:]; ; {
				i := bytes.IndexByte(line, end)
				if i < 0 {
					break
				}
				line[i] = ' '
				line = line[i+1:]
			}
		}
	}
}

func (w *eventWriter) flush() {
	if w.err == nil {
		w.err = w.write(w.text)
	}
	w.text = w.text[:0]
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
