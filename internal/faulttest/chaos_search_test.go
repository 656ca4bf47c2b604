package faulttest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
)

// hit is a search result.
type hit struct {
	ID          octavo.ID
	Title, Slug string
	UpdatedAt   time.Time
}

func hitOf(p octavo.Page) hit { return hit{p.ID, p.Title, p.Slug, p.UpdatedAt} }

// probe is a search with its expected results. With a page it may also find others, but
// this page only as expected.
type probe struct {
	words, filters string
	want           []hit
	page           octavo.ID
}

func (p probe) path() string {
	path := "/search?limit=100&q=" + url.QueryEscape(p.words)
	if p.filters != "" {
		path += "&filters=" + url.QueryEscape(p.filters)
	}
	return path
}

// compare says what is wrong with results.
func (p probe) compare(have []hit) error {
	if p.page != "" {
		have = slices.DeleteFunc(slices.Clone(have), func(h hit) bool { return h.ID != p.page })
	}
	order := func(a, b hit) int { return cmp.Compare(a.ID, b.ID) }
	have, want := slices.SortedFunc(slices.Values(have), order), slices.SortedFunc(slices.Values(p.want), order)
	same := func(a, b hit) bool {
		return a.ID == b.ID && a.Title == b.Title && a.Slug == b.Slug && a.UpdatedAt.Equal(b.UpdatedAt)
	}
	if !slices.EqualFunc(have, want, same) {
		return fmt.Errorf("a search for %s %s finds\n%+v, want\n%+v", p.words, p.filters, have, want)
	}
	return nil
}

// heading returns the unique name at the start of a writer's content.
func heading(content string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(content, "# "), "\n")
	return name
}

func quoted(words string) string { return `"` + words + `"` }

// probes are searches for some pages of the writers, for all remaining pages of the
// mixers, and for those with a tag. former has previous content of the writers' pages.
func (c *chaos) probes(stored map[octavo.ID]octavo.Page, list []*writer, former map[octavo.ID]string) (probes []probe) {
	const most = 40 // pages of each writer
	of := func(id octavo.ID) []hit {
		if p, there := stored[id]; there {
			return []hit{hitOf(p)}
		}
		return nil
	}
	for _, w := range list {
		for _, i := range c.rng.Perm(len(w.pages))[:min(most, len(w.pages))] {
			p := w.pages[i]
			probes = append(
				probes,
				probe{words: p.slug, want: of(p.id), page: p.id}, // a slug is no text that a phrase could be in
				probe{words: quoted(p.title), want: of(p.id)},
				probe{words: quoted(heading(p.content)), want: of(p.id)},
			)
			if before := former[p.id]; before != "" {
				probes = append(probes, probe{words: quoted(heading(before))})
			}
		}
	}
	tagged := probe{words: "exported", filters: `{"tags":["exported"]}`}
	for _, p := range stored {
		if len(p.Frontmatter) > 0 {
			tagged.want = append(tagged.want, hitOf(p))
		}
		if strings.HasPrefix(p.Content, "Content ") { // of a mixer
			probes = append(probes, probe{words: quoted(p.Content), want: of(p.ID)})
		}
	}
	return append(probes, tagged)
}

// found checks at each process that searches find exactly the pages with that final title,
// slug and content.
func (c *chaos) found(editor *api, list []*writer, former map[octavo.ID]string) {
	stored, err := everything(c.t.Context(), editor)
	if err != nil {
		c.t.Errorf("list all pages: %v", err)
		return
	}
	probes := c.probes(stored, list, former)
	for _, n := range c.nodes {
		a := newAPI(c.t, n.server.url, editor.token)
		for _, p := range probes {
			have, err := p.search(c.t.Context(), a)
			if err == nil {
				err = p.compare(have)
			}
			if err != nil {
				c.t.Errorf("%s: %v", n.name, err)
			}
		}
	}
	c.report.held("search: %d searches at each process for slugs, titles, content and former content, with just the results that there must be; %d searches of readers for what is not published",
		len(probes), c.report.searched.Load())
}

// search searches after everything is indexed.
func (p probe) search(ctx context.Context, a *api) (have []hit, err error) {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	res, err := persist(ctx, a, call{method: http.MethodGet, path: p.path(), prefer: "wait=10"})
	if err == nil && res.status != http.StatusOK {
		err = fmt.Errorf("have %s", res)
	}
	if err == nil {
		err = json.Unmarshal(res.body, &have)
	}
	if err != nil {
		return nil, fmt.Errorf("search for %s: %w", p.words, err)
	}
	return have, nil
}

// Search results that differ from the store are detected.
func TestProbesBite(t *testing.T) {
	t.Parallel()
	at := time.Unix(1, 0)
	one, two := hit{"1", "One", "one", at}, hit{"2", "Two", "two", at}
	changed := func(change func(*hit)) hit {
		h := one
		change(&h)
		return h
	}
	for _, c := range []struct {
		name       string
		want, have []hit
		fails      bool
		page       octavo.ID
	}{
		{"as it should be, in another order", []hit{one, two}, []hit{two, one}, false, ""},
		{"nothing", nil, nil, false, ""},
		{"one is missing", []hit{one, two}, []hit{one}, true, ""},
		{"one that is gone", nil, []hit{one}, true, ""},
		{"one twice", []hit{one}, []hit{one, one}, true, ""},
		{"another in its place", []hit{one}, []hit{two}, true, ""},
		{"its title before", []hit{one}, []hit{changed(func(h *hit) { h.Title = "Zero" })}, true, ""},
		{"its slug before", []hit{one}, []hit{changed(func(h *hit) { h.Slug = "zero" })}, true, ""},
		{"its time before", []hit{one}, []hit{changed(func(h *hit) { h.UpdatedAt = at.Add(-1) })}, true, ""},
		{"another beside it, which may be", []hit{one}, []hit{two, one}, false, one.ID},
		{"another in the place of it", []hit{one}, []hit{two}, true, one.ID},
		{"its title before, beside another", []hit{one}, []hit{two, changed(func(h *hit) { h.Title = "Zero" })}, true, one.ID},
		{"another beside one that is gone", nil, []hit{two}, false, one.ID},
		{"one that is gone, beside another", nil, []hit{two, one}, true, one.ID},
	} {
		if err := (probe{want: c.want, page: c.page}).compare(c.have); (err != nil) != c.fails {
			t.Errorf("%s: have %v, want a complaint: %t", c.name, err, c.fails)
		}
	}
}
