package storetest

import (
	"cmp"
	"encoding/json"
	"slices"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// list reads a whole list in slices of size pages and returns its slugs.
func (e *env) list(q pagestore.Query, size int) (slugs []string) {
	e.Helper()
	q.Limit = size
	for {
		pages, more, err := e.st.Pages.List(e.ctx, everyone, q)
		e.noError(err, "list")
		for _, p := range pages {
			slugs = append(slugs, p.Slug)
		}
		if !more {
			return slugs
		}
		if len(pages) != size {
			e.Fatalf("have %d pages and more to come, want %d", len(pages), size)
		}
		q.After = ref(pagestore.CursorOf(pages[size-1], q.Sort))
	}
}

func listOrders(e *env) {
	titles := map[string]string{"a": "Zebra", "b": "apple", "c": "Zebra", "d": "\u00c4pfel", "e": "\U0001F600"}
	for _, slug := range []string{"a", "b", "c", "d", "e"} {
		n := page(slug)
		n.Title = titles[slug]
		e.create(n)
	}
	e.clock.move(time.Second)
	for _, slug := range []string{"d", "b"} {
		p, _, err := e.st.Pages.BySlug(e.ctx, everyone, slug)
		e.noError(err, "read")
		e.update(p.ID, pagestore.Change{Status: ref(octavo.Archived)})
	}
	for _, test := range []struct {
		sort pagestore.Sort
		want []string
	}{
		{"", []string{"a", "b", "c", "d", "e"}},
		{pagestore.SortCreated, []string{"a", "b", "c", "d", "e"}},
		{pagestore.SortCreatedDesc, []string{"e", "d", "c", "b", "a"}},
		{pagestore.SortUpdatedDesc, []string{"d", "b", "e", "c", "a"}},
		{pagestore.SortTitle, []string{"a", "c", "b", "d", "e"}},
	} {
		for size := 1; size <= 6; size++ {
			e.equal("order "+string(test.sort), e.list(pagestore.Query{Sort: test.sort}, size), test.want)
		}
	}
	_, _, err := e.st.Pages.List(e.ctx, everyone, pagestore.Query{Sort: "color", Limit: 1})
	if err == nil {
		e.Error("an unknown order is no error")
	}
}

func listFilters(e *env) {
	start := e.clock.now()
	tagged := func(slug, tags string, status octavo.PageStatus, parent octavo.ID) octavo.Page {
		e.clock.move(time.Second)
		n := under(parent, slug)
		n.Status = status
		n.Frontmatter = json.RawMessage(`{"tags":` + tags + `}`)
		return e.create(n)
	}
	long := string(slices.Repeat([]byte("long tag "), 1000))
	a := tagged("a", `["go","sql"]`, octavo.Published, "")
	tagged("b", `["go"]`, octavo.Draft, a.ID)
	tagged("c", `["sql","`+long+`"]`, octavo.Published, a.ID)
	tagged("d", `"go"`, octavo.Published, "")
	gone := tagged("e", `["go"]`, octavo.Published, "")
	e.delete(gone.ID)
	retagged := tagged("f", `["go"]`, octavo.Draft, "")
	e.update(retagged.ID, pagestore.Change{Frontmatter: ref([]byte(`{"tags":["c\u0000"]}`))})

	root := octavo.ID("")
	for _, test := range []struct {
		name  string
		query pagestore.Query
		want  []string
	}{
		{"status", pagestore.Query{Status: octavo.Published}, []string{"a", "c", "d"}},
		{"slug", pagestore.Query{Slug: "d"}, []string{"d"}},
		{"slug of a deleted page", pagestore.Query{Slug: "e"}, nil},
		{"slug with NUL", pagestore.Query{Slug: "\x00\xff"}, nil},
		{"root", pagestore.Query{Parent: &root}, []string{"a", "d", "f"}},
		{"parent", pagestore.Query{Parent: &a.ID}, []string{"b", "c"}},
		{"tag", pagestore.Query{Tag: "go"}, []string{"a", "b", "d"}},
		{"long tag", pagestore.Query{Tag: long}, []string{"c"}},
		{"part of a long tag", pagestore.Query{Tag: long[:len(long)-1]}, nil},
		{"tag with NUL", pagestore.Query{Tag: "c\x00"}, []string{"f"}},
		{"updated after", pagestore.Query{UpdatedAfter: start.Add(3 * time.Second)}, []string{"d", "f"}},
		{"all", pagestore.Query{Status: octavo.Published, Parent: &a.ID, Tag: "sql", UpdatedAfter: start, Slug: "c"}, []string{"c"}},
	} {
		e.equal(test.name, e.list(test.query, 2), test.want)
		test.query.Sort = pagestore.SortCreatedDesc
		slices.Reverse(test.want)
		e.equal(test.name+" backwards", e.list(test.query, 1), test.want)
		test.query.Sort = pagestore.SortTitle
		slices.Reverse(test.want)
		e.equal(test.name+" by title", e.list(test.query, 1), test.want)
	}
}

// listLanguages: the language of a page is what its front matter says, else what its
// import said, also behind changes of either.
func listLanguages(e *env) {
	spoken := func(slug, imported, front string) octavo.ID {
		n := page(slug)
		n.Language = imported
		if front != "" {
			n.Frontmatter = json.RawMessage(`{"lang":"` + front + `"}`)
		}
		p := e.create(n)
		e.equal(slug, p.Language, cmp.Or(front, imported))
		e.samePage(p)
		return p.ID
	}
	spoken("none", "", "")
	both := spoken("both", "pt-BR", "de")
	moved := spoken("moved", "pt-BR", "")
	spoken("front", "", "DE-at")
	spoken("longer", "", "den")
	list := func(language string, unsaid bool) []string {
		return e.list(pagestore.Query{Language: language, Unsaid: unsaid}, 2)
	}
	e.equal("de", list("de", false), []string{"both", "front"})
	e.equal("DE or none", list("DE", true), []string{"none", "both", "front"})
	e.equal("pt", list("pt", false), []string{"moved"})
	e.equal("p", list("p", false), []string(nil))
	before := e.get(everyone, both)
	after := e.update(both, pagestore.Change{Frontmatter: ref([]byte(nil))})
	e.equal("without front matter", after.Language, "pt-BR")
	e.equal("a version of its own", after.Version > before.Version, true)
	e.equal("a change of language alone", e.update(moved, pagestore.Change{Language: ref("")}).Version, int64(2))
	e.equal("the same language", e.update(moved, pagestore.Change{Language: ref("")}).Version, int64(2))
	e.equal("pt afterwards", list("pt", false), []string{"both"})
}

// listPages: a page that is removed or added while a list is read disturbs no
// other one.
func listPages(e *env) {
	var ids []octavo.ID
	for _, slug := range []string{"a", "b", "c", "d"} {
		p := e.create(page(slug))
		e.samePage(p)
		ids = append(ids, p.ID)
	}
	pages, more, err := e.st.Pages.List(e.ctx, everyone, pagestore.Query{Limit: 2})
	e.noError(err, "list")
	e.equal("more", more, true)
	e.equal("first page whole", pages[0], e.get(everyone, ids[0]))
	e.delete(ids[1])
	e.create(page("e"))
	mark := pagestore.CursorOf(pages[1], "")
	pages, more, err = e.st.Pages.List(e.ctx, everyone, pagestore.Query{Limit: 3, After: &mark})
	e.noError(err, "list on")
	e.equal("more", more, false)
	var slugs []string
	for _, p := range pages {
		slugs = append(slugs, p.Slug)
	}
	e.equal("rest", slugs, []string{"c", "d", "e"})
}
