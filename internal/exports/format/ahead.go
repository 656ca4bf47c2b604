package format

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
	"github.com/octavo-docs/octavo/internal/exports/book"
)

// How far pages are read ahead of the one that is being set. The tree of a
// page may take ten times the bytes of its text.
const (
	aheadPages = 16
	aheadBytes = 128 << 10 // of text; a larger page comes alone
)

// leaf is a page that was read ahead.
type leaf struct {
	book.Text
	document *document.Document // its content; nil if it is not kept
}

// ahead iterates over pages that a goroutine reads, parses and colours, up
// to the first error. The goroutine has ended when the iteration ends.
func ahead(ctx context.Context, pages func(context.Context) iter.Seq2[book.Text, error], colors *highlight.Highlighter) iter.Seq2[leaf, error] {
	return func(yield func(leaf, error) bool) {
		// An error of ctx arrives through the reads, in order. wanted ends
		// only with the iteration.
		wanted, leave := context.WithCancel(context.WithoutCancel(ctx))
		ctx, stop := context.WithCancel(ctx)
		r := reader{colors: colors, wanted: wanted, room: semaphore.NewWeighted(aheadBytes), pages: make(chan read, aheadPages)}
		var reading sync.WaitGroup
		defer reading.Wait()
		defer stop()
		defer leave()
		reading.Go(func() { r.run(ctx, pages(ctx)) })
		for next := range r.pages {
			r.room.Release(next.weight)
			if !yield(next.leaf, next.err) {
				return
			}
		}
	}
}

// read is a page that was read ahead, or an error.
type read struct {
	leaf
	weight int64
	err    error
}

// reader reads pages ahead.
type reader struct {
	colors *highlight.Highlighter
	wanted context.Context // ends when no more pages are taken
	room   *semaphore.Weighted
	pages  chan read
}

// run sends the pages of a book until they end, or are no longer wanted. It
// sends a panic as an error.
func (r *reader) run(ctx context.Context, pages iter.Seq2[book.Text, error]) {
	defer close(r.pages)
	defer func() {
		if p := recover(); p != nil {
			r.send(read{err: fmt.Errorf("panic while pages are read ahead: %v\n%s", p, debug.Stack())})
		}
	}()
	for t, err := range pages {
		next := read{leaf: leaf{Text: t}, weight: min(int64(len(t.Content)), aheadBytes), err: err}
		if r.room.Acquire(r.wanted, next.weight) != nil {
			return
		}
		if err == nil && t.Kept {
			next.document = t.Document()
			next.Content, next.RawFront = nil, nil // valid only until the next one, which comes before the page is set
			r.color(ctx, next.document)
		}
		if !r.send(next) || err != nil {
			return
		}
	}
}

// send reports whether the page was wanted.
func (r *reader) send(next read) bool {
	select {
	case r.pages <- next:
		return true
	case <-r.wanted.Done():
		return false
	}
}

// color colours the code of a page. The highlighter caches the result until
// the page is set, up to its capacity.
func (r *reader) color(ctx context.Context, d *document.Document) {
	left := remembered / 4
	d.Walk(func(n document.Node) bool {
		if c, ok := n.(*document.Code); ok && c.Colored() && len(c.Text) <= left {
			left -= len(c.Text)
			_, _ = r.colors.Tokens(ctx, c.Language, c.Text) // an error is reported when the page is set
		}
		return true
	})
}
