package storetest

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// brokenLinks changes pages, and checks that to each audience the broken links are those
// on its pages that [pagestore.Pages.LinkTargets] leaves out, however they are paged.
func brokenLinks(e *env) {
	var ids []octavo.ID
	for i := range 24 {
		n := page(fmt.Sprint("page-", i))
		if i%3 > 0 {
			n.Status = octavo.Published
		}
		n.Path, n.ImportSet = fmt.Sprintf("guide/file-%d.md", i%20), fmt.Sprint("set-", i%2)
		for k := range 5 {
			n.Content += fmt.Sprintf("[a](page-%d) [b](guide/file-%d.md) [c](none-%d|page-%d) [d](none-%d) ", (i*5+k)%30, (i+k*7)%25, k, i+k*3, k)
		}
		ids = append(ids, e.create(n).ID)
	}
	for step := range 12 {
		id := ids[step*7%len(ids)]
		switch step % 4 {
		case 0:
			e.update(id, pagestore.Change{Slug: ref(fmt.Sprint("moved-", step))})
		case 1:
			e.update(id, pagestore.Change{Status: ref(octavo.Archived)})
		case 2:
			e.noError(e.tryDelete(id, pagestore.ChildrenReparent), "delete")
		case 3:
			e.update(id, pagestore.Change{Path: ref(fmt.Sprintf("guide/file-%d.md", step)), Status: ref(octavo.Published)})
		}
		for _, aud := range []octavo.Audience{everyone, public} {
			want := e.brokenOf(aud)
			for _, limit := range []int{7, 100, 1000} {
				e.equal(fmt.Sprint("broken links after step ", step, " by ", limit), e.broken(aud, limit), want)
			}
		}
	}
}

func (e *env) broken(aud octavo.Audience, limit int) (list []string) {
	e.Helper()
	var after sqldb.Cursor
	for more := true; more; {
		var links []octavo.BrokenLink
		var err error
		links, after, more, err = pagestore.NewLinks(e.st.DB).Broken(e.ctx, aud, after, limit)
		e.noError(err, "list broken links")
		for _, l := range links {
			list = append(list, fmt.Sprint(l.PageID, l.Title, l.Slug, l.Href))
		}
		if len(links) == 0 && more {
			e.Fatalf("more follow behind nothing")
		}
	}
	return list
}

// brokenOf is broken by the links of each page.
func (e *env) brokenOf(aud octavo.Audience) (list []string) {
	e.Helper()
	pages, _, err := e.st.Pages.List(e.ctx, aud, pagestore.Query{Limit: 100})
	e.noError(err, "list pages")
	for _, p := range pages {
		targets, err := e.st.Pages.LinkTargets(e.ctx, aud, p.ID)
		e.noError(err, "resolve links")
		leads := map[int]bool{}
		for _, t := range targets {
			leads[t.Link] = true
		}
		var links []octavo.Link
		e.noError(json.Unmarshal(p.Links, &links), "read links")
		seen := map[string]bool{}
		for i, l := range links {
			if !leads[i] && !seen[l.Href] && !strings.Contains(l.Href, ":") {
				list = append(list, fmt.Sprint(p.ID, p.Title, p.Slug, l.Href))
			}
			seen[l.Href] = true
		}
	}
	return list
}
