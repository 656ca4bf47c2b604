package rest

import (
	"context"
	"errors"
	"net/http"
	"time"

	"golang.org/x/sync/semaphore"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const (
	tinyBody    = 4 << 10   // a body up to this size is not counted
	usualBody   = 16 << 10  // initial allocation for a body of known length
	unknownBody = 1 << 20   // allocation for a longer body of unknown length
	smallBody   = 64 << 10  // a body up to this size does not wait for larger ones
	largeAnswer = 256 << 10 // a larger response is counted
	uploadSize  = 576 << 10 // memory of an upload, of any size

	// bodyFactor is the total memory of a body, as a multiple of its length, measured
	// with a page made of links: the body, its text, its tokens and links, and the
	// response.
	bodyFactor = 24
	// listFactor is the same for the text of listed pages, which are read, encoded and
	// assembled.
	listFactor = 3
	// bulkFactor limits the text of the pages in a bulk response, as a multiple of the
	// maximum body.
	bulkFactor = 8

	memoryWait = 3 * time.Second // how long a request waits for memory
)

// memory is the memory budget that requests share. A sixteenth is reserved for small
// bodies, which must not wait for large ones. An eighth is for large bodies while they
// arrive, since slow senders must not block others, and an eighth is for uploads, which
// may take hours.
type memory struct {
	shared, small, arriving, uploads *budget
	listMost                         int // bytes of text after which a list ends
}

// newMemory divides size bytes; 0 means no limits.
func newMemory(size int64) memory {
	small, arriving, uploads := size/16, size/8, size/8
	return memory{newBudget(size - small - arriving - uploads), newBudget(small), newBudget(arriving), newBudget(uploads), int(size / 64)}
}

// budget is a number of bytes; nil means unlimited.
type budget struct {
	size int64
	free *semaphore.Weighted
}

func newBudget(size int64) *budget {
	if size <= 0 {
		return nil
	}
	return &budget{size, semaphore.NewWeighted(size)}
}

// lease is what a request has taken from a budget.
type lease struct {
	of   *budget
	size int64
}

// try takes n more bytes if they are free. If the whole budget is smaller, it takes all
// of it.
func (l *lease) try(n int64) bool {
	if l.of == nil || n <= 0 {
		return true
	}
	n = min(n, l.of.size-l.size)
	ok := n == 0 || l.of.free.TryAcquire(n)
	if ok {
		l.size += n
	}
	return ok
}

// take is try, but waits for a while.
func (l *lease) take(ctx context.Context, n int64) error {
	if l.try(n) {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, memoryWait)
	defer cancel()
	n = min(n, l.of.size-l.size)
	switch err := l.of.free.Acquire(ctx, n); {
	case err == nil:
		l.size += n
		return nil
	case errors.Is(err, context.Canceled):
		return err
	default:
		return &octavo.Error{Type: octavo.Unavailable, Detail: "The server has no memory left for another large request.", RetryAfter: memoryWait}
	}
}

// keep returns all but n bytes.
func (l *lease) keep(n int64) {
	if l.size > n {
		l.of.free.Release(l.size - n)
		l.size = n
	}
}

// TakeUpload takes the memory for an arriving file, until leave is called.
func (r *Request) TakeUpload() (leave func(), err error) {
	l := lease{of: r.api.memory.uploads}
	return func() { l.keep(0) }, l.take(r.Context(), uploadSize)
}

// TakePart takes the memory for processing size bytes of a form, until leave is called:
// the rest of the form may arrive for hours.
func (r *Request) TakePart(size int) (leave func(), err error) {
	return func() { r.small.keep(0); r.memory.keep(0) }, r.takeWork(size)
}

// TakeTexts takes the memory for comparing texts of size bytes, until there is a
// response. If each line has one letter, that is twice as much for a byte as a page of
// links.
func TakeTexts(r *Request, size int) error { return r.takeWork(2 * size) }

// takeWork takes the memory for processing size bytes, until there is a response. A
// request takes all that it may need at once: if each held a part and waited for more,
// they could deadlock.
func (r *Request) takeWork(size int) error {
	switch {
	case size <= tinyBody:
		return nil
	case size <= smallBody:
		return r.small.take(r.Context(), bodyFactor*int64(size))
	}
	return r.memory.take(r.Context(), bodyFactor*int64(size))
}

// takeAnswer takes the memory for sending a response, instead of that for the work on
// it, and reports whether it may be sent. If there is none in time, a read gets a
// Problem instead. A change was made by then, so any other response would be wrong: its
// connection is closed.
func (a *API) takeAnswer(r *Request, resp *Response) bool {
	size := len(resp.Body)
	for _, p := range resp.Pieces {
		size += len(p.Plain)
	}
	if size <= largeAnswer {
		size = 0
	}
	if len(r.body) > smallBody { // which is not released before the end
		size += len(r.body)
	}
	r.small.keep(0)
	r.memory.keep(int64(size))
	err := r.memory.take(r.Context(), int64(size)-r.memory.size)
	switch {
	case err == nil:
		return true
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
		a.writeProblem(r, err)
		return false
	}
	a.Log.WarnContext(r.Context(), "no memory for the answer to a change", "request", r.id, "bytes", size)
	r.w.status = http.StatusServiceUnavailable
	panic(http.ErrAbortHandler)
}

var (
	errListLarge = errors.New("the list has much text")
	errCrowded   = errors.New("there is not as much memory now")
)

// whenFree calls run, which calls need when it knows that it needs n bytes, and fails
// with its error. If they are not free, whenFree waits for them, without a database
// connection or a transaction, and calls run again.
func (r *Request) whenFree(n int64, run func(need func() error) error) error {
	has := false
	need := func() error {
		if has = has || r.memory.try(n); !has {
			return errCrowded
		}
		return nil
	}
	err := run(need)
	if !errors.Is(err, errCrowded) {
		return err
	}
	if err := r.memory.take(r.Context(), n); err != nil {
		return err
	}
	has = true
	return run(need)
}

// BoundedList reads a list of at most limit items, with their included data, by calling
// read, which returns the response size in bytes. A list with much text ends early, and
// its cursor continues there.
func (r *Request) BoundedList(limit int, read func(ctx context.Context, limit int) (size int, err error)) error {
	most := r.api.memory.listMost
	if most == 0 {
		_, err := read(r.Context(), limit)
		return err
	}
	return r.whenFree(listFactor*int64(most), func(need func() error) error {
		for {
			rows, total := 0, 0
			ctx := sqldb.MeterRows(r.Context(), func(bytes int) error {
				rows, total = rows+1, total+bytes
				switch {
				case total > most && rows > 1 && limit > 1:
					return errListLarge
				case total > largeAnswer:
					return need()
				}
				return nil
			})
			size, err := read(ctx, limit)
			switch {
			case errors.Is(err, errListLarge) && rows > limit+1: // the included data is too large
				limit /= 2
			case errors.Is(err, errListLarge):
				limit = max(1, min(limit-1, rows-1))
			case err == nil && size > most && limit > 1:
				limit = max(1, min(limit-1, limit*most/size))
			default:
				return err
			}
		}
	})
}

// BoundedBulk runs a bulk request by calling run, which passes to answer the text size
// of the response so far. The text that clients send is limited by the body and counted
// already. Short changes of long pages may need more; beyond bulkFactor they are
// refused.
func (r *Request) BoundedBulk(run func(answer func(text int) error) error) error {
	most := bulkFactor * int(r.api.MaxBody)
	return r.whenFree(listFactor*int64(most), func(need func() error) error {
		return run(func(text int) error {
			switch {
			case text > most:
				return octavo.Errorf(octavo.TooLarge, "The response would contain more than %d bytes of page text: split the request.", most)
			case text > max(largeAnswer, 2*len(r.body)):
				return need()
			}
			return nil
		})
	})
}
