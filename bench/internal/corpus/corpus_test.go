package corpus_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/octavo-docs/octavo/bench/internal/corpus"
)

func TestPageSizes(t *testing.T) {
	total, slugs, published := 0, map[string]bool{}, 0
	const n = 1000
	for i := range uint64(n) {
		page := corpus.Of(i)
		size := len(page.Content)
		if size < 1700 || size > 2600 || len(page.Title) < 1 || len(page.Title) > 120 {
			t.Errorf("page %d: have %d bytes under %q, want about 2 KB and a title of 1 to 120", i, size, page.Title)
		}
		total += size
		slugs[page.Slug] = true
		if page.Status == "published" {
			published++
		}
		if tags := page.Frontmatter.Tags; tags[0] == tags[1] {
			t.Errorf("page %d: have tag %s twice", i, tags[0])
		}
	}
	if mean := total / n; mean < 1800 || mean > 2200 {
		t.Errorf("have %d bytes in the mean, want about 2000", mean)
	}
	if len(slugs) != n || published < 850 || published > 950 {
		t.Errorf("have %d slugs and %d published, want %d and about 900", len(slugs), published, n)
	}
}

func TestPagesReproducible(t *testing.T) {
	for _, n := range []uint64{0, 7, 999_999} {
		if a, b := corpus.Of(n), corpus.Of(n); !reflect.DeepEqual(a, b) {
			t.Errorf("page %d: have %+v and %+v", n, a, b)
		}
	}
	if a, b := corpus.New(1, 5).Slug, corpus.New(2, 5).Slug; a == b {
		t.Errorf("two runs create %s both", a)
	}
}

func TestPageJSON(t *testing.T) {
	want := corpus.Of(3)
	var have corpus.Page
	if err := json.Unmarshal(want.JSON(), &have); err != nil || !reflect.DeepEqual(have, want) {
		t.Errorf("have %+v (%v), want %+v", have, err, want)
	}
}
