package site

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/html"
)

func TestFilesOfASite(t *testing.T) {
	t.Parallel()
	b := small([2]string{"one", "# One\n\nsee [two](two) and [gone](gone)\n"}, [2]string{"two", "## Part\n\n![x](x)\n"})
	b.Contents[1].Level, b.Contents[1].Former = 1, []string{"deux", "one", "deux"}
	o := plain()
	o.Link = func(_ Page, href string) (Target, bool) { return Target{Key: href, Fragment: "a b"}, href == "two" }
	files, report := write(t, b, o)
	want := []string{"deux.html", "index.html", "llms.txt", "one.html", "site/find.js", "site/search-1.js", "site/search.js", "site/site.css", "site/site.js", "site/words.js", "two.html"}
	if have := slices.Sorted(maps.Keys(files)); !slices.Equal(have, want) {
		t.Errorf("files: have %q, want %q", have, want)
	}
	for file, texts := range map[string][]string{
		"one.html": {
			`<title>one · Book</title>`, `<a href="two.html#a%20b">two</a>`, `<h1 id="one">One`,
			`<li><a href="one.html" aria-current="page" class="site-branch site-open">one</a>`, `rel="next" href="two.html"`, `class="oct-unresolved">gone</a>`,
		},
		"two.html":         {"<h1>two</h1>", `<li><a href="one.html">one</a></li>`, `rel="prev" href="one.html"`, `<span class="oct-missing">x</span>`},
		"deux.html":        {`content="0; url=two.html"`, `<a href="two.html">two</a>`},
		"index.html":       {"<h1>Book</h1>", `<li><a href="one.html">one</a>`, `<li><a href="two.html">two</a>`},
		"llms.txt":         {"# Book\n\n## Pages\n\n- [one](one.html)\n  - [two](two.html)\n"},
		"site/search.js":   {"octavoSearch.begin(1);"},
		"site/search-1.js": {`["one.html","one","",[["one","One","see two and gone",""]]]`},
	} {
		for _, text := range texts {
			if !strings.Contains(files[file], text) {
				t.Errorf("%s lacks %s:\n%s", file, text, files[file])
			}
		}
	}
	if have := len(report.Notices); report.Pages != 2 || have != 2 || report.Notices[0].Kind != document.UnresolvedLink || report.Notices[1].Key != "two" {
		t.Errorf("report: have %+v, want a link and an image that are not found", report)
	}
}

func TestSameBookSameBytes(t *testing.T) {
	t.Parallel()
	l := documentation(t)
	var first, second bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &second} {
		if _, err := Write(t.Context(), out, l.book(), l.options()); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two sites of one book differ")
	}
}

// TestEveryAddressLeadsSomewhere looks at all pages of real documentation: ids
// stand once, links lead to files and ids that are there, and nothing is asked
// of a server.
func TestEveryAddressLeadsSomewhere(t *testing.T) {
	t.Parallel()
	l := documentation(t)
	files, report := write(t, l.book(), l.options())
	if len(report.Warnings) != 0 || report.Pages != len(l.list) {
		t.Errorf("have %d pages and warnings %q, want %d and none", report.Pages, report.Warnings, len(l.list))
	}
	ids := map[string]map[string]bool{}
	for name, text := range files {
		if strings.HasSuffix(name, ".html") {
			ids[name] = map[string]bool{}
			elements(t, text, func(n *nethtml.Node) {
				if id := attribute(n, "id"); id != "" && ids[name][id] {
					t.Errorf("%s has the id %s twice", name, id)
				} else if id != "" {
					ids[name][id] = true
				}
			})
		}
	}
	for name := range ids {
		elements(t, files[name], func(n *nethtml.Node) {
			for _, key := range []string{"href", "src"} {
				if address := attribute(n, key); address != "" {
					checkAddress(t, files, ids, name, n.Data, address)
				}
			}
			if n.Data == "style" || n.Data == "script" && n.FirstChild != nil || attribute(n, "style") != "" {
				t.Errorf("%s has %s inside", name, n.Data)
			}
		})
	}
}

func checkAddress(t *testing.T, files map[string]string, ids map[string]map[string]bool, page, element, address string) {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Errorf("%s: %v", page, err)
		return
	}
	if u.Scheme != "" || u.Host != "" {
		if element != "a" && u.Scheme != "data" {
			t.Errorf("%s: %s asks for %s", page, element, address)
		}
		return
	}
	target := u.Path
	if target == "" {
		target = page
	}
	if files[target] == "" || u.Fragment != "" && ids[target] != nil && !ids[target][u.Fragment] {
		t.Errorf("%s: %s leads nowhere", page, address)
	}
}

func elements(t *testing.T, text string, visit func(*nethtml.Node)) {
	t.Helper()
	root, err := nethtml.Parse(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		if n.Type == nethtml.ElementNode {
			visit(n)
		}
	}
}

