package search

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// page is a published document of one section.
func page(id, title, text string) *Document {
	return &Document{ID: id, Title: title, Slug: id, Published: true, Sections: []Section{{Anchor: "a-" + id, Heading: "Section", Level: 2, Text: text}}}
}

func TestSearchFinds(t *testing.T) {
	t.Parallel()
	index := New(Config{})
	cache := page("cache", "Caching", "Pass --no-cache to build without it. The option noCache says the same.")
	cache.FormerSlugs = []string{"stored-results"}
	identity := page("identity", "Signing in", "Keycloak is a provider. See CVE-2024-36129 and version 1.2.3.")
	identity.Description = "Let people sign in with an account that they have."
	identity.Ancestors = []string{"Operating"}
	mustApply(
		t, index, 1, put(cache), put(identity),
		put(page("configuring", "Configuration of the collector", "Every option. C++ and C# have libraries.")),
		put(page("computed", "计算属性", "计算属性会基于其响应式依赖被缓存。组件可以使用。")),
		put(page("accents", "Über naïve façades", "Élan vital.")),
		put(page("split", "Cart service", "What it sells.")),
	)
	for _, c := range []struct{ query, first string }{
		{"caching", "cache"},
		{"no-cache", "cache"},
		{"--no-cache", "cache"},
		{"nocache", "cache"},
		{"stored results", "cache"},
		{"key cloak", "identity"},
		{"CVE-2024-36129", "identity"},
		{"cve 2024 36129", "identity"},
		{"1.2.3", "identity"},
		{"account", "identity"},
		{"configure collector", "configuring"},
		{"confguration", "configuring"},
		{"configurtaion of the colector", "configuring"},
		{"conf", "configuring"},
		{"C++", "configuring"},
		{"计算属性", "computed"},
		{"缓存", "computed"},
		{"依", "computed"},
		{"uber facade", "accents"},
		{"ÉLAN", "accents"},
		{"cartservice", "split"},
		{`"option nocache"`, "cache"},
		{`"the option"`, "cache"},
		{`"基于其响应"`, "computed"},
		{"zzzzzzzz", ""},
		{"?!", ""},
	} {
		first := ""
		if answer := mustSearch(t, index, Query{Text: c.query}); len(answer.Hits) > 0 {
			first = answer.Hits[0].ID
		}
		if first != c.first {
			t.Errorf("%q: have %q first, want %q", c.query, first, c.first)
		}
	}
}

// What somebody writes as one word may be two words of a title.
func TestJoinedWordsOfTitle(t *testing.T) {
	t.Parallel()
	index := New(Config{})
	mustApply(
		t, index, 1, put(page("cart", "Cart service", "What it sells, and where.")), put(page("news", "What happened", "The cartservice was moved. The cart is a service.")),
		put(page("sign", "Signing in", "Whoever has a password.")), put(page("pass", "Words", "A word to pass on.")),
	)
	for query, first := range map[string]string{"cartservice": "cart", "cartservice sells": "cart", `"cartservice"`: "news", "password": "sign"} {
		if have := idsOf(mustSearch(t, index, Query{Text: query})); len(have) == 0 || have[0] != first {
			t.Errorf("%q: have %v, want %s first", query, have, first)
		}
	}
	mustApply(t, index, 2, Change{ID: "cart"})
	if have := idsOf(mustSearch(t, index, Query{Text: "cartservice"})); len(have) != 1 {
		t.Errorf("without the title: have %v, want the one page that has the word", have)
	}
}

// A camel-case word in a title is one word: a query with it does not mean all pages with a
// part of it.
func TestCamelCaseInTitle(t *testing.T) {
	t.Parallel()
	index := New(Config{})
	mustApply(
		t, index, 1, put(page("old", "Leaving OpenCensus", "What replaces OpenCensus.")),
		put(page("new", "OpenTelemetry", "What OpenTelemetry is, and who keeps it open.")),
	)
	if have := mustSearch(t, index, Query{Text: "opencensus replaces"}); len(have.Hits) != 1 || have.Hits[0].ID != "old" {
		t.Errorf("have %v, want the page that has the word alone", idsOf(have))
	}
}

