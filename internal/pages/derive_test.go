package pages

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

func TestDerive(t *testing.T) {
	derive := Deriver("https://docs.example")
	d := derive(pagestore.Source{
		Slug: "docs-guide-intro", Path: "docs/guide/intro.md", Frontmatter: []byte(`{"tags":["a","b","a"],"x":1}`),
		Content: "[one](other.md#part) [two](https://docs.example/v1/pages/page_1) [three](https://elsewhere.example/) [four](/API_v2/)",
	})
	if have, want := fmt.Sprintf("%v %s %d", d.Tags, d.PathKey, len(d.Links)), "[a b] docs/guide/intro 4"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
	want := []pagestore.Target{
		{Link: 0, Path: "docs/guide/other", Slug: "docs-guide-other"},
		{Link: 0, Rank: 1, Path: "docs/other", Slug: "docs-other"},
		{Link: 0, Rank: 2, Path: "other", Slug: "other"},
		{Link: 0, Rank: 3, Path: "docs/guide/intro/other", Slug: "docs-guide-intro-other"},
		{Link: 1, Page: "page_1"},
		{Link: 3, Path: "API_v2", Slug: "api-v2"},
		{Link: 3, Rank: 1, Path: "docs/API_v2", Slug: "docs-api-v2"},
		{Link: 3, Rank: 2, Path: "docs/guide/API_v2", Slug: "docs-guide-api-v2"},
	}
	if fmt.Sprint(d.Targets) != fmt.Sprint(want) {
		t.Errorf("have %v\nwant %v", d.Targets, want)
	}
	d = derive(pagestore.Source{Path: "a/Big Note.md", Content: "[[Other]] ![[x/pic.png]] ![[talk.mp3]]", Dialect: octavo.DialectObsidian})
	if have, want := fmt.Sprint(d.NameKey, d.Targets[:5], d.Assets), "//big note[{0 0  Other } {0 1  a/Other } {0 2  a/Big Note/Other } {0 3  //other } {0 4  Other other}] [{wiki:x/pic.png [x/pic.png a/x/pic.png a/Big Note/x/pic.png //pic.png]} {wiki:talk.mp3 [talk.mp3 a/talk.mp3 a/Big Note/talk.mp3 //talk.mp3]}]"; have != want {
		t.Errorf("wiki links\nhave %s\nwant %s", have, want)
	}
	if d := derive(pagestore.Source{Slug: "intro"}); d.PathKey != "intro" || d.Links != nil {
		t.Errorf("a page that was not imported: have %+v, want its slug as path and no links", d)
	}
}

// TestDerivedIsBounded holds that a page of labels, links or pictures alone has bounded rows
// in the store, that its first ones count, and that a notice tells of the rest.
func TestDerivedIsBounded(t *testing.T) {
	t.Parallel()
	derive := Deriver("")
	for _, c := range []struct {
		mark    string
		dialect octavo.Dialect
		notice  bool
	}{
		{"(l%d)=\n\nx\n\n", octavo.DialectMyST, true},
		{"[[n%d]] ", octavo.DialectObsidian, true},
		{"![](p%d.png) ", "", false},
	} {
		var text strings.Builder
		for i := 0; i < 12_000; i++ {
			fmt.Fprintf(&text, c.mark, i)
		}
		d := derive(pagestore.Source{Path: "a/b/c/d.md", Content: text.String(), Dialect: c.dialect})
		files := 0
		for _, r := range d.Assets {
			files += len(r.Targets)
		}
		if n := max(len(d.Labels)*maxTargets/maxLabels, len(d.Targets), files); n < maxTargets || n > maxTargets+20 || len(omitted(d)) > 0 != c.notice {
			t.Errorf("%q: have %d labels, %d targets, %d files and the notices %v, want the limit", c.mark, len(d.Labels), len(d.Targets), files, omitted(d))
		}
		if have := omitted(derive(pagestore.Source{Path: "a.md", Content: text.String()[:10_000], Dialect: c.dialect})); len(have) > 0 {
			t.Errorf("%q: have %v for a few, want none", c.mark, have)
		}
	}
}

