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
	tinyBody    = 4 << 10   // a body of up to so many bytes is not counted
	usualBody   = 16 << 10  // so many bytes are allocated at first for a body of known length
	unknownBody = 1 << 20   // so many bytes are allocated for one of unknown length that is larger than that
	smallBody   = 64 << 10  // a body of up to so many does not wait for larger ones
	largeAnswer = 256 << 10 // an answer of more than so many is counted
	uploadSize  = 576 << 10 // a file takes so many while it arrives, however large it is

	// bodyFactor is how many times its length a body takes in all, measured with
	// a page that is made of links: the body, its text, the tokens and links
	// found in it, the answer.
	bodyFactor = 24
	// listFactor is the same for the text of listed pages, which are read,
	// encoded and put together.
	listFactor = 3
	// bulkFactor is how many times the largest body the text may have of the
	// pages that one bulk request is answered with.
	bulkFactor = 8

	memoryWait = 3 * time.Second // how long a request waits for memory
)

// memory is the budget of bytes that requests share. A sixteenth is kept for
// small bodies, which must not wait for large ones, an eighth for large bodies
// while they arrive, since slow senders must not hold up others, and an eighth for
// uploads, which may take hours.
type memory struct {
	shared, small, arriving, uploads *budget
	listMost                         int // bytes of text after which a list ends early
}

// newMemory divides size bytes; 0 sets no bounds.
func newMemory(size int64) memory {
	small, arriving, uploads := size/16, size/8, size/8
	return memory{newBudget(size - small - arriving - uploads), newBudget(small), newBudget(arriving), newBudget(uploads), int(size / 64)}
}

// budget is a number of bytes; nil is any number.
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

// lease is what a request has taken of a budget.
type lease struct {
	of   *budget
	size int64
}

// try takes n bytes more, if they are free. Where there are less in all, a
// request takes all.
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

// take is try that waits for a while.
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

// keep gives back all but n bytes.
func (l *lease) keep(n int64) {
	if l.size > n {
		l.of.free.Release(l.size - n)
		l.size = n
	}
}

// TakeUpload takes the memory for a file that arrives, until leave is called.
func (r *Request) TakeUpload() (leave func(), err error) {
	l := lease{of: r.api.memory.uploads}
	return func() { l.keep(0) }, l.take(r.Context(), uploadSize)
}

// TakePart takes the memory to work on size bytes of a form, until leave is
// called: the rest of the form may arrive for hours.
func (r *Request) TakePart(size int) (leave func(), err error) {
	return func() { r.small.keep(0); r.memory.keep(0) }, r.takeWork(size)
}

// TakeTexts takes the memory to compare texts of size bytes, until there is an answer.
// Where each line has one letter, that takes twice as much for a byte as a page of links.
func TakeTexts(r *Request, size int) error { return r.takeWork(2 * size) }

// takeWork takes the memory to work on size bytes, until there is an answer. A
// request takes all that it may need at once: if each kept a part and waited
// for more, none might go on.
func (r *Request) takeWork(size int) error {
	switch {
	case size <= tinyBody:
		return nil
	case size <= smallBody:
		return r.small.take(r.Context(), bodyFactor*int64(size))
	}
	return r.memory.take(r.Context(), bodyFactor*int64(size))
}

// takeAnswer takes the memory to send an answer, in place of what the work on
// it took, and reports whether it may be sent. Where there is none in time, a
// read is answered with a Problem instead. A change was made by then, so that
// any other answer would be false: its connection is cut.
func (a *API) takeAnswer(r *Request, resp *Response) bool {
	size := len(resp.Body)
	for _, p := range resp.Pieces {
		size += len(p.Plain)
	}
	if size <= largeAnswer {
		size = 0
	}
	if len(r.body) > smallBody { // which is not free before the end
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

// whenFree calls run, which calls need once it knows that it needs n bytes, and
// ends with its error. If they are not free, whenFree waits for them, without a
// connection to the database or a transaction, and calls run again.
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

// BoundedList reads a list of at most limit items, with what they include, by
// calling read, which returns how many bytes it will be sent as. One with much
// text ends early, which its cursor tells.
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
			case errors.Is(err, errListLarge) && rows > limit+1: // it is what they include that has much text
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

// BoundedBulk carries out a bulk request by calling run, which passes to answer
// how many bytes of text it is to be answered with so far. What is sent is
// bounded by the length of the body and counted already; of what short changes
// leave behind, more than bulkFactor allows is refused.
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
