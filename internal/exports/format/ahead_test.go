package format

import (
	"context"
	"errors"
	"iter"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// pile gives so many pages of so many bytes, and counts those that are asked
// for. At one of them something else is done.
type pile struct {
	pages, bytes int
	at           int
	instead      func(ctx context.Context) error
	asked        int
}

func (p *pile) read(ctx context.Context) iter.Seq2[book.Text, error] {
	return func(yield func(book.Text, error) bool) {
		for i := range p.pages {
			p.asked++
			var err error
			if i == p.at && p.instead != nil {
				err = p.instead(ctx)
			}
			text := book.Text{Page: &book.Page{Level: i}, RevisionText: pagestore.RevisionText{Kept: true, Content: []byte(strings.Repeat("a", p.bytes))}}
			if !yield(text, err) {
				return
			}
		}
	}
}

// TestReadAheadLimit holds how many pages are asked for when one was
// taken: that one, those that wait, and one for which there is no room.
func TestReadAheadLimit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ pages, bytes, want int }{
		{5, 10, 5},
		{1000, 10, 1 + aheadPages + 1},
		{1000, aheadBytes / 2, 1 + 2 + 1},
		{1000, aheadBytes, 1 + 1 + 1},
		{1000, aheadBytes + 1, 1 + 1 + 1},
	} {
		synctest.Test(t, func(t *testing.T) {
			p := &pile{pages: c.pages, bytes: c.bytes}
			next, stop := iter.Pull2(ahead(t.Context(), p.read, nil))
			for taken := range 3 {
				l, err, _ := next()
				synctest.Wait()
				if want := min(c.want+taken, c.pages); p.asked != want || l.Level != taken || l.document == nil || err != nil {
					t.Errorf("%d pages of %d bytes, %d taken: have page %d, %v, %d asked for, want %d", c.pages, c.bytes, taken+1, l.Level, err, p.asked, want)
				}
			}
			stop()
			asked := p.asked
			if synctest.Wait(); p.asked != asked {
				t.Errorf("%d pages of %d bytes: %d more were read for nobody", c.pages, c.bytes, p.asked-asked)
			}
		})
	}
}

// TestReadingAheadEnds shows how it does: by an error in its turn, and by
// leaving while it reads. No goroutine may stay: each bubble waits for its own.
func TestReadingAheadEnds(t *testing.T) {
	t.Parallel()
	const at = 20
	broken := errors.New("the disk is broken")
	wait := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	for _, c := range []struct {
		name    string
		instead func(ctx context.Context) error
		cancel  bool // when the page before was taken
		leave   int  // after so many pages
		want    int  // pages
		err     string
	}{
		{"all", nil, false, 0, 40, ""},
		{"an error", func(context.Context) error { return broken }, false, 0, at, "the disk is broken"},
		{"an error of the context", wait, true, 0, at, "context canceled"},
		{"a panic", func(context.Context) error { panic("a fault") }, false, 0, at, "panic while pages are read ahead: a fault"},
		{"left at once", nil, false, 1, 1, ""},
		{"left while a page is read", wait, false, at - 1, at - 1, ""},
		{"left before an error", func(context.Context) error { return broken }, false, at - 1, at - 1, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			have, failure := 0, error(nil)
			for l, err := range ahead(ctx, (&pile{pages: 40, bytes: 10, at: at, instead: c.instead}).read, nil) {
				if failure != nil {
					t.Errorf("%s: page %d, %v comes after an error", c.name, l.Level, err)
				}
				if failure = err; err != nil {
					continue
				}
				if l.Level != have {
					t.Errorf("%s: have page %d, want %d", c.name, l.Level, have)
				}
				if have++; have == at && c.cancel {
					synctest.Wait()
					cancel()
				}
				if have == c.leave {
					break
				}
			}
			if have != c.want || (failure == nil) != (c.err == "") || failure != nil && !strings.HasPrefix(failure.Error(), c.err) {
				t.Errorf("%s: have %d pages, %v; want %d, %q", c.name, have, failure, c.want, c.err)
			}
		})
	}
}

// TestReadingAheadColors shows that code is coloured ahead, and no more of it
// than the highlighter remembers.
func TestReadingAheadColors(t *testing.T) {
	t.Parallel()
	const blocks, size = 20, 100 << 10
	content := ""
	for i := range blocks {
		content += "```text\n" + strings.Repeat(string(rune('a'+i)), size-1) + "\n```\n\n"
	}
	colors := highlight.New(remembered)
	pages := func(context.Context) iter.Seq2[book.Text, error] {
		return func(yield func(book.Text, error) bool) {
			yield(book.Text{Page: &book.Page{}, RevisionText: pagestore.RevisionText{Kept: true, Content: []byte(content)}}, nil)
		}
	}
	for l, err := range ahead(t.Context(), pages, colors) {
		if err != nil {
			t.Fatal(err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		known := 0
		for _, b := range l.document.Blocks {
			if c, ok := b.(*document.Code); ok {
				if _, err := colors.Tokens(ended, c.Language, c.Text); err == nil { // nothing is coloured any more
					known++
				}
			}
		}
		if want := remembered / 4 / size; known != want {
			t.Errorf("have %d blocks of %d coloured, want %d", known, blocks, want)
		}
	}
}
