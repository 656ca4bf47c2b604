package siteapi_test

import (
	"archive/zip"
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/site"
)

// TestExportedEqualsLive lists all that differs between a page of an exported
// site and the same page of a live one: the head, addresses, search and the end.
func TestExportedEqualsLive(t *testing.T) {
	t.Parallel()
	texts := []string{"# Home\n\n[On](/part)\n", "## One\n\nText & `code`\n\n## Two\n\n```go\nfunc f() {}\n```\n", "Last\n"}
	slugs := []string{"home", "part", "last"}
	r := start(t, octavotest.Options{}, true)
	b := site.Book{Title: "Title of home", Language: "en"}
	var parent any
	for i, slug := range slugs {
		more := []any{}
		if parent != nil {
			more = append(more, "parentId", parent)
		}
		if id := r.page(slug, texts[i], more...); parent == nil {
			parent = id
		}
		b.Contents = append(b.Contents, site.Entry{Key: slug, Slug: slug, Title: "Title of " + slug, Level: min(i, 1)})
	}
	b.Pages = func(yield func(site.Page, error) bool) {
		for i, slug := range slugs {
			document := func() *document.Document { return document.Parse(texts[i], document.Options{}) }
			if !yield(site.Page{Key: slug, Updated: time.Now(), Document: document}, nil) {
				return
			}
		}
	}
	var archive bytes.Buffer
	_, err := site.Write(t.Context(), &archive, b, site.Options{Highlighter: highlight.New(1 << 20)})
	r.must(err)
	files, err := zip.NewReader(bytes.NewReader(archive.Bytes()), int64(archive.Len()))
	r.must(err)
	file, err := files.Open("part.html")
	r.must(err)
	exported, err := io.ReadAll(file)
	r.must(err)
	_, live := r.get("/docs/part")

	plain := func(text string) []string {
		text = regexp.MustCompile(`/look/[0-9a-f]+/|page_[0-9a-z]+|[0-9]{4}-[0-9]{2}-[0-9]{2}[^"<]*`).ReplaceAllString(strings.ReplaceAll(text, r.URL, "URL"), "…")
		return strings.Split(regexp.MustCompile(`(ld\+json">).*(</script>)`).ReplaceAllString(text, "$1…$2"), "\n")
	}
	one, two := plain(string(exported)), plain(live)
	for _, c := range []struct {
		name          string
		only, without []string
		want          string
	}{
		{"exported", one, two, `
			<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; script-src &#39;self&#39; file:; style-src &#39;self&#39; file:; img-src &#39;self&#39; file: data:; base-uri &#39;none&#39;; form-action &#39;none&#39;">
			<link rel="prev" href="home.html">
			<link rel="next" href="last.html">
			<link rel="stylesheet" href="site/site.css">
			<script src="site/words.js"></script>
			<script src="site/site.js"></script>
			<script src="site/find.js"></script>
			<a class="site-name" href="index.html">Title of home</a>
			<form class="site-search" role="search" hidden>
			<button class="site-go" type="submit" aria-label="Open the best result">
			<input class="site-query" type="search" aria-label="Search these pages" placeholder="Search" autocomplete="off" spellcheck="false">
			<li><a href="home.html" class="site-branch site-open">Title of home</a>
			<li><a href="part.html" aria-current="page">Title of part</a></li>
			<li><a href="last.html">Title of last</a></li>
			<li><a href="home.html">Title of home</a></li>
			<a class="site-previous" rel="prev" href="home.html"><span>Previous</span> Title of home</a>
			<a class="site-next" rel="next" href="last.html"><span>Next</span> Title of last</a>`},
		{"live", two, one, `
			<link rel="prev" href="/docs">
			<link rel="next" href="/docs/last">
			<link rel="stylesheet" href="/docs/-…site.css">
			<script src="/docs/-…site-en.js"></script>
			<link rel="canonical" href="URL/docs/part">
			<link rel="alternate" type="text/markdown" href="/docs/part.md">
			<link rel="alternate" type="application/atom+xml" href="/docs/-/feed.atom">
			<meta property="og:type" content="article">
			<meta property="og:title" content="Title of part">
			<meta property="og:url" content="URL/docs/part">
			<meta property="og:site_name" content="Title of home">
			<meta property="article:modified_time" content="…">
			<script type="application/ld+json">…</script>
			<a class="site-name" href="/docs">Title of home</a>
			<form class="site-search" role="search" action="/docs/-/search">
			<button class="site-go" type="submit" aria-label="Search">
			<input class="site-query" type="search" name="q" aria-label="Search these pages" placeholder="Search" autocomplete="off" spellcheck="false">
			<li><a href="/docs" class="site-branch site-open">Title of home</a>
			<li><a href="/docs/part" aria-current="page">Title of part</a></li>
			<li><a href="/docs/last">Title of last</a></li>
			<li><a href="/docs">Title of home</a></li>
			<p class="site-tools" data-page="…"><a href="/docs/part.md">View as Markdown</a> <a href="/docs/-/links?to=part">Pages that link here</a></p>
			<form class="site-feedback" method="post" action="/docs/-/feedback">
			<input type="hidden" name="page" value="…"><input type="hidden" name="revision" value="1">
			<p id="Helpful">Was this page helpful?</p>
			<button type="submit" name="helpful" aria-describedby="Helpful" value="yes">Yes</button>
			<button type="submit" name="helpful" aria-describedby="Helpful" value="no">No</button>
			<details>
			<summary>Say more (optional)</summary>
			<textarea name="text" rows="3" aria-label="Say more (optional)" maxlength="2000"></textarea>
			<a class="site-previous" rel="prev" href="/docs"><span>Previous</span> Title of home</a>
			<a class="site-next" rel="next" href="/docs/last"><span>Next</span> Title of last</a>
			<footer class="site-end">
			<a href="/reference">API reference</a>
			<a href="/account" data-me="/docs/-/me">Account</a>`},
	} {
		have := strings.Join(slices.DeleteFunc(slices.Clone(c.only), func(line string) bool { return slices.Contains(c.without, line) }), "\n")
		if want := strings.ReplaceAll(strings.TrimSpace(c.want), "\n\t\t\t", "\n"); have != want {
			t.Errorf("only in the page that is %s: have\n%s\nwant\n%s", c.name, have, want)
		}
	}
}