// A question why something doesn't work is about the something.
func TestContractionsSayLittle(t *testing.T) {
	t.Parallel()
	index := New(Config{})
	for n, text := range slices.Repeat([]string{"Nothing of that.", "Nothing at all.", "Metrics are shown."}, 5) {
		mustApply(t, index, int64(n), put(page(fmt.Sprint("other", n), "Other", text)))
	}
	mustApply(
		t, index, 20, put(page("sayings", "What we don't know", "You don't know what you don't know. They're done, we'll see.")),
		put(page("metrics", "No metrics", "When metrics are not shown, look at the exporter.")),
	)
	for query, first := range map[string]string{
		"why don't my metrics show": "metrics", "don’t metrics show": "metrics", "metrics we'll show": "metrics", "they're no metrics": "metrics",
		`"don't know"`: "sayings", "what we don't know": "sayings",
	} {
		if have := idsOf(mustSearch(t, index, Query{Text: query})); len(have) == 0 || have[0] != first {
			t.Errorf("%s: have %v, want %s first", query, have, first)
		}
	}
}

// TestLinkTexts finds a page by the texts of links to it, best by a complete one.
func TestLinkTexts(t *testing.T) {
	t.Parallel()
	index := New(Config{})
	called := page("called", "Recommendation cache", "How to find out what leaks.")
	called.LinkTexts = []string{"dedicated walkthrough document", "here", "Dedicated  Walkthrough document"}
	part := page("part", "Other", "Text.")
	part.LinkTexts = []string{"the walkthrough of somebody else that says much more"}
	linking := page("linking", "Flags", "There is a dedicated walkthrough document for that.")
	for _, d := range []*Document{called, part, linking} {
		d.Tags = []string{"open"}
	}
	mustApply(t, index, 1, put(called), put(part), put(linking))
	for query, want := range map[string]string{
		"dedicated walkthrough document": "called", "dedicated walkthrough docu": "called", "dedicatd walkthrough document": "called",
		`"dedicated walkthrough document"`: "linking",
	} {
		if have := idsOf(mustSearch(t, index, Query{Text: query})); len(have) == 0 || have[0] != want {
			t.Errorf("%s: have %v, want %s first", query, have, want)
		}
	}
	if have := idsOf(mustSearch(t, index, Query{Text: `"dedicated walkthrough"`})); len(have) != 1 {
		t.Errorf("in quotes: have %v, want the page that says it alone", have)
	}
	if have := idsOf(mustSearch(t, index, Query{Text: "walkthrough", Bound: []string{"open"}})); len(have) != 1 {
		t.Errorf("bound: have %v, want the page that says it alone", have)
	}
}

func TestHitAnchor(t *testing.T) {
	t.Parallel()
	d := &Document{ID: "p", Title: "Running", Slug: "running", Published: true, UpdatedAt: time.UnixMilli(5000), Sections: []Section{
		{Text: "What comes first."},
		{Anchor: "logs", Heading: "Logs", Level: 2, Text: "Each request writes a line."},
		{Anchor: "stopping", Heading: "Stopping", Level: 2, Text: "A <signal> & patience end the process.", Code: "kill -TERM 1"},
	}}
	index := New(Config{})
	mustApply(t, index, 1, put(d))
	for _, c := range []struct{ query, anchor, excerpt string }{
		{"signal", "stopping", "A &lt;<mark>signal</mark>&gt; &amp; patience end the process."},
		{"a signal", "stopping", "A &lt;<mark>signal</mark>&gt; &amp; patience end the process."},
		{"a", "logs", "Each request writes <mark>a</mark> line."},
		{"kill", "stopping", "<mark>kill</mark> -TERM 1"},
		{"logs", "logs", "Each request writes a line."},
		{"running", "", "What comes first."},
	} {
		answer := mustSearch(t, index, Query{Text: c.query})
		if len(answer.Hits) != 1 {
			t.Errorf("%q: have %d hits, want 1", c.query, len(answer.Hits))
			continue
		}
		hit := answer.Hits[0]
		if hit.Anchor != c.anchor || hit.Excerpt != c.excerpt || hit.Score <= 0 || hit.Score > 1 || !hit.UpdatedAt.Equal(d.UpdatedAt) {
			t.Errorf("%q:\nhave %+v\nwant anchor %q, excerpt %q", c.query, hit, c.anchor, c.excerpt)
		}
	}
}