func attribute(n *nethtml.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func TestTextEscaped(t *testing.T) {
	t.Parallel()
	const attack = `"></title></script><script>alert('1')</script><img src=x onerror=alert(1)>`
	b := small([2]string{attack, "# " + attack + "\n\n[a](javascript:alert(1)) ![" + attack + "](x)\n"})
	b.Title, b.Language = attack, attack
	b.Contents[0].Former = []string{"old"}
	o := plain()
	o.Theme = html.Theme{Name: attack, Tokens: map[string]string{"text": "red}</style><script>"}}
	files, report := write(t, b, o)
	for name, text := range files {
		if !strings.HasSuffix(name, ".html") {
			continue
		}
		elements(t, text, func(n *nethtml.Node) {
			known := n.Data != "script" || strings.HasPrefix(attribute(n, "src"), "site/") && n.FirstChild == nil
			if !known || attribute(n, "onerror") != "" || n.Data == "img" || strings.HasPrefix(attribute(n, "href"), "javascript") {
				t.Errorf("%s: the attack gave %s %v", name, n.Data, n.Attr)
			}
		})
	}
	if strings.Contains(files["site/search-1.js"], "<") || strings.Contains(files["site/site.css"], "<script") {
		t.Error("the attack stands in index or style as it is")
	}
	if len(report.Warnings) != 1 {
		t.Errorf("have warnings %q, want one", report.Warnings)
	}
}

func TestAssets(t *testing.T) {
	t.Parallel()
	opened := 0
	open := func(text string) func(context.Context) (io.ReadCloser, error) {
		return func(context.Context) (io.ReadCloser, error) {
			opened++
			return io.NopCloser(strings.NewReader(text)), nil
		}
	}
	o := plain()
	o.Asset = func(_ Page, href string) (Asset, bool) {
		a, ok := map[string]Asset{
			"a":   {Key: "1", Name: "p.PNG", Open: open("one")},
			"b":   {Key: "2", Name: "x/P.png", Open: open("two")},
			"c":   {Key: "1", Name: "other.png", Open: open("never")},
			"far": {Key: "3", Name: "far.png", Address: "https://x.example/far.png"},
		}[href]
		return a, ok
	}
	files, _ := write(t, small([2]string{"one", "![](a) ![](b) [file](a)"}, [2]string{"two", "![](c)"}, [2]string{"three", "![](far)"}), o)
	if files["assets/p.png"] != "one" || files["assets/P-2.png"] != "two" || opened != 2 {
		t.Errorf("have %q, opened %d times; want each asset once", slices.Sorted(maps.Keys(files)), opened)
	}
	for file, want := range map[string]string{
		"one.html": `<a href="assets/p.png">file</a>`, "two.html": `src="assets/p.png"`, "three.html": `src="https://x.example/far.png"`,
	} {
		if !strings.Contains(files[file], want) {
			t.Errorf("%s lacks %s", file, want)
		}
		if remote := strings.Contains(files[file], "img-src &#39;self&#39; file: data: http: https:"); remote != (file == "three.html") {
			t.Errorf("%s: have a policy for images of other sites: %v", file, remote)
		}
	}
}

func TestWriteFails(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	failing := func(book Book) Book {
		book.Pages = func(yield func(Page, error) bool) { yield(Page{}, broken) }
		return book
	}
	pages := small([2]string{"one", "![](a)"}, [2]string{"two", ""})
	twice, swapped := small([2]string{"x", ""}, [2]string{"x", ""}), pages
	swapped.Pages = small([2]string{"two", ""}, [2]string{"one", ""}).Pages
	o := plain()
	o.Asset = func(Page, string) (Asset, bool) {
		return Asset{Key: "a", Open: func(context.Context) (io.ReadCloser, error) { return nil, broken }}, true
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		ctx  context.Context
		book Book
		want string
	}{
		"pages": {t.Context(), failing(pages), "next page: broken"},
		"asset": {t.Context(), pages, "page one: asset a: broken"},
		"twice": {t.Context(), twice, `page "x" twice`},
		"order": {t.Context(), swapped, "page one does not come where"},
		"ended": {over, pages, "context canceled"},
	} {
		options := plain()
		if name == "asset" {
			options = o
		}
		if _, err := Write(c.ctx, io.Discard, c.book, options); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: have %v, want %s", name, err, c.want)
		}
	}
	if _, err := Write(t.Context(), full{}, pages, plain()); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("a full disk: have %v, want %v", err, io.ErrShortWrite)
	}
}

func TestMissingPages(t *testing.T) {
	t.Parallel()
	b := small([2]string{"one", ""}, [2]string{"two", ""}, [2]string{"three", ""})
	b.Pages = small([2]string{"two", "[on](three) [back](one)"}).Pages
	o := plain()
	o.Link = func(_ Page, href string) (Target, bool) { return Target{Key: href}, true }
	files, report := write(t, b, o)
	for _, file := range []string{"one.html", "two.html", "three.html"} {
		if !strings.Contains(files[file], "<h1>"+strings.TrimSuffix(file, ".html")+"</h1>") {
			t.Errorf("%s lacks its title:\n%s", file, files[file])
		}
	}
	if len(report.Warnings) != 2 || !strings.Contains(report.Warnings[0], "page one") || !strings.Contains(report.Warnings[1], "page three") {
		t.Errorf("have warnings %q, want one of each page that did not come", report.Warnings)
	}
}

// full takes no bytes.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, io.ErrShortWrite }
