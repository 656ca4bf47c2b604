package storetest

import (
	"encoding/json"
	"sort"
	"sync"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

func createPage(e *env) {
	p := e.create(page("intro"))
	e.equal("created page", p, octavo.Page{
		ID: p.ID, Title: "Title of intro", Slug: "intro", Status: octavo.Draft, Content: "Content of intro",
		CreatedAt: e.clock.now(), UpdatedAt: e.clock.now(), Links: json.RawMessage("[]"), Version: 1, Revision: 1,
	})
	if !p.ID.Is(octavo.PrefixPage) {
		e.Errorf("have id %q, want one of a page", p.ID)
	}
	e.samePage(p)

	full := published("full")
	full.ParentID = p.ID
	full.Position = ref(int64(-3))
	full.Frontmatter = json.RawMessage(`{"b":1.0,"a":["x"]}`)
	full.Content = "[a <b>](x) [c](y)"
	q := e.create(full)
	e.equal("links", string(q.Links), `[{"href":"x","label":"a <b>"},{"href":"y","label":"c"}]`)
	e.equal("parent", q.ParentID, p.ID)
	e.samePage(q)

	_, err := e.st.Pages.Get(e.ctx, everyone, "page_unknown")
	e.wantError(err, octavo.NotFound)
	_, err = e.st.Pages.Get(e.ctx, everyone, "no identifier\x00\xff")
	e.wantError(err, octavo.NotFound)
}

func createKeepsBytes(e *env) {
	n := page("bytes")
	n.Content = "a\r\nb\x00c\u2028\U0001F600 \xef\xbb\xbf e\u0301 \t\n"
	n.Title = "\u00dcber <\"&> \U0001F600"
	n.Frontmatter = json.RawMessage(`{"z":"\u0000","n":1e400,"tags":["\u0000","a"]}`)
	p := e.create(n)
	have := e.get(everyone, p.ID)
	e.equal("content", have.Content, n.Content)
	e.equal("title", have.Title, n.Title)
	e.equal("front matter", string(have.Frontmatter), string(n.Frontmatter))
	r, err := e.st.Pages.Revision(e.ctx, everyone, p.ID, 1)
	e.noError(err, "read the revision")
	e.equal("content of the revision", *r.Content, n.Content)
}

func createOrder(e *env) {
	var mu sync.Mutex
	var ids []string
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 5 {
				p, err := e.tryCreate(page(randomSlug()))
				if err != nil {
					e.Errorf("create: %v", err)
					return
				}
				mu.Lock()
				ids = append(ids, string(p.ID))
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	sort.Strings(ids)
	pages, more, err := e.st.Pages.List(e.ctx, everyone, pagestore.Query{Limit: 100})
	e.noError(err, "list")
	var listed []string
	for _, p := range pages {
		listed = append(listed, string(p.ID))
	}
	e.equal("listed ids", listed, ids)
	e.equal("more", more, false)
}

func createCallback(e *env) {
	now := published("now")
	now.CallbackURL = "https://example.com/now"
	later := page("later")
	later.CallbackURL = "https://example.com/later"
	p, q := e.create(now), e.create(later)
	e.create(published("without"))

	// told returns the receivers of a page's publications.
	told := func(id octavo.ID) (list []string) {
		for _, c := range e.changes(0) {
			url, found, err := e.st.Hooks.Callback(e.ctx, c.EventID)
			e.noError(err, "look up a callback")
			if found && c.Page == id {
				e.equal("kind of the event", c.Kind, octavo.PagePublished)
				list = append(list, url)
			}
		}
		return list
	}
	e.equal("told at creation", told(p.ID), []string{now.CallbackURL})
	e.equal("told before publication", told(q.ID), nil)
	for range 2 {
		e.update(q.ID, pagestore.Change{Status: ref(octavo.Published)})
		e.update(q.ID, pagestore.Change{Status: ref(octavo.Draft)})
	}
	e.equal("told at the first publication", told(q.ID), []string{later.CallbackURL})
}