func TestPublishedOnly(t *testing.T) {
	t.Parallel()
	index := New(Config{})
	hidden := page("hidden", "Secret salamander", "The salamanders of project zebra.")
	hidden.Published = false
	mustApply(t, index, 1, put(hidden), put(page("seen", "Open matters", "A salamandre is a misprint. Zebroid things.")))
	without := New(Config{})
	mustApply(t, without, 1, put(page("seen", "Open matters", "A salamandre is a misprint. Zebroid things.")))
	for _, text := range []string{"salamander", "salamanders", "zebra", "project", "secret open", "s", "zeb", `"project zebra"`, "salamandr"} {
		q := Query{Text: text, PublishedOnly: true, Explain: true}
		have, want := mustSearch(t, index, q), mustSearch(t, without, q)
		if !reflect.DeepEqual(have, want) {
			t.Errorf("%q tells of a hidden page:\nhave %+v\nwant %+v", text, have, want)
		}
		if have := mustSearch(t, index, Query{Text: text}); text != "salamandr" && len(have.Hits) == 0 {
			t.Errorf("%q finds nothing for who may see all", text)
		}
	}
	// A page that was published a moment ago is as hidden as one that never was.
	gone := *page("seen", "Open matters", "A salamandre is a misprint. Zebroid things.")
	gone.Published = false
	mustApply(t, index, 2, put(&gone), put(page("new", "Something else", "Nothing.")))
	for _, text := range []string{"open", "zebroid", "salamandre"} {
		q := Query{Text: text, PublishedOnly: true, Explain: true}
		if have := mustSearch(t, index, q); len(have.Hits) > 0 || have.Explanation.Documents != 1 {
			t.Errorf("%q finds a page that is published no more: %+v", text, have)
		}
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	index := New(Config{})
	for n := range 6 {
		d := page(fmt.Sprint(n), "Page", "Text")
		d.UpdatedAt = time.UnixMilli(int64(n * 1000))
		if n%2 == 0 {
			d.Tags = append(d.Tags, "even")
		}
		if n > 2 {
			d.Tags = append(d.Tags, "Late one")
		}
		mustApply(t, index, int64(n), put(d))
	}
	for _, c := range []struct {
		query Query
		want  string
	}{
		{Query{Text: "page"}, "0 1 2 3 4 5"},
		{Query{Text: "page", Tags: []string{"even"}}, "0 2 4"},
		{Query{Text: "page", Tags: []string{"even", "Late one"}}, "4"},
		{Query{Text: "page", Tags: []string{"Even"}}, ""},
		{Query{Text: "page", Tags: []string{"none"}}, ""},
		{Query{Text: "page", UpdatedAfter: time.UnixMilli(3000)}, "4 5"},
		{Query{Text: "page", UpdatedAfter: time.UnixMilli(3000).Add(-time.Microsecond)}, "3 4 5"},
		{Query{Text: "page", UpdatedAfter: time.UnixMilli(3000), Tags: []string{"even"}}, "4"},
	} {
		have := idsOf(mustSearch(t, index, c.query))
		slices.Sort(have)
		if strings.Join(have, " ") != c.want {
			t.Errorf("%+v: have %v, want %s", c.query, have, c.want)
		}
	}
}

func TestHostileQueries(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 1))
	index := New(Config{})
	for n := range 200 {
		mustApply(t, index, int64(n), put(randomDocument(r, fmt.Sprintf("page_%03d", n))))
	}
	for _, text := range []string{
		"", " ", "\x00", "\xff\xfe\xfd", "\u200b\u200d\ufeff", "?", "-", "--", "\"", "\"\"\"", "'", "\\", "%", "(((((", ".*", "[a-", "(?i)a{1000}",
		"' OR 1=1 --", "<script>alert(1)</script>", "../../etc/passwd", "${jndi:x}", "a\r\nSet-Cookie: x", "AND OR NOT", "title:x", "*", "a*",
		strings.Repeat("a", 100_000), strings.Repeat("a ", 100_000), strings.Repeat("\"a ", 50_000), strings.Repeat("(", 100_000),
		strings.Repeat("agent cache ", 5000), strings.Repeat("é", 50_000), strings.Repeat("界", 50_000), strings.Repeat("a-", 50_000),
		strings.Repeat("--no-cache", 5000), strings.Repeat("noCache", 5000), "agentcachebuilderthe" + strings.Repeat("of", 10),
		"עברית العربية ไทย हिन्दी ελληνικά русский 한국어 日本語 emoji 🎉🎉", "e" + strings.Repeat("\u0301", 10_000), "\U000E0041", "ﷺ",
	} {
		answer := mustSearch(t, index, Query{Text: text, Explain: true, Limit: MaxLimit})
		for _, hit := range answer.Hits {
			if hit.Score < 0 || hit.Score > 1 || strings.Contains(strings.NewReplacer("<mark>", "", "</mark>", "").Replace(hit.Excerpt), "<") {
				t.Errorf("%.30q: %+v", text, hit)
			}
		}
	}
}

