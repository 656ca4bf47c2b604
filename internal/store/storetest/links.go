package storetest

import (
	"fmt"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// linking creates a published page with the content.
func (e *env) linking(slug, content string) octavo.Page {
	e.Helper()
	n := published(slug)
	n.Content = content
	return e.create(n)
}

// wantBacklinks compares the links that lead to a page, as "slug: label".
func (e *env) wantBacklinks(aud octavo.Audience, id octavo.ID, want ...string) {
	e.Helper()
	links, _, more, err := e.st.Pages.Backlinks(e.ctx, aud, id, sqldb.Cursor{}, 100)
	e.noError(err, "read backlinks")
	var have []string
	for _, l := range links {
		have = append(have, l.Slug+": "+l.Label)
	}
	e.equal("backlinks", have, want)
	e.equal("more", more, false)
}

func backlinks(e *env) {
	n := page("target")
	n.Path = "guide/target.md"
	target := e.create(n)
	a := e.linking("a", "[by slug](target) [elsewhere](other) [by path](guide/target.md) [by name](//target.md)")
	b := e.linking("b", "[by id]("+string(target.ID)+") [same](target) [same](guide/target.md)")
	e.wantBacklinks(everyone, target.ID, "a: by slug", "a: by path", "a: by name", "b: by id", "b: same")
	links, _, _, err := e.st.Pages.Backlinks(e.ctx, everyone, target.ID, sqldb.Cursor{}, 1)
	e.noError(err, "read backlinks")
	e.equal("a backlink", links, []octavo.Backlink{{ID: a.ID, Title: a.Title, Slug: "a", Label: "by slug"}})

	// A former slug leads on, and a page that links no more does not.
	e.update(target.ID, pagestore.Change{Slug: ref("moved")})
	e.wantBacklinks(everyone, target.ID, "a: by slug", "a: by path", "a: by name", "b: by id", "b: same")
	e.update(a.ID, pagestore.Change{Content: ref("nothing")})
	e.wantBacklinks(everyone, target.ID, "b: by id", "b: same")
	e.delete(b.ID)
	e.wantBacklinks(everyone, target.ID)
	e.restore(b.ID)
	e.wantBacklinks(everyone, target.ID, "b: by id", "b: same")
	e.wantBacklinks(everyone, a.ID)
	_, _, _, err = e.st.Pages.Backlinks(e.ctx, everyone, "page_unknown", sqldb.Cursor{}, 1)
	e.wantError(err, octavo.NotFound)
}

// linkTargets follows links from the page that has them.
func linkTargets(e *env) {
	n := page("draft")
	n.Path = "guide/draft.md"
	draft, open := e.create(n), e.linking("open", "text")
	source := e.linking("source", "[a](none) [b](open) [c](guide/draft.md) [d]("+string(open.ID)+") [e](gone|draft) [f](gone.md|//draft.md)")
	for _, c := range []struct {
		aud  octavo.Audience
		want []pagestore.LinkTarget
	}{
		{everyone, []pagestore.LinkTarget{{Link: 1, ID: open.ID, Slug: "open", Title: open.Title}, {Link: 2, ID: draft.ID, Slug: "draft", Title: draft.Title}, {Link: 3, ID: open.ID, Slug: "open", Title: open.Title}, {Link: 4, ID: draft.ID, Slug: "draft", Title: draft.Title}, {Link: 5, ID: draft.ID, Slug: "draft", Title: draft.Title}}},
		{public, []pagestore.LinkTarget{{Link: 1, ID: open.ID, Slug: "open", Title: open.Title}, {Link: 3, ID: open.ID, Slug: "open", Title: open.Title}}},
	} {
		have, err := e.st.Pages.LinkTargets(e.ctx, c.aud, source.ID)
		e.noError(err, "resolve links")
		e.equal("targets", have, c.want)
	}
	e.update(open.ID, pagestore.Change{Slug: ref("moved")})
	e.delete(draft.ID)
	have, err := e.st.Pages.LinkTargets(e.ctx, everyone, source.ID)
	e.noError(err, "resolve links")
	e.equal("targets after a move and a deletion", have, []pagestore.LinkTarget{{Link: 1, ID: open.ID, Slug: "moved", Title: open.Title}, {Link: 3, ID: open.ID, Slug: "moved", Title: open.Title}})
}

// labels are found on the pages that have them now, those of the same import set first.
func labels(e *env) {
	from := e.linking("from", "[x](///x.md) [y](///y.md)")
	one, two := e.linking("one", "(x)= (y)="), e.linking("two", "(x)=")
	want := func(what string, x, y octavo.Page) {
		e.Helper()
		var list []pagestore.LinkTarget
		for i, p := range []octavo.Page{x, y} {
			if p.ID != "" {
				list = append(list, pagestore.LinkTarget{Link: i, ID: p.ID, Slug: p.Slug, Title: p.Title})
			}
		}
		have, err := e.st.Pages.LinkTargets(e.ctx, everyone, from.ID)
		e.noError(err, "resolve links")
		e.equal("targets "+what, have, list)
		drafts, err := e.st.Pages.Resolve(e.ctx, everyone, from.ID, []pagestore.Target{{Path: "///x"}, {Link: 1, Path: "///y"}})
		e.noError(err, "resolve the links of a draft")
		e.equal("targets of a draft "+what, drafts, list)
		e.equal("broken links "+what, e.broken(everyone, 10), e.brokenOf(everyone))
		texts, err := e.st.Index.LinkTexts(e.ctx, everyone, []octavo.ID{one.ID, two.ID})
		e.noError(err, "read what links call pages")
		e.equal("texts "+what, len(texts), len(list))
	}
	want("at first", one, one)
	e.wantBacklinks(everyone, one.ID, "from: x", "from: y")
	e.wantBacklinks(everyone, two.ID)
	rivals, err := e.st.Index.LinkRivals(e.ctx, []octavo.ID{two.ID})
	e.noError(err, "read which pages share links")
	e.equal("rivals", rivals, []octavo.ID{one.ID})
	found, err := e.st.Selection.Labels(e.ctx, []octavo.ID{one.ID, two.ID, from.ID})
	e.noError(err, "read labels")
	e.equal("labels", found, map[octavo.ID][]string{one.ID: {"///x", "///y"}, two.ID: {"///x"}})

	e.update(from.ID, pagestore.Change{ImportSet: ref("set")})
	e.update(two.ID, pagestore.Change{ImportSet: ref("set")})
	want("of the same set", two, one)
	e.update(one.ID, pagestore.Change{Content: ref("nothing")})
	want("after an edit", two, octavo.Page{})
	e.delete(two.ID)
	want("after a deletion", octavo.Page{}, octavo.Page{})
	e.restore(two.ID)
	want("after a restore", two, octavo.Page{})
}

// manyLinks has more links and tags on a page than one statement inserts.
func manyLinks(e *env) {
	target := e.create(page("target"))
	var content string
	var want, tags []string
	for i := range 75 {
		label := fmt.Sprintf("%02d", i)
		content += "[" + label + "](target) "
		want = append(want, "many: "+label)
		tags = append(tags, `"tag`+label+`"`)
	}
	n := published("many")
	n.Content = content
	n.Frontmatter = []byte(`{"tags":[` + strings.Join(tags, ",") + `]}`)
	many := e.create(n)
	e.wantBacklinks(everyone, target.ID, want...)
	for _, tag := range []string{"tag00", "tag31", "tag32", "tag74"} {
		list, _, err := e.st.Pages.List(e.ctx, everyone, pagestore.Query{Tag: tag, Limit: 2})
		e.noError(err, "list by tag")
		e.equal(tag, len(list) == 1 && list[0].ID == many.ID, true)
	}
}

func backlinkCandidates(e *env) {
	e.linking("a", "[x](one.md|two|three)")
	three := e.create(page("three"))
	e.wantBacklinks(everyone, three.ID, "a: x")
	two := e.create(page("two"))
	e.wantBacklinks(everyone, two.ID, "a: x")
	e.wantBacklinks(everyone, three.ID)
	n := page("first")
	n.Path = "one.md"
	one := e.create(n)
	e.wantBacklinks(everyone, one.ID, "a: x")
	e.wantBacklinks(everyone, two.ID)
	n = page("second")
	n.Path = "one.md"
	e.wantBacklinks(everyone, e.create(n).ID)
	e.delete(one.ID)
	second, _, err := e.st.Pages.BySlug(e.ctx, everyone, "second")
	e.noError(err, "read")
	e.wantBacklinks(everyone, second.ID, "a: x")
	e.delete(second.ID)
	e.wantBacklinks(everyone, two.ID, "a: x")
}

func backlinkVisibility(e *env) {
	target := e.create(published("target"))
	e.linking("shown", "[x](target)")
	n := page("hidden")
	n.Content = "[secret](target)"
	e.create(n)
	e.wantBacklinks(everyone, target.ID, "shown: x", "hidden: secret")
	e.wantBacklinks(public, target.ID, "shown: x")
}

func backlinkPages(e *env) {
	target := e.create(page("target"))
	e.linking("a", "[1](target) [2](target) [3](target)")
	e.linking("b", "[1](target)")
	var labels []string
	var mark sqldb.Cursor
	for {
		links, next, more, err := e.st.Pages.Backlinks(e.ctx, everyone, target.ID, mark, 2)
		e.noError(err, "read backlinks")
		for _, l := range links {
			labels = append(labels, l.Slug+l.Label)
		}
		if !more {
			break
		}
		mark = next
	}
	e.equal("backlinks", labels, []string{"a1", "a2", "a3", "b1"})
}
