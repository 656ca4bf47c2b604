package reference

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestPathKey(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"docs/guide/intro.md": "docs/guide/intro", "docs/_index.md": "docs", "docs/index.mdx": "docs", "docs/README.md": "docs",
		"index.md": "", "": "", "a.b.md": "a.b", "v1.2/x.markdown": "v1.2/x", "/a/../../b.md": "b", "docs/x/": "docs/x", "page": "page",
	} {
		if have := PathKey(source); have != want {
			t.Errorf("%q: have %q, want %q", source, have, want)
		}
	}
}

// Below a path links may name it, as a browser shows them.
func TestTargetsBelowAPath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ href, want string }{
		{"/docs-api/v1/pages/page_1", "page_1"},
		{"/v1/pages/page_1", "page_1"},
		{"https://docs.example/docs-api/v1/pages/page_1", "page_1"},
		{"https://docs.example/v1/pages/page_1", ""},
		{"/docs-api/guide/x.md", "guide/x, docs-api/guide/x"},
		{"/docs-api", "docs-api"},
		{"/docs-apis/x", "docs-apis/x"},
		{"docs-api/x", "docs-api/x"},
	} {
		var list []string
		for _, target := range Targets(c.href, "", "https://docs.example/docs-api") {
			list = append(list, target.PageID+target.Path)
		}
		if have := strings.Join(slices.Compact(list), ", "); have != c.want && !strings.HasPrefix(have, c.want+", ") {
			t.Errorf("%s: have %q, want %q", c.href, have, c.want)
		}
	}
}

