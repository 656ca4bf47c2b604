package search

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
)

// vocabulary is small, so that random documents have much in common, and holds
// something of each kind that the analysis knows.
var vocabulary = strings.Fields(`agent agents build building builds cache caches noCache no-cache --no-cache
	the of in config configure configuration collector collect exporter export 计算属性 属性缓存 缓存 v1.2.3
	élan HTTPServer service.name OTEL_SERVICE_NAME key cloak keycloak trace tracing tracer span spans`)

func randomWord(r *rand.Rand) string {
	if r.IntN(4) == 0 {
		return fmt.Sprintf("word%c%c", 'a'+r.IntN(8), 'a'+r.IntN(8))
	}
	return vocabulary[r.IntN(len(vocabulary))]
}

func randomText(r *rand.Rand, words int) string {
	text := make([]string, words)
	for i := range text {
		text[i] = randomWord(r)
	}
	return strings.Join(text, " ")
}

func randomDocument(r *rand.Rand, id string) *Document {
	d := &Document{
		ID: id, Title: randomText(r, 1+r.IntN(4)), Slug: randomWord(r) + "-" + randomWord(r),
		Tags: []string{fmt.Sprintf("tag%d", r.IntN(4)), randomWord(r)}, Ancestors: []string{randomText(r, 2)},
		UpdatedAt: time.UnixMilli(int64(r.IntN(1000))).UTC(), Published: r.IntN(3) > 0,
	}
	if r.IntN(3) == 0 {
		d.Description = randomText(r, 6)
		d.FormerSlugs = []string{randomWord(r)}
		d.LinkTexts = []string{randomText(r, 1+r.IntN(4)), "see " + randomWord(r)}
		d.Origins = []Origin{{Key: randomOrigin(r), State: r.Uint32()}}
	}
	for n := range r.IntN(4) {
		d.Sections = append(d.Sections, Section{
			Anchor: fmt.Sprintf("section-%d", n), Heading: randomText(r, 2), Level: 2,
			Text: randomText(r, r.IntN(60)), Code: randomText(r, r.IntN(6)),
		})
	}
	return d
}

func randomOrigin(r *rand.Rand) string { return fmt.Sprintf("origin %d", r.IntN(4)) }

// randomQuery returns a query of any kind that has a meaning.
func randomQuery(r *rand.Rand) Query {
	words := make([]string, 1+r.IntN(4))
	for i := range words {
		w := []rune(randomWord(r))
		switch r.IntN(6) {
		case 0:
			w = w[:1+r.IntN(len(w))]
		case 1:
			w[r.IntN(len(w))] = 'e'
		}
		words[i] = string(w)
	}
	q := Query{Text: strings.Join(words, " "), Limit: 1 + r.IntN(100), PublishedOnly: r.IntN(2) == 0}
	switch r.IntN(6) {
	case 0:
		q.Text = `"` + randomText(r, 2) + `"`
	case 1:
		q.Text += ` "` + randomWord(r) + `"`
	case 2:
		q.Tags = []string{fmt.Sprintf("tag%d", r.IntN(4))}
	case 3:
		q.UpdatedAfter = time.UnixMilli(int64(r.IntN(1000)))
	}
	return q
}

func mustSearch(tb testing.TB, index *Index, q Query) Answer {
	tb.Helper()
	if q.Limit == 0 {
		q.Limit = 20
	}
	answer, err := index.Search(tb.Context(), q)
	if err != nil {
		tb.Fatalf("searching %q: %v", q.Text, err)
	}
	return answer
}

func mustApply(tb testing.TB, index *Index, position int64, changes ...Change) {
	tb.Helper()
	if err := index.Apply(tb.Context(), position, changes); err != nil {
		tb.Fatalf("applying: %v", err)
	}
}

// put is the change that a document has been written.
func put(d *Document) Change { return Change{ID: d.ID, Document: d} }

// idsOf lists the documents of an answer, in order.
func idsOf(answer Answer) []string {
	ids := make([]string, len(answer.Hits))
	for i := range answer.Hits {
		ids[i] = answer.Hits[i].ID
	}
	return ids
}
