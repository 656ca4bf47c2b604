package site

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/document"
)

// zipOf returns a site as bytes.
func zipOf(t testing.TB, b Book, o Options) ([]byte, Report) {
	t.Helper()
	var out bytes.Buffer
	r, err := Write(t.Context(), &out, b, o)
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), r
}

// counted counts how many documents a book is asked for.
func counted(b Book, asked *int) Book {
	pages := b.Pages
	b.Pages = func(yield func(Page, error) bool) {
		for p, err := range pages {
			say := p.Document
			p.Document = func() *document.Document { *asked++; return say() }
			if !yield(p, err) {
				return
			}
		}
	}
	return b
}

// TestKeptPagesGiveTheSameBytes makes the documentation without a cache, into
// one, and out of it, and with one page or another changed.
func TestKeptPagesGiveTheSameBytes(t *testing.T) {
	t.Parallel()
	l := documentation(t)
	want, wantReport := zipOf(t, l.book(), l.options())
	o := l.options()
	o.Cache = NewCache(64<<20, time.Hour, time.Now)
	for _, wantAsked := range []int{len(l.list), 0} {
		asked := 0
		have, report := zipOf(t, counted(l.book(), &asked), o)
		if asked != wantAsked || !bytes.Equal(have, want) {
			t.Errorf("%d pages were made, the bytes are the same: %t; want %d, true", asked, bytes.Equal(have, want), wantAsked)
		}
		if fmt.Sprint(report) != fmt.Sprint(wantReport) {
			t.Errorf("report: have %v, want %v", report, wantReport)
		}
	}
	alone := o // with the colours that are known by now
	alone.Cache = nil
	for i := 0; i < len(l.list); i += 8 {
		said := l.list[i].content
		l.list[i].content += "\n\nAnd one thing more.\n"
		asked := 0
		have, _ := zipOf(t, counted(l.book(), &asked), o)
		want, _ := zipOf(t, l.book(), alone)
		if asked != 1 || !bytes.Equal(have, want) {
			t.Errorf("%s changed: %d pages were made, the bytes are the same: %t; want 1, true", l.list[i].path, asked, bytes.Equal(have, want))
		}
		l.list[i].content = said
	}
}

// shelf is a small book whose pages link to each other and show a picture.
type shelf struct {
	Book
	Options
	gone map[string]bool // pages that links do not find
}

func newShelf(cache *Cache) *shelf {
	s := &shelf{
		Book: small([2]string{"one", "# One\n\n[two](two) ![a](a.png)\n"}, [2]string{"two", "# Two\n\n[three](three#x) and ![far](far.png)\n"}, [2]string{"three", "# Three\n\n## X\n\n![b](a.png) ![c](c.png)\n"}),
		gone: map[string]bool{},
	}
	s.Options = plain()
	s.Cache = cache
	s.Link = func(_ Page, href string) (Target, bool) {
		key, fragment, _ := strings.Cut(href, "#")
		return Target{Key: key, Fragment: fragment}, !s.gone[key]
	}
	s.Asset = func(_ Page, href string) (Asset, bool) {
		if href == "far.png" {
			return Asset{Key: "far", Address: "https://files.example/far.png"}, !s.gone["far"]
		}
		return Asset{Key: href, Name: href, Open: func(context.Context) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader("bytes of " + href)), nil
		}}, strings.HasSuffix(href, ".png") && !s.gone[href]
	}
	return s
}

// TestCacheAfterChange checks that the cache does not affect the output after changes
// around pages, and saves all unaffected work.
func TestCacheAfterChange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		change func(s *shelf)
		made   int
		lacks  string // in all files
	}{
		{"nothing", func(*shelf) {}, 0, ""},
		{"a page is renamed", func(s *shelf) { s.Contents[1].Slug = "zwei" }, 2, "two.html"},
		{"a page has another title", func(s *shelf) { s.Contents[1].Title = "Zwei" }, 1, ""},
		{"a page is not in the book", func(s *shelf) {
			s.gone["two"] = true
			s.Book = without(s.Book, "two")
		}, 1, "two.html"},
		{"a page is not found by links", func(s *shelf) { s.gone["three"] = true }, 1, "three.html#x"},
		{"a file is gone", func(s *shelf) { s.gone["a.png"] = true }, 2, "assets/a.png"},
		{"a file on another server is gone", func(s *shelf) { s.gone["far"] = true }, 1, "files.example"},
		{"the language", func(s *shelf) { s.Language = "de" }, 3, ""},
		{"the theme", func(s *shelf) { s.Theme.Name = "dark" }, 0, ""},
		{"the title of the book", func(s *shelf) { s.Title = "Other" }, 0, ""},
		{"a level", func(s *shelf) { s.Contents[1].Level = 1 }, 0, ""},
		{"a description", func(s *shelf) { s.each(func(p *Page) { p.Description = "About " + p.Key }) }, 3, ""},
		{"a date", func(s *shelf) { s.each(func(p *Page) { p.Updated = time.Unix(1e9, 0) }) }, 3, ""},
		{"no digest", func(s *shelf) { s.each(func(p *Page) { p.Digest = [sha256.Size]byte{} }) }, 3, ""},
	} {
		cache := NewCache(1<<20, time.Hour, time.Now)
		before := newShelf(cache)
		zipOf(t, before.Book, before.Options)
		fresh, kept := newShelf(nil), newShelf(cache)
		c.change(fresh)
		c.change(kept)
		asked := 0
		want, wantReport := zipOf(t, fresh.Book, fresh.Options)
		have, report := zipOf(t, counted(kept.Book, &asked), kept.Options)
		if !bytes.Equal(have, want) || asked != c.made || fmt.Sprint(report) != fmt.Sprint(wantReport) {
			t.Errorf("%s: %d pages were made, the bytes are the same: %t; want %d, true\nreport %v, want %v", c.name, asked, bytes.Equal(have, want), c.made, report, wantReport)
		}
		for name, text := range unzip(t, have) {
			if c.lacks != "" && strings.Contains(text, c.lacks) {
				t.Errorf("%s: %s has %s", c.name, name, c.lacks)
			}
		}
	}
}