func TestTargets(t *testing.T) {
	t.Parallel()
	const base = "https://docs.example"
	for _, c := range []struct{ href, source, want string }{
		// not to a page of ours
		{"https://other.example/x", "a/b.md", ""},
		{"//other.example/x", "a/b.md", ""},
		{"mailto:a@b.example", "a/b.md", ""},
		{"#part", "a/b.md", ""},
		{"?q=1", "a/b.md", ""},
		{"https://docs.example.org/v1/pages/page_1", "", ""},
		// by identifier
		{"page_1", "", "id page_1"},
		{"/v2/pages/page_1#x", "a/b.md", "id page_1#x"},
		{"https://docs.example/v1/pages/page_1", "a/b.md", "id page_1"},
		// by file, as all generators do
		{"other.md", "a/b.md", "a/other, other, a/b/other"},
		{"./other.md#part", "a/b.md", "a/other#part"},
		{"../x/index.md", "a/b.md", "x"},
		{"../../../x.md", "a/b.md", "x"},
		{"my%20page.mdx", "a/b.md", "a/my page, my page, a/b/my page"},
		{"../x/README.md?plain=1", "a/_index.md", "x"},
		// by name, as Hugo does
		{`{{< ref "p.md#x" >}}`, "content/a/b.md", "content/a/p#x, content/p#x, p#x, content/a/b/p#x, //p#x"},
		{"{{% relref p %}}", "a/_index.md", "a/p, p, //p"},
		{"%7B%7B%25%20relref%20p%20%25%7D%7D", "a/_index.md", "a/p, p, //p"},
		{`{{< ref "x/p" >}}`, "_index.md", "x/p"},
		// from the root of the site
		{"/docs/x/", "b.md", "docs/x, x"},
		{"/docs/x/", "content/en/b.md", "docs/x, content/docs/x, content/en/docs/x, x"},
		{"/docs/4.x/a/b", "c.md", "docs/4.x/a/b, 4.x/a/b, a/b"},
		{"/docs/latest", "c.md", "docs/latest, latest"},
		{"@parts/x.mdx", "app/b/page.mdx", "app/b/parts/x, app/parts/x, parts/x"},
		{"/x", "a/b/c/d/e/f/g.md", "x, a/x, a/b/x, a/b/c/x, a/b/c/d/x, a/b/c/d/e/x"},
		{"/", "src/b.md", ", src"},
		{"/docs/x.md", "", "docs/x, x"},
		{"/", "b.md", ""},
		// from a translation, to what is not translated
		{"/uk/x/", "docs/uk/b.md", "uk/x, docs/uk/x, docs/uk/uk/x, x, en/x, docs/x, docs/en/x, docs/uk/en/x"},
		{"/api/x/", "docs/api/b.md", "api/x, docs/api/x, docs/api/api/x"},
		{"/fr/x", "docs/uk/b.md", "fr/x, docs/fr/x, docs/uk/fr/x"},
		{"x/", "content/fr/_index.md", "content/fr/x, content/x, x, content/en/x"},
		// without extension: Docusaurus and VitePress, Hugo and Starlight
		{"other", "a/b.md", "a/other, a/b/other, other"},
		{"./other/", "a/_index.md", "a/other"},
		{"../other/", "a/b.md", "a/other, other"},
		{"../other/", "a/_index.md", "other"},
		{"..", "a/b.md", "a, "},
		{"./other", "app/a/b/page.mdx", "app/a/b/other, app/a/b/page/other, app/a/other"},
		// shortcodes
		{`{{< relref "other.md#part" >}}`, "a/b.md", "a/other#part, other#part, a/b/other#part, //other#part"},
		{`%7B%7B%3C%20ref%20%22/docs/x%22%20%3E%7D%7D`, "b.md", "docs/x, x"},
		{"{{< relref path='my page.md' lang=fr >}}#part", "a/b.md", "a/my page#part, my page#part, a/b/my page#part, //my page#part"},
		{"{{% ref `c.md` %}}", "a/_index.md", "a/c, c, //c"},
		{"{{< ref c.md >}}", "a/b.md", "a/c, c, a/b/c, //c"},
		{`{{< param "href" >}}`, "a/b.md", ""},
		{"%7B%7B%25%20param%20x%20%25%7D%7D/y", "a/b.md", ""},
		// pages as VitePress writes them out
		{"/guide/x.html#y", "b.md", "guide/x#y"},
		{"/v/spanish/x", "es/b.md", "v/spanish/x, es/v/spanish/x, x, es/x"},
		{"./x.html", "a/b.md", "a/x"},
		{`{{< ref "two" >}}`, "content/s/x/index.md", "content/s/x/two, content/s/two, content/two, two, //two"},
		{`{{<relref lang="fr" path="b.md#part">}}`, "b.md", "b#part, b/b#part, //b#part"},
		{`{{< ref "#part" >}}`, "b.md", ""},
		// by the alias of the site, and from the root of the pages
		{"@site/docs/b.md#p", "website/docs/a.md", "website/docs/docs/b#p, website/docs/b#p, docs/b#p"},
		{"b/two.md", "docs/a/one.md", "docs/a/b/two, docs/b/two, b/two, docs/a/one/b/two"},
		{"./b/two.md", "docs/a/one.md", "docs/a/b/two"},
		{"pathname:///x", "a.md", "x"},
		{"e\u0301.md", "", "\u00e9"},
		// posts of Jekyll
		{"/2024/01/02/x.html", "q.md", "2024/01/02/x, _posts/2024-01-02-x"},
		{"/blog/2024/01/02/x/", "q.md", "blog/2024/01/02/x, blog/_posts/2024-01-02-x, _posts/2024-01-02-x"},
		{"/docs/10-x/", "_docs/a.md", "docs/10-x, _docs/docs/10-x, _docs/10-x, 10-x"},
		{"/2024/13/02/x/", "q.md", "2024/13/02/x"},
		// pages that were not imported
		{"other", "", "other"},
		{"guide/other.md", "", "guide/other"},
		{"%zz", "", ""},
	} {
		var list []string
		for _, target := range Targets(c.href, c.source, base) {
			text := target.Path
			if target.PageID != "" {
				text = "id " + target.PageID
			}
			if target.Fragment != "" {
				text += "#" + target.Fragment
			}
			list = append(list, text)
		}
		if have := strings.Join(list, ", "); have != c.want {
			t.Errorf("%s in %s: have %s, want %s", c.href, c.source, fmt.Sprintf("%q", have), c.want)
		}
	}
}