func TestFormatOf(t *testing.T) {
	for _, c := range []struct {
		source pagestore.Source
		want   markdown.Format
	}{
		{pagestore.Source{Path: "a.md", Content: "text"}, markdown.Format{}},
		{pagestore.Source{Path: "a.MDX", Content: "text"}, markdown.Format{MDX: true}},
		{pagestore.Source{Frontmatter: []byte(`{"format":"mdx"}`), Content: "text"}, markdown.Format{MDX: true}},
		{pagestore.Source{Frontmatter: []byte(`{"format":1}`), Content: "text"}, markdown.Format{}},
		{pagestore.Source{Content: "import A from './a'\n\ntext"}, markdown.Format{MDX: true}},
		{pagestore.Source{Content: "text\n\n<Note>\nx\n</Note>"}, markdown.Format{MDX: true}},
		{pagestore.Source{Content: "```\nimport A from './a'\n```"}, markdown.Format{}},
		{pagestore.Source{Path: "a.mdx", Content: "<Note>\nx\n</Note>", Dialect: "markdown"}, markdown.Format{Dialect: "markdown"}},
		{pagestore.Source{Path: "a.md", Content: "text", Dialect: "mdx"}, markdown.Format{MDX: true, Dialect: "mdx"}},
		{pagestore.Source{Path: "a.md", Content: "text", Dialect: "docusaurus"}, markdown.Format{Dialect: "docusaurus"}},
		{pagestore.Source{Path: "a.md", Content: "import A from './a'\n\n<Note>\nx\n</Note>", Dialect: "vitepress"}, markdown.Format{Dialect: "vitepress"}},
		{pagestore.Source{Path: "a.mdx", Content: "text", Dialect: "mkdocs"}, markdown.Format{MDX: true, Dialect: "mkdocs"}},
		{pagestore.Source{Path: "a.mdx", Content: "text", Dialect: "docusaurus"}, markdown.Format{MDX: true, Dialect: "docusaurus"}},
	} {
		if have := FormatOf(octavo.Page{Source: c.source.Path, Content: c.source.Content, Frontmatter: c.source.Frontmatter, Dialect: c.source.Dialect}); have != c.want {
			t.Errorf("%+v: have %v, want %v", c.source, have, c.want)
		}
	}
}

// TestLinkToRoot checks that the page of the root folder has a key
// that links to it have too.
func TestLinkToRoot(t *testing.T) {
	derive := Deriver("")
	if have := derive(pagestore.Source{Slug: "index", Path: "index.md"}).PathKey; have != "/" {
		t.Errorf("have key %q, want /", have)
	}
	d := derive(pagestore.Source{Slug: "a-x", Path: "a/x.md", Content: "[slash](/) [up](../index.md) [here](../_index.md#x)"})
	first := 0
	for _, target := range d.Targets {
		if target.Rank > 0 {
			continue
		}
		if first++; target.Path != "/" {
			t.Errorf("have %+v, want the path /", target)
		}
	}
	if first != 3 {
		t.Errorf("have targets of %d links, want 3", first)
	}
}

func TestDerivedAssets(t *testing.T) {
	for _, c := range []struct {
		source pagestore.Source
		base   string
		want   string
	}{
		{pagestore.Source{Content: "![a](https://docs.example/files/k1/a.png)"}, "https://docs.example", "[{https://docs.example/files/k1/a.png [/k1]}]"},
		{pagestore.Source{Content: "![a](/files/k1/a.png) [b](/files/k2/b.pdf)"}, "https://docs.example", "[{/files/k1/a.png [/k1]} {/files/k2/b.pdf [/k2]}]"},
		{pagestore.Source{Content: "![a](https://docs.example/sub/files/k1/a)"}, "https://docs.example/sub", "[{https://docs.example/sub/files/k1/a [/k1]}]"},
		{pagestore.Source{Content: "![a](/files/k1/a.png) [b](/sub/files/k1/b) [c](/sub/files/k2/c?expires=1&signature=x#p)"}, "https://docs.example/sub", "[{/files/k1/a.png [/k1]} {/sub/files/k1/b [/k1]} {/sub/files/k2/c?expires=1&signature=x#p [/k2]}]"},
		{pagestore.Source{Content: "![a](/files/k1/a%20b.png?expires=1) <img src=\"/files/k2/b\">"}, "", "[{/files/k1/a%20b.png?expires=1 [/k1]} {/files/k2/b [/k2]}]"},
		{pagestore.Source{Content: "![a](https://elsewhere.example/files/k1/a.png)"}, "https://docs.example", "[]"},
		{pagestore.Source{Content: "![a](../img/a.png)", Path: "docs/x.md"}, "", "[{../img/a.png [docs/img/a.png img/a.png]}]"},
		{pagestore.Source{Frontmatter: []byte(`{"cover":{"image":"/img/c.png"},"list":["/files/k3/x"," not. one "],"n":1.5}`)}, "", "[{/img/c.png [img/c.png static/img/c.png public/img/c.png .vuepress/public/img/c.png website/static/img/c.png assets/img/c.png]} {/files/k3/x [/k3]}]"},
		{pagestore.Source{Frontmatter: []byte(`{"cover":"https://docs.example/files/k3/x.png?expires=1"}`)}, "https://docs.example", "[{https://docs.example/files/k3/x.png?expires=1 [/k3]}]"},
		{pagestore.Source{Content: "[page](other.md) [part](#x)"}, "", "[]"},
	} {
		if have := fmt.Sprint(Deriver(c.base)(c.source).Assets); have != c.want {
			t.Errorf("%+v\nhave %s\nwant %s", c.source, have, c.want)
		}
	}
}
