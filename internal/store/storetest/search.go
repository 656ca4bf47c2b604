package storetest

import (
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// searchNames: what leads to a page, as far as an audience may know it.
func searchNames(e *env) {
	top := e.create(published("top"))
	n := under(top.ID, "middle")
	middle := e.create(n)
	n = published("low")
	n.ParentID = middle.ID
	low := e.create(n)
	n = published("lowest")
	n.ParentID = low.ID
	lowest := e.create(n)
	e.update(lowest.ID, pagestore.Change{Slug: ref("lowest-now")})
	e.update(middle.ID, pagestore.Change{Slug: ref("middle-now")})
	e.update(middle.ID, pagestore.Change{Slug: ref("middle-then")})

	all := []octavo.ID{top.ID, middle.ID, low.ID, lowest.ID}
	for _, c := range []struct {
		aud  octavo.Audience
		want map[octavo.ID]pagestore.Names
	}{
		{everyone, map[octavo.ID]pagestore.Names{
			middle.ID: {FormerSlugs: []string{"middle", "middle-now"}, Redirecting: []string{"middle", "middle-now"}, Ancestors: []string{"Title of top"}},
			low.ID:    {Ancestors: []string{"Title of middle", "Title of top"}},
			lowest.ID: {FormerSlugs: []string{"lowest"}, Redirecting: []string{"lowest"}, Ancestors: []string{"Title of low", "Title of middle", "Title of top"}},
		}},
		{public, map[octavo.ID]pagestore.Names{
			middle.ID: {Redirecting: []string{"middle", "middle-now"}, Ancestors: []string{"Title of top"}},
			lowest.ID: {FormerSlugs: []string{"lowest"}, Redirecting: []string{"lowest"}, Ancestors: []string{"Title of low"}},
		}},
	} {
		names, err := e.st.Index.Names(e.ctx, c.aud, all)
		e.noError(err, "read names")
		e.equal("names", names, c.want)
	}

	below, err := e.st.Index.Below(e.ctx, []octavo.ID{top.ID, low.ID})
	e.noError(err, "read what is below")
	e.equal("below top and low", below, []octavo.ID{middle.ID, low.ID, lowest.ID})
	e.noError(e.tryDelete(middle.ID, pagestore.ChildrenCascade), "delete")
	below, err = e.st.Index.Below(e.ctx, []octavo.ID{top.ID})
	e.noError(err, "read what is below")
	e.equal("below top, once that is deleted", below, nil)
}

// searchStates: every page comes once, as it is.
func searchStates(e *env) {
	var want []pagestore.State
	for _, slug := range []string{"a", "b", "c", "d", "e"} {
		n := page(slug)
		if slug > "c" {
			n = published(slug)
		}
		p := e.create(n)
		want = append(want, pagestore.State{ID: p.ID, Published: p.Status == octavo.Published, UpdatedAt: p.UpdatedAt})
	}
	e.delete(want[1].ID)
	want = slices.Delete(want, 1, 2)
	var have []pagestore.State
	for after := octavo.ID(""); ; after = have[len(have)-1].ID {
		states, err := e.st.Index.States(e.ctx, after, 3)
		e.noError(err, "read states")
		if len(states) == 0 {
			break
		}
		have = append(have, states...)
	}
	e.equal("states", have, want)
}

// searchSeen: only a reader with access and all of the tags sees a page.
func searchSeen(e *env) {
	n := published("shown")
	n.Frontmatter = []byte(`{"tags":["a","b"]}`)
	shown := e.create(n)
	hidden := e.create(page("hidden"))
	gone := e.create(published("gone"))
	e.delete(gone.ID)
	all := []octavo.ID{shown.ID, hidden.ID, gone.ID, "page_unknown"}
	for _, c := range []struct {
		aud  octavo.Audience
		tags []string
		want map[octavo.ID]bool
	}{
		{everyone, nil, map[octavo.ID]bool{shown.ID: true, hidden.ID: true}},
		{public, nil, map[octavo.ID]bool{shown.ID: true}},
		{public, []string{"a", "b"}, map[octavo.ID]bool{shown.ID: true}},
		{everyone, []string{"a", "c"}, nil},
	} {
		seen, err := e.st.Index.Seen(e.ctx, c.aud, all, c.tags)
		e.noError(err, "look what is seen")
		e.equal("seen", seen, c.want)
	}
}
