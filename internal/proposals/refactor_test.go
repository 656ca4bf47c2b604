package proposals_test

import (
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/proposals"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// refactored is a change of pages, and what their texts are once it is merged. Texts name
// pages by {slug} for their identifiers, and the server by {base}.
type refactored struct {
	name  string
	pages []string // slug, or path of a file = slug, and text
	in    octavo.Refactor
	want  map[string]string // by slug; the others stay as they are
}

func rename(slug string) octavo.Refactor {
	return octavo.Refactor{Kind: octavo.RefactorRename, PageID: "a", Slug: &slug}
}

func split(line int, slug string) octavo.Refactor {
	return octavo.Refactor{Kind: octavo.RefactorSplit, PageID: "a", Line: line, Slug: &slug}
}

var join = octavo.Refactor{Kind: octavo.RefactorJoin, PageID: "a", With: "b"}

func refactorings() []refactored {
	return []refactored{
		{"forms of links to a slug", []string{
			"a", "[me](a) [part](#part)\n\n## Part\n",
			"x", "[1](a) [2](./a) [3](/a) [4](a.md) [5](../a) [6](a/) [7](a#part) [8](/a?v=1#Part 'T') [9](<a> \"T\")\n" +
				"[10][r] [a] ![a](a.png)\n\n[r]: a#part 'T'\n[a]: </a>\n\n{base}/a <{base}/a#part> {base}/ab `[no](a)`\n\n" +
				"<a href=\"a\">x</a> <a href='/a#part'>x</a> <A HREF=a>x</A>\n\n    [no](a)\n\n| a \\| b | [t](a) |\n|--|--|\n\n> - [q](a)\n",
			"y", "[by id]({a}) [{base}/v1/pages/{a}]({base}/v1/pages/{a}#part) [other](x) [gone](aa)\n",
		}, rename("new"), map[string]string{
			"new": "[me](new) [part](#part)\n\n## Part\n",
			"x": "[1](new) [2](./new) [3](/new) [4](new.md) [5](../new) [6](new/) [7](new#part) [8](/new?v=1#Part 'T') [9](<new> \"T\")\n" +
				"[10][r] [a] ![a](a.png)\n\n[r]: new#part 'T'\n[a]: </new>\n\n{base}/new <{base}/new#part> {base}/ab `[no](a)`\n\n" +
				"<a href=\"new\">x</a> <a href='/new#part'>x</a> <A HREF=new>x</A>\n\n    [no](a)\n\n| a \\| b | [t](new) |\n|--|--|\n\n> - [q](new)\n",
		}},
		{"by the path of a file", []string{
			"docs/guide/a.md=a", "[x](../x.md) [me](a.md)\n",
			"docs/x.md=x", "[1](guide/a.md) [2](a) [3](/a)\n", "y", "[1](a) [2](/docs/guide/a)\n",
		}, rename("new"), map[string]string{"x": "[1](guide/a.md) [2](new) [3](/new)\n", "y": "[1](new) [2](/docs/guide/a)\n"}},
		{"bytes, MDX and slugs of folders", []string{
			"a", "x", "guide-old", "", "x", "\uFEFFimport X from 'x'\r\n\r\n<Card href=\"/a\" title=\"T\">[y](a#é)</Card>\r\n\r\n<Link to={'a'}>z</Link> \x00\xff[w](a)\r\n",
		}, rename("new"), map[string]string{
			"x": "\uFEFFimport X from 'x'\r\n\r\n<Card href=\"/new\" title=\"T\">[y](new#é)</Card>\r\n\r\n<Link to={'new'}>z</Link> \uFFFD\uFFFD[w](new)\r\n",
		}},
		{"split by a slug", []string{
			"a", "# A\n\nIntro [s](#setup) [s1](#setup-1) [r] [^1]\n\n## Setup\n\none\n\n## Part *two*\n\n[up](#setup) [in](#setup-1) [own](#part-two) [r] [^1] [in]\n\n### Setup\n\n#### Deep\n\n<a id=\"here\"></a>[r]: x\n\n[r]: x\n\n## Last\n\n[in]: y 'T'\n\n[^1]: Note [p](#part-two)\n",
			"x", "[1](a#setup) [2](a#setup-1) [3](a#part-two) [4]({a}#part-two) [5](a#deep) [6](a) [7](a#none) [8](a#last) [9](/a#here)\n", "y", "",
		}, split(9, "b"), map[string]string{
			"a": "# A\n\nIntro [s](#setup) [s1](b#setup) [r] [^1]\n\n## Setup\n\none\n\n[Part two](b)\n\n## Last\n\n[in]: y 'T'\n\n[^1]: Note [p](b)\n\n\n[r]: x",
			"b": "[up](a#setup) [in](#setup) [own](#) [r] [^1] [in]\n\n## Setup\n\n### Deep\n\n<a id=\"here\"></a>[r]: x\n\n[r]: x\n\n\n\n[in]: y 'T'\n\n[^1]: Note [p](#)",
			"x": "[1](a#setup) [2](b#setup) [3](b) [4](b) [5](b#deep) [6](a) [7](a#none) [8](a#last) [9](/b#here)\n",
		}},
		{"split with underlines and a file", []string{
			"docs/guide/a.md=a", "Begin\n=====\r\n[i](img/a.png) [y](../y.md) [k](#keep)\r\n\r\nSub\r\n---\r\n\r\n> Quoted\r\n> ---\r\n\r\nKeep\r\n====\r\n[b](#begin) [s](./a.md#sub)\r\n",
			"docs/y.md=y", "[1](guide/a.md#sub) [2](guide/a#begin) [3](guide/a.html#keep)\n",
		}, split(1, "b"), map[string]string{
			"a": "[Begin](b.md)\r\n\r\nKeep\r\n====\r\n[b](b.md) [s](b.md#sub)\r\n",
			"b": "[i](img/a.png) [y](../y.md) [k](a.md#keep)\r\n\r\nSub\r\n---\r\n\r\n> Quoted\r\n> ---\r\n\r\n",
			"y": "[1](guide/b.md#sub) [2](guide/b.md) [3](guide/a.html#keep)\n",
		}},
		{"join by a slug", []string{
			"a", "# A\n\n## Setup\n\n[b](b#setup) [b](b) [f][r] [^1]\n\n[r]: r\n\n[^1]: Mine\n",
			"b", "Title of b\n===\n\nText [top](#title-of-b) [s](#setup) [q] [Q][] [t][q] [^2] [a](a#setup)\n\nSetup\n---\n\n### Deep ###\n\n<a id=\"here\"></a>[q]: q 'T'\n\n[q]: q 'T'\n\n[^2]: Yours\n",
			"x", "[1](b) [2](b#setup) [3]({b}) [4]({base}/v1/pages/{b}#deep) [5](a#setup) [6](b#none) [7]({base}/b#title-of-b) [8](b#here)\n", "q", "", "r", "",
		}, join, map[string]string{
			"a": "# A\n\n## Setup\n\n[b](a#setup-1) [b](a#title-of-b) [f][r] [^1]\n\n[r]: r\n\n[^1]: Mine\n\n## Title of b\n\nText [top](#title-of-b) [s](#setup-1) [q] [Q][] [t][q] [^2] [a](a#setup)\n\n### Setup\n\n#### Deep ###\n\n<a id=\"here\"></a>[q]: q 'T'\n\n[q]: q 'T'\n\n[^2]: Yours\n",
			"x": "[1](a#title-of-b) [2](a#setup-1) [3]({a}#title-of-b) [4]({base}/v1/pages/{a}#deep) [5](a#setup) [6](a#title-of-b) [7]({base}/a#title-of-b) [8](a#here)\n",
		}},
		{"join files", []string{
			"docs/a.md=a", "A [b](guide/b.md)\n", "docs/guide/b.md=b", "# Other\n\n[c](c.md#x) ![i](img/i.png) [f](./f.pdf) [up](../a.md) [web](https://e.example/) <img src=\"i.png\">\n",
			"docs/guide/c.md=c", "[1](b.md) [2](./b.md#other) [3](b) [4](/guide/b.md) [5](../guide/b.html)\n", "y", "[1](docs/guide/b) [2](b)\n",
		}, join, map[string]string{
			"a": "A [b](a.md#title-of-b)\n\n## Title of b\n\n### Other\n\n[c](guide/c.md#x) ![i](guide/img/i.png) [f](./guide/f.pdf) [up](a.md) [web](https://e.example/) <img src=\"guide/i.png\">\n",
			"c": "[1](../a.md#title-of-b) [2](../a.md#other) [3](../a.md#title-of-b) [4](../a.md#title-of-b) [5](../a.md#title-of-b)\n",
			"y": "[1](a#title-of-b) [2](a#title-of-b)\n",
		}},
		{"MDX that is split", []string{
			"docs/a.mdx=a", "import Part from './part.mdx'\n\n# A\n\n<Part/>\n\n## Two\n\n<Part/>\n\n<Card href=\"#a\">x</Card>\n",
			"x", "{{< relref \"a\" >}} [1]({{< relref \"a\" >}}#two) [2](@site/docs/a.mdx#two)\n",
		}, split(7, "b"), map[string]string{
			"a": "import Part from './part.mdx'\n\n# A\n\n<Part/>\n\n[Two](b.mdx)\n",
			"b": "import Part from './part.mdx'\n\n<Part/>\n\n<Card href=\"a.mdx#a\">x</Card>\n",
			"x": "{{< relref \"a\" >}} [1]({{< relref \"b\" >}}) [2](b)\n",
		}},
		{"MDX and shortcodes that are joined", []string{
			"docs/a.mdx=a", "<A/>\n", "docs/guide/b.mdx=b", "import P from \"./_p.mdx\";\n\n<P/>\n\n### X {#x}\n",
			"docs/guide/c.md=c", "[1]({{% ref \"b.mdx\" %}}#x) [2](@site/docs/guide/b.mdx) [3](/b.mdx?q#x)\n",
		}, join, map[string]string{
			"a": "<A/>\n\n## Title of b\n\nimport P from \"./guide/_p.mdx\";\n\n<P/>\n\n### X {#x}\n",
			"c": "[1](../a.mdx#x) [2](../a.mdx#title-of-b) [3](/a.mdx?q#x)\n",
		}},
		{"joined to nothing", []string{"a", "", "b", "\uFEFFText"}, join, map[string]string{"a": "## Title of b\n\nText"}},
		{"a deep level", []string{"a", "Text", "b", "# One\n\n###### Six\n"}, join, map[string]string{"a": "Text\n\n## Title of b\n\n### One\n\n###### Six\n"}},
	}
}

// TestRefactor proposes, merges and compares every byte.
func TestRefactor(t *testing.T) {
	t.Parallel()
	for _, c := range refactorings() {
		onBoth(t, func(r rig) {
			ids, texts := r.lay(c.pages)
			p, err := r.refactor(ann, c.in, ids)
			if err != nil {
				r.Fatalf("%s: %v", c.name, err)
			}
			if _, err := r.merge(p); err != nil {
				r.Fatalf("%s: %v", c.name, err)
			}
			fill := strings.NewReplacer(placeholders(ids, r.PublicURL)...)
			for _, page := range r.every() {
				text, changes := c.want[page.Slug]
				for slug, id := range ids {
					if id == page.ID && !changes {
						text = texts[slug]
					}
				}
				if text = fill.Replace(text); page.Content != text {
					r.Errorf("%s: %s\nhave %q\nwant %q", c.name, page.Slug, page.Content, text)
				}
			}
		})
	}
}

// lay makes pages, and returns their identifiers and texts by slug.
func (r rig) lay(pages []string) (ids map[string]octavo.ID, texts map[string]string) {
	r.Helper()
	ids, texts = map[string]octavo.ID{}, map[string]string{}
	for pair := range slices.Chunk(pages, 2) {
		source, slug, ok := strings.Cut(pair[0], "=")
		if !ok {
			source, slug = "", source
		}
		ids[slug] = r.page(slug, "", func(n *pagestore.NewPage) { n.Path = source }).ID
		texts[slug] = pair[1]
	}
	fill := strings.NewReplacer(placeholders(ids, r.PublicURL)...)
	for slug, text := range texts {
		r.update(ids[slug], pagestore.Change{Content: new(fill.Replace(text))})
	}
	return ids, texts
}

func placeholders(ids map[string]octavo.ID, base string) []string {
	list := []string{"{base}", base}
	for slug, id := range ids {
		list = append(list, "{"+slug+"}", string(id))
	}
	return list
}

func (r rig) refactor(a proposals.Asker, in octavo.Refactor, ids map[string]octavo.ID) (octavo.Proposal, error) {
	in.PageID, in.With = ids[string(in.PageID)], ids[string(in.With)]
	return r.Refactor(r.ctx, causeOf(a), a, in, nil)
}

func causeOf(a proposals.Asker) sqldb.Cause { return sqldb.Cause{Actor: a.Actor} }

func (r rig) every() []octavo.Page {
	r.Helper()
	list, _, err := r.st.Pages.List(r.ctx, octavo.Audience{}, pagestore.Query{Limit: 1000})
	r.must(err)
	return list
}

// TestRefactorRefuses shows what is refused, and with which Pointer.
func TestRefactorRefuses(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		ids, _ := r.lay([]string{"a", "# A\n\n> ## Quoted\n\n## Open\n\n```\ncode\n", "m.mdx=m", "<A/>", "b", "## B\n", "c", "## A {#b}\n\nx [^1]\n\n[^1]: y\n", "d", "x [^1]\n\n[^1]: z\n"})
		ids["none"] = "page_01h455vb4pex5vsknk084sn02q"
		for _, c := range []struct {
			in   octavo.Refactor
			want string
		}{
			{split(2, "x"), "/line"},
			{split(3, "x"), "/line"},
			{split(99, "x"), "/line"},
			{octavo.Refactor{Kind: octavo.RefactorJoin, PageID: "b", With: "m"}, "/with"},
			{octavo.Refactor{Kind: octavo.RefactorJoin, PageID: "b", With: "none"}, "/with"},
			{octavo.Refactor{Kind: octavo.RefactorJoin, PageID: "none", With: "b"}, "/pageId"},
			{octavo.Refactor{Kind: octavo.RefactorJoin, PageID: "a", With: "b"}, ""}, // the code does not end
			{octavo.Refactor{Kind: octavo.RefactorJoin, PageID: "c", With: "d"}, ""}, // both define [^1]
			{octavo.Refactor{Kind: octavo.RefactorJoin, PageID: "b", With: "c"}, ""}, // both have {#b}
			{rename("a"), ""},
		} {
			_, err := r.refactor(ann, c.in, ids)
			e, ok := errors.AsType[*octavo.Error](err)
			if !ok || c.want != "" && (e.Type != octavo.InvalidRequest || e.Fields[0].Path != c.want) {
				r.Errorf("%+v: have %v, want a refusal of %q", c.in, err, c.want)
			}
		}
	})
}

