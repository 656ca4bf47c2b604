package book

import (
	"context"
	"fmt"
	"iter"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
)

// How far pages are read ahead of the one that is set. The tree of a page may
// take ten times the bytes of its text.
const (
	aheadPages = 16
	aheadBytes = 128 << 10 // of text; a page that has more is alone
)

// alone reports whether there are no requests to give way to, so that a book may
// have all processors.
func (b *Book) alone() bool { return b.maker.Answered == nil }

// documents iterates over the pages with what they say parsed, in order. Where
// there are no requests to give way to, another goroutine reads, parses and
// colours the next pages meanwhile: what comes of a book is the same.
func (b *Book) documents(ctx context.Context, colors *highlight.Highlighter) iter.Seq2[leaf, error] {
	if b.alone() {
		return b.documentsAhead(ctx, colors)
	}
	return func(yield func(leaf, error) bool) {
		for text, err := range b.Texts(ctx) {
			l := leaf{Text: text}
			if err == nil {
				l.document = b.document(text)
			}
			if !yield(l, err) {
				return
			}
		}
	}
}

// documentsAhead is documents with a goroutine.
func (b *Book) documentsAhead(ctx context.Context, colors *highlight.Highlighter) iter.Seq2[leaf, error] {
	return func(yield func(leaf, error) bool) {
		for l, err := range ahead(ctx, b.read, colors) {
			if err == nil && l.gone {
				b.warnGone(l.Page)
				continue
			}
			if err == nil {
				b.describe(l.Page, l.document)
			}
			if !yield(l, err) {
				return
			}
		}
	}
}

// ahead iterates over pages that a goroutine reads, parses and colours, up to
// the first error. The goroutine has ended when the iteration has.
func ahead(ctx context.Context, pages func(context.Context) iter.Seq2[leaf, error], colors *highlight.Highlighter) iter.Seq2[leaf, error] {
	return func(yield func(leaf, error) bool) {
		// An error of ctx comes in its turn, from what is read; wanted ends with
		// the iteration alone.
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

// read is a page that was read ahead, or why none was.
type read struct {
	leaf
	weight int64
	err    error
}

// reader reads pages ahead.
type reader struct {
	colors *highlight.Highlighter
	wanted context.Context // ends when nobody takes pages any more
	room   *semaphore.Weighted
	pages  chan read
}

// run sends the pages of a book until they end, or nobody wants them. A panic
// is an error in their place.
func (r *reader) run(ctx context.Context, pages iter.Seq2[leaf, error]) {
	defer close(r.pages)
	defer func() {
		if p := recover(); p != nil {
			r.send(read{err: fmt.Errorf("panic while pages are read ahead: %v\n%s", p, debug.Stack())})
		}
	}()
	for l, err := range pages {
		next := read{leaf: l, weight: min(int64(len(l.Content)), aheadBytes), err: err}
		if r.room.Acquire(r.wanted, next.weight) != nil {
			return
		}
		if err == nil && !l.gone {
			next.document = l.Text.document()
			next.Content, next.RawFront = nil, nil // good until the next comes, and that is before the page is set
			r.color(ctx, next.document)
		}
		if !r.send(next) || err != nil {
			return
		}
	}
}

// send reports whether the page is wanted.
func (r *reader) send(next read) bool {
	select {
	case r.pages <- next:
		return true
	case <-r.wanted.Done():
		return false
	}
}

// color colours the code of a page, which the highlighter remembers until the
// page is set; no more than it can.
func (r *reader) color(ctx context.Context, d *document.Document) {
	left := remembered / 4
	d.Walk(func(n document.Node) bool {
		if c, ok := n.(*document.Code); ok && c.Colored() && len(c.Text) <= left {
			left -= len(c.Text)
			_, _ = r.colors.Tokens(ctx, c.Language, c.Text) // an error is told when the page is set
		}
		return true
	})
}
