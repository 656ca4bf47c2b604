package httpapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// What requests take of memory is bounded: those that take much need room for
// it, wait for that a moment, and are refused when there is none. What takes
// little is never held up by what takes much.
const (
	tinyBody    = 4 << 10   // a body of up to so many bytes needs no room
	usualBody   = 16 << 10  // so many bytes are allocated at first for a body of known length
	unknownBody = 1 << 20   // so many bytes are allocated for one of unknown length that is larger than that
	smallBody   = 64 << 10  // a body of up to so many shares no room with larger ones
	largeAnswer = 256 << 10 // an answer of more than so many needs room
	uploadSize  = 576 << 10 // a file takes so many while it arrives, however large it is

	// bodyFactor is how many times its length a body takes while it is worked
	// on, measured with a page that is made of links: the body, its text, the
	// tokens and links found in it, the answer.
	bodyFactor = 16
	// listFactor is the same for the text of listed pages, which are read,
	// encoded and put together.
	listFactor = 3

	roomWait = 3 * time.Second // how long a request waits for room
)

// rooms is the memory that requests share.
type rooms struct {
	arriving *room // bodies from their arrival to the end of the answer
	small    *room // work on small bodies
	large    *room // work on large bodies
	lists    *room // lists with much text, until they are encoded
	answers  *room // large answers, until they are sent
	uploads  *room // files while they arrive
	listMost int   // bytes of text after which a list ends early
}

// newRooms divides size bytes among the rooms; 0 sets no bounds.
func newRooms(size int64) rooms {
	return rooms{
		arriving: newRoom(size / 8), small: newRoom(size / 16), large: newRoom(5 * size / 16),
		lists: newRoom(size / 8), answers: newRoom(size / 4), uploads: newRoom(size / 8),
		listMost: int(size / 64),
	}
}

// room lets in as much as it has space for. A nil room has space for anything.
type room struct {
	size int64
	free *semaphore.Weighted
}

func newRoom(size int64) *room {
	if size <= 0 {
		return nil
	}
	return &room{size, semaphore.NewWeighted(size)}
}

// enter waits for space, and returns what gives it back. What is larger than
// the whole room gets in alone.
func (m *room) enter(ctx context.Context, weight int64) (leave func(), err error) {
	if m == nil {
		return func() {}, nil
	}
	weight = min(weight, m.size)
	ctx, cancel := context.WithTimeout(ctx, roomWait)
	defer cancel()
	if err := m.free.Acquire(ctx, weight); err != nil {
		if errors.Is(err, context.Canceled) {
			return nil, err
		}
		return nil, &octavo.Error{Type: octavo.Unavailable, Detail: "The server is busy with as many large requests as its memory bears.", RetryAfter: roomWait}
	}
	return func() { m.free.Release(weight) }, nil
}

// tryEnter is enter without waiting.
func (m *room) tryEnter(weight int64) (leave func(), ok bool) {
	weight = min(weight, m.size)
	return func() { m.free.Release(weight) }, m.free.TryAcquire(weight)
}

// hold keeps space for the request until its end.
func (r *request) hold(leave func()) { r.held = append(r.held, leave) }

// leave gives back all that the request holds.
func (r *request) leave() {
	for _, leave := range r.held {
		leave()
	}
	r.held = nil
}

// admitWork waits until the body, which was received, can be worked on.
func (a *API) admitWork(r *request) error {
	m := a.rooms.large
	switch {
	case len(r.body) <= tinyBody:
		return nil
	case len(r.body) <= smallBody:
		m = a.rooms.small
	}
	leave, err := m.enter(r.Context(), bodyFactor*int64(len(r.body)))
	r.working = leave
	return err
}

// work keeps more space until there is an answer.
func (r *request) work(leave func()) {
	before := r.working
	r.working = func() {
		if before != nil {
			before()
		}
		leave()
	}
}

// worked gives back what the work on the body or the list took.
func (r *request) worked() {
	if r.working != nil {
		r.working()
		r.working = nil
	}
}

// admitAnswer waits until there is space to build and send an answer, and
// reports whether it may be sent. Where there is none in time, a read is answered
// with a Problem instead. A change was made by then, so that any other answer
// would be false: its connection is cut.
func (a *API) admitAnswer(r *request, resp *response) bool {
	r.worked()
	size := len(resp.body)
	for _, p := range resp.pieces {
		size += len(p.Plain)
	}
	if size <= largeAnswer || a.rooms.answers == nil {
		return true
	}
	leave, err := a.rooms.answers.enter(r.Context(), int64(size))
	if err == nil {
		r.hold(leave)
		return true
	}
	if r.Method == http.MethodGet || r.Method == http.MethodHead {
		a.writeProblem(r, err)
		return false
	}
	a.Log.WarnContext(r.Context(), "no memory for the answer to a change", "request", r.id, "bytes", size)
	r.w.status = http.StatusServiceUnavailable
	panic(http.ErrAbortHandler)
}

// sendPart is what a client has streamTime to take of a large answer, in bytes.
const sendPart = 256 << 10

// sendContent writes the body of an answer. A client that does not take a large
// one is cut off, so that it does not keep others from theirs.
func (a *API) sendContent(r *request, c content) error {
	if c.size <= sendPart {
		return a.send(r.w, c)
	}
	return a.send(&pacedWriter{r.w, http.NewResponseController(r.w)}, c)
}

// pacedWriter gives each part of what is written its time.
type pacedWriter struct {
	w io.Writer
	c *http.ResponseController
}

// Write implements io.Writer.
func (p *pacedWriter) Write(body []byte) (written int, err error) {
	for err == nil && len(body) > 0 {
		part := body[:min(len(body), sendPart)]
		_ = p.c.SetWriteDeadline(deadline(streamTime)) // where the writer has one
		var n int
		n, err = p.w.Write(part)
		written += n
		body = body[len(part):]
	}
	return written, err
}

// Why the reading of a list is given up; it is tried again otherwise.
var (
	errListLarge   = errors.New("the list has much text")
	errListCrowded = errors.New("there is no space for a list with much text now")
)

// boundedList reads a list of at most limit items, with what they include, by
// calling read, which returns how many bytes it will be sent as. One with much
// text ends early, which its cursor tells; it is read only while there is space
// for it.
func (a *API) boundedList(r *request, limit int, read func(ctx context.Context, limit int) (size int, err error)) error {
	m := a.rooms.lists
	if m == nil {
		_, err := read(r.Context(), limit)
		return err
	}
	most := a.rooms.listMost
	weight := min(listFactor*int64(most), m.size)
	for {
		rows, total := 0, 0
		ctx := store.MeterRows(r.Context(), func(bytes int) error {
			rows, total = rows+1, total+bytes
			switch {
			case total > most && rows > 1 && limit > 1:
				return errListLarge
			case total <= largeAnswer || r.working != nil:
			case !m.free.TryAcquire(weight):
				return errListCrowded
			default:
				r.working = func() { m.free.Release(weight) }
			}
			return nil
		})
		size, err := read(ctx, limit)
		switch {
		case errors.Is(err, errListLarge) && rows > limit+1: // it is what they include that has much text
			limit /= 2
		case errors.Is(err, errListLarge):
			limit = max(1, min(limit-1, rows-1))
		case errors.Is(err, errListCrowded): // waited for without a connection to the database
			if r.working, err = m.enter(r.Context(), weight); err != nil {
				return err
			}
		case err == nil && size > most && limit > 1:
			limit = max(1, min(limit-1, limit*most/size))
		default:
			return err
		}
	}
}
