package site

import (
	"fmt"
	"io"
	"iter"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/site/look"
)

// shown returns what a navigation shows: titles, with those below in brackets
// and the page itself with a star.
func shown(navigation string) string {
	text := regexp.MustCompile(`<a [^>]*aria-current[^>]*>`).ReplaceAllString(navigation, "*")
	text = strings.NewReplacer("<ul>", "(", "</ul>", ")", "</li>", " ").Replace(text)
	text = regexp.MustCompile(`<[^>]*>|\n`).ReplaceAllString(text, "")
	return strings.NewReplacer(" )", ")").Replace(text)
}

func TestNavigation(t *testing.T) {
	t.Parallel()
	b := &builder{}
	for i, level := range []int{0, 1, 2, 2, 1, 5, 0, 1} { // the fifth is too deep for its parent
		b.book.Contents = append(b.book.Contents, Entry{Key: fmt.Sprint(i), Title: fmt.Sprint(i), Level: level})
	}
	if err := b.plan(); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{
		"(*0(1 4) 6)", "(0(*1(2 3) 4) 6)", "(0(1(*2 3) 4) 6)", "(0(1(2 *3) 4) 6)", "(0(1 *4(5)) 6)", "(0(1 4(*5)) 6)", "(0 *6(7))", "(0 6(*7))",
	} {
		b.begin().Navigation(&b.site, b.items[i].Node)
		if have := shown(b.filled.String()); have != want {
			t.Errorf("page %d: have %s, want %s", i, have, want)
		}
	}
	b.begin().Outline(&b.site)
	if have, want := shown(b.filled.String()), "(0(1(2 3) 4(5)) 6(7))"; have != want {
		t.Errorf("outline: have %s, want %s", have, want)
	}
}

// many is a book of so many pages side by side.
func many(pages, size int) Book {
	b := Book{Title: "Many"}
	for i := range pages {
		key := fmt.Sprintf("page-%d", i)
		b.Contents = append(b.Contents, Entry{Key: key, Slug: key, Title: key})
	}
	b.Pages = iter.Seq2[Page, error](func(yield func(Page, error) bool) {
		for i := range pages {
			text := fmt.Sprintf("## Part %d\n\n%s\n", i, strings.Repeat(fmt.Sprintf("word%d and more of it. ", i), size/22))
			if !yield(saying(Page{Key: b.Contents[i].Key}, text, document.Options{}), nil) {
				return
			}
		}
	})
	return b
}

func TestManySiblings(t *testing.T) {
	t.Parallel()
	files, _ := write(t, many(look.MaxSiblings*3, 100), plain())
	for page, want := range map[string][2]string{"page-0.html": {"page-0<", "page-79<"}, "page-120.html": {"page-80<", "page-159<"}, "page-239.html": {"page-160<", "page-239<"}} {
		items := regexp.MustCompile(`<li><a href="page-[0-9]+\.html"[^>]*>[^/]*`).FindAllString(files[page], -1)
		if len(items) != look.MaxSiblings || !strings.HasSuffix(items[0], want[0]) || !strings.HasSuffix(items[len(items)-1], want[1]) {
			t.Errorf("%s shows %d pages, from %s to %s; want %d, from %s to %s", page, len(items), items[0], items[len(items)-1], look.MaxSiblings, want[0], want[1])
		}
	}
	if n := strings.Count(files["index.html"], "<li>"); n != look.MaxSiblings*3 {
		t.Errorf("the first page lists %d pages, want all %d", n, look.MaxSiblings*3)
	}
}

// TestPageMemory writes four times as many pages and looks at
// what is alive at the end of each book.
func TestPageMemory(t *testing.T) {
	alive := func(pages int) int64 {
		b := many(pages, 8<<10)
		next := b.Pages
		var m runtime.MemStats
		b.Pages = func(yield func(Page, error) bool) {
			for p, err := range next {
				if !yield(p, err) {
					return
				}
			}
			runtime.GC()
			runtime.ReadMemStats(&m)
		}
		if _, err := Write(t.Context(), io.Discard, b, plain()); err != nil {
			t.Fatal(err)
		}
		return int64(m.HeapAlloc)
	}
	few, more := alive(500), alive(2000)
	if more-few > 4<<20 {
		t.Errorf("1,500 more pages of 8 KiB hold %d KiB more memory; want their titles alone", (more-few)>>10)
	}
}

func TestSearchIndexComesInPieces(t *testing.T) {
	t.Parallel()
	files, _ := write(t, many(200, 8<<10), plain())
	if have := files["site/search.js"]; have != "octavoSearch.begin(4);\n" {
		t.Errorf("have %s, want four pieces", have)
	}
	whole := ""
	for i := 1; i <= 4; i++ {
		piece := files[fmt.Sprintf("site/search-%d.js", i)]
		if len(piece) == 0 || len(piece) > maxShard+16<<10 || !strings.HasPrefix(piece, "octavoSearch.add([") || !strings.HasSuffix(piece, "]);\n") {
			t.Errorf("piece %d has %d bytes", i, len(piece))
		}
		whole += piece
	}
	for i := range 200 {
		if !strings.Contains(whole, fmt.Sprintf("word%d and", i)) {
			t.Errorf("the index lacks page %d", i)
		}
	}
}
