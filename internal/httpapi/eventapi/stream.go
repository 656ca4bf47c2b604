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

// streamEvents sends server-sent events (WHATWG HTML section 9.2) until the client
// leaves, the server stops or the credential ends. The stream then ends cleanly, and
// its client continues from the last id that it saw.
func (o Operations) streamEvents(r *rest.Request, q changelog.EventQuery) (*rest.Response, error) {
	q.Limit, q.Bytes = rest.MaxLimit, streamBytes
	events, at, err := o.readEvents(r, q, feedPosition{q.After, q.After}) // before the response begins, so that a failure can be reported
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

// follow writes the events, and later ones. It checks the credential at each read, and
// sends the result only while the credential is valid.
func (o Operations) follow(ctx context.Context, r *rest.Request, q changelog.EventQuery, events []changelog.Change, at feedPosition, write func([]byte) error) error {
	out := eventWriter{write: write}
	for {
		if out.send(events, at.sent) != nil {
			return nil // the client has left
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

// Approximate limits of a stream's memory: for events that it has read and not sent,
// and for the text that it sends next.
const (
	streamBytes = 128 << 10
	streamPiece = 16 << 10
)

// eventWriter sends events in pieces of limited size, however large they are: there may
// be many streams with slow readers.
type eventWriter struct {
	write func([]byte) error
	text  []byte
	err   error // the first
}

// send writes the events, and the position up to which there are no others: an id
// without data moves the client's position without an event.
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

// data appends JSON on one line: line ends occur only between its parts, where a space
// means the same.
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

// ended drops errors that end a stream normally: its client or the server has left, the
// credential is no longer valid, or the next events are no longer kept.
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