// Joining a page moves the pages below it, also those hidden from the proposer, and a page
// may replace its parent.
func TestRefactorTree(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		top := r.page("top", "")
		b := r.page("b", "[c](c)\n", under(top.ID))
		a := r.page("a", "", under(b.ID))
		c := r.page("c", "[b](b)\n", under(b.ID))
		draft := r.page("draft", "[b](b)\n", under(b.ID), func(n *pagestore.NewPage) { n.Status = octavo.Draft })
		public := ann
		public.Audience.PublishedOnly = true
		p, err := r.Refactor(r.ctx, causeOf(public), public, octavo.Refactor{Kind: octavo.RefactorJoin, PageID: a.ID, With: b.ID}, nil)
		r.must(err)
		for _, change := range p.Changes {
			if change.PageID == draft.ID {
				r.Errorf("a draft is named: %+v", change)
			}
		}
		_, err = r.merge(p)
		r.must(err)
		for id, want := range map[octavo.ID]octavo.ID{a.ID: top.ID, c.ID: a.ID, draft.ID: top.ID} {
			if have := r.get(id).ParentID; have != want {
				r.Errorf("%s stands under %q, want %q", r.get(id).Slug, have, want)
			}
		}
		if have := r.get(c.ID).Content; have != "[b](a#title-of-b)\n" {
			r.Errorf("links of a child that moves: %q", have)
		}
		former, _, err := r.st.Pages.BySlug(r.ctx, octavo.Audience{}, "b")
		if r.must(err); former.ID != a.ID {
			r.Errorf("the address of the page that went leads to %s", former.ID)
		}
	})
}

// TestRefactorLimit shows that too many pages are counted, and none of them changed.
func TestRefactorLimit(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		a := r.page("a", "")
		r.write(func(tx *sqldb.Tx) error {
			for i := range octavo.MaxChanges {
				n := pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "T", Slug: "n" + strconv.Itoa(i), Content: "[a](a)\n", Status: octavo.Published}}
				if _, err := r.st.Pages.Create(tx, n); err != nil {
					return err
				}
			}
			return nil
		})
		in := rename("b")
		in.PageID = a.ID
		_, err := r.Refactor(r.ctx, causeOf(ann), ann, in, nil)
		if !octavo.IsType(err, octavo.Conflict) || !strings.Contains(err.Error(), "1001 pages") {
			r.Errorf("have %v", err)
		}
	})
}