// TestByLabel checks that an address by label is that of a page or file first where it
// may be, and that no slug is like one.
func TestByLabel(t *testing.T) {
	t.Parallel()
	slug := Slugs()
	for _, c := range []struct{ written, want, fragment string }{
		{"#Fig-1", "///fig-1#Fig-1", "Fig-1"},
		{"#a/b%20c", "///a/b c#a/b c", "a/b c"},
		{"a/b", "x/a/b x/y/a/b a/b ///a/b#a/b", "a/b"},
		{"", "", ""},
		{"%zz", "", ""},
	} {
		href := ByLabel(c.written)
		var list []string
		for _, to := range Targets(href, "x/y.md", "") {
			text := to.Path
			if to.Fragment != "" {
				text += "#" + to.Fragment
			}
			if list = append(list, text); strings.HasPrefix(to.Path, "///") && slug(to) != "" {
				t.Errorf("%s: have the slug %q, want none", href, slug(to))
			}
		}
		if have := strings.Join(list, " "); have != c.want || Fragment(href) != c.fragment || Local(href) || !Named(href) || Plain(href) != c.written {
			t.Errorf("%s: have %s, fragment %q, local %v, want %s, %q", href, have, Fragment(href), Local(href), c.want, c.fragment)
		}
	}
}

func BenchmarkTargets(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if len(Targets("../guide/setup.md?x=1#part", "docs/start/intro.md", "")) == 0 {
			b.Fatal("have no targets")
		}
	}
}

func TestByName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, fragment, source, href, targets, files string }{
		{"Second note", "Part", "sub/a.md", "wiki:Second%20note#Part", "Second note#Part sub/Second note#Part sub/a/Second note#Part //second note#Part Second note#Part?", ""},
		{"sub/Third", "", "Home.md", "wiki:sub/Third", "sub/Third Home/sub/Third //third sub/Third?", ""},
		{"a: b", "", "", "wiki:./a:%20b", "a: b //a: b a: b?", ""},
		{"x/Pic.PNG", "", "a.md", "wiki:x/Pic.PNG", "x/Pic.PNG a/x/Pic.PNG //pic.png x/Pic.PNG?", "x/Pic.PNG a/x/Pic.PNG //pic.png"},
		{"../a", "", "x/b.md", "wiki:../a", "a x/a x/b/a //a a?", ""},
		{"", "Part", "a.md", "wiki:#Part", "", ""},
	} {
		href := ByName(c.name, c.fragment)
		var targets []string
		for _, to := range Targets(href, c.source, "https://docs.example") {
			if targets = append(targets, to.Path); to.Fragment != "" {
				targets[len(targets)-1] += "#" + to.Fragment
			}
			if !to.File {
				targets[len(targets)-1] += "?"
			}
		}
		files := strings.Join(Files(href, c.source, ""), " ")
		if href != c.href || strings.Join(targets, " ") != c.targets || files != c.files {
			t.Errorf("ByName(%q, %q) in %q\nhave %s: %q, files %q\nwant %s: %q, files %q", c.name, c.fragment, c.source, href, targets, files, c.href, c.targets, c.files)
		}
	}
}

// TestLabelsOfManyAnchors takes minutes if labels are compared with each other.
func TestLabelsOfManyAnchors(t *testing.T) {
	t.Parallel()
	const n = 300_000
	list := make([]Anchor, 0, 2*n)
	for i := range n {
		list = append(list, Anchor{Name: fmt.Sprint("L", i), Label: true}, Anchor{Name: fmt.Sprint("l", i), Label: true})
	}
	if have := NewAnchors(list).Labels(); len(have) != n || have[1] != LabelKey("l1") {
		t.Errorf("have %d labels, want %d, each once", len(have), n)
	}
}