func TestHostilePages(t *testing.T) {
	t.Parallel()
	for name, d := range map[string]*Document{
		"nothing":       {},
		"one word":      page("", "", strings.Repeat("word ", 300_000)),
		"no space":      page("", "", strings.Repeat("x", 1<<20)),
		"humps":         page("", "", strings.Repeat("aB", 1<<18)),
		"characters":    page("", "", strings.Repeat("界", 1<<18)),
		"not UTF-8":     page("", "\xff", strings.Repeat("\xc3", 1<<18)),
		"long heading":  {Sections: []Section{{Heading: strings.Repeat("heading ", 1<<18), Anchor: strings.Repeat("a", 1<<20)}}},
		"many sections": {Sections: slices.Repeat([]Section{{Heading: "Section", Anchor: "s", Text: "x", Code: "y"}}, 20_000)},
		"many tags":     {Tags: slices.Repeat([]string{"tag", ""}, 10_000)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d.ID, d.Published = "id", true
			index := New(Config{})
			mustApply(t, index, 1, put(d), put(page("other", "Other", "A word, a section and a tag.")))
			for _, text := range []string{"word", "x", "界", "section heading", "tag", `"word word"`, "aB", "other"} {
				mustSearch(t, index, Query{Text: text})
			}
			index.Compact()
			mustApply(t, index, 2, Change{ID: "id"})
			if answer := mustSearch(t, index, Query{Text: "word"}); len(answer.Hits) != 1 {
				t.Errorf("have %d hits, want 1", len(answer.Hits))
			}
		})
	}
}

func TestSearchCancelled(t *testing.T) {
	t.Parallel()
	index := New(Config{})
	mustApply(t, index, 1, put(page("p", "Page", "Text")))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := index.Search(ctx, Query{Text: "page"}); !errors.Is(err, context.Canceled) && !errors.Is(err, ErrBusy) {
		t.Errorf("have %v, want the error of the context", err)
	}
}

func TestTooManyQueries(t *testing.T) {
	t.Parallel()
	index := New(Config{Concurrent: 1, Waiting: 1, Timeout: time.Minute})
	index.turns <- struct{}{} // somebody is searching
	done := make(chan error)
	go func() {
		_, err := index.Search(t.Context(), Query{Text: "waits"})
		done <- err
	}()
	for index.waiting.Load() == 0 {
		runtime.Gosched() // until it waits
	}
	if _, err := index.Search(t.Context(), Query{Text: "one too many"}); !errors.Is(err, ErrBusy) {
		t.Errorf("have %v, want %v", err, ErrBusy)
	}
	<-index.turns
	if err := <-done; err != nil {
		t.Errorf("the query that waited: %v", err)
	}
}