func (s *shelf) each(change func(*Page)) {
	pages := s.Pages
	s.Pages = func(yield func(Page, error) bool) {
		for p, err := range pages {
			change(&p)
			if !yield(p, err) {
				return
			}
		}
	}
}

// without returns a book without one page.
func without(b Book, key string) Book {
	pages, contents := b.Pages, b.Contents
	b.Contents = nil
	for _, e := range contents {
		if e.Key != key {
			b.Contents = append(b.Contents, e)
		}
	}
	b.Pages = func(yield func(Page, error) bool) {
		for p, err := range pages {
			if p.Key != key && !yield(p, err) {
				return
			}
		}
	}
	return b
}

// TestCacheOnlyCertain: the time for colours ran out, or the site was
// not finished.
func TestCacheOnlyCertain(t *testing.T) {
	t.Parallel()
	cache := NewCache(8<<20, time.Hour, time.Now)
	o := plain()
	o.Cache = cache
	asked := 0
	b := counted(small([2]string{"one", "```go\n" + strings.Repeat("x := 1\n", 40_000) + "```\n"}), &asked)
	zipOf(t, b, o)
	zipOf(t, b, o)
	if asked != 2 {
		t.Errorf("a page whose code is not coloured was made %d times, want 2", asked)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	s := newShelf(NewCache(1<<20, time.Hour, time.Now))
	if _, err := Write(ended, io.Discard, s.Book, s.Options); !errors.Is(err, context.Canceled) {
		t.Errorf("have %v, want that it was cancelled", err)
	}
	for key := range s.Cache.kept {
		if key.page {
			t.Error("a page is kept that was not finished")
		}
	}
}

// TestCacheLimit holds the limit, that what was used of late stays, and that
// what nobody uses goes.
func TestCacheLimit(t *testing.T) {
	t.Parallel()
	at := time.Unix(0, 0)
	c := NewCache(10*(100+keptOverhead), time.Hour, func() time.Time { return at })
	key := func(n int) cacheKey { return cacheKey{sum: sha256.Sum256(fmt.Append(nil, n))} }
	held := func() (list []int) {
		for n := range 100 {
			if _, ok := c.kept[key(n)]; ok {
				list = append(list, n)
			}
		}
		return list
	}
	for n := range 20 {
		c.put(key(n), n, 100)
	}
	if have, want := fmt.Sprint(held()), "[0 1 2 3 4 5 6 7 8 9]"; have != want || c.Size() != 10*(100+keptOverhead) {
		t.Errorf("after 20 at once: have %s, %d bytes; want %s", have, c.Size(), want)
	}
	at = at.Add(settled)
	for n := range 5 {
		if c.get(key(n)) != n {
			t.Errorf("%d: have %v", n, c.get(key(n)))
		}
	}
	for n := 20; n < 40; n++ {
		c.put(key(n), n, 100)
	}
	if have, want := fmt.Sprint(held()), "[0 1 2 3 4 20 21 22 23 24]"; have != want {
		t.Errorf("after 20 more: have %s, want %s", have, want)
	}
	c.put(key(3), 3, 50)
	c.put(key(50), 50, 5000)
	if have := c.Size(); have != 10*(100+keptOverhead)-50 || c.get(key(50)) != nil {
		t.Errorf("a smaller one and one too large: have %d bytes", have)
	}
	at = at.Add(time.Hour)
	c.get(key(20))
	at = at.Add(time.Second)
	c.Tidy()
	if have, want := fmt.Sprint(held()), "[20]"; have != want || c.Size() != 100+keptOverhead {
		t.Errorf("an hour later: have %s, %d bytes; want %s", have, c.Size(), want)
	}
}
