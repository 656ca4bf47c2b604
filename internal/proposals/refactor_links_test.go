package proposals_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/proposals/rewrite"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// TestRefactorLinks checks that no link that led somewhere leads anywhere else once pages
// were renamed, split and joined. Every section has a mark of its own, by which a link
// tells where it leads: the mark that follows.
func TestRefactorLinks(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		for seed := range uint64(12) {
			g := &grove{rig: r, rand: rand.New(rand.NewPCG(seed, 38)), seed: seed}
			g.plant()
			want := g.leads()
			for step := range 4 {
				what := g.step()
				if what == "" {
					continue
				}
				have := g.leads()
				for label, mark := range want {
					if now := have[label]; now[0] != mark[0] && (now[1] != mark[1] || now[1] == "") {
						t.Errorf("seed %d, step %d, %s: %s led to %q, and now to %q", seed, step, what, label, mark, now)
					}
				}
				if t.Failed() {
					t.Fatalf("seed %d: the pages are\n%s", seed, g)
				}
				want = have
			}
			for _, p := range g.every() {
				g.delete(p.ID)
			}
		}
	})
}

// grove is a site of random pages.
type grove struct {
	rig
	rand  *rand.Rand
	seed  uint64
	marks int
}

func (g *grove) pick(list ...string) string { return list[g.rand.IntN(len(list))] }

func (g *grove) mark() string {
	g.marks++
	return fmt.Sprintf("mark%dx", g.marks)
}

// plant makes pages, with headings that are alike, and then their links.
func (g *grove) plant() {
	var ids []octavo.ID
	for i := range 7 {
		slug, source := fmt.Sprintf("p%d-%d", g.seed, i), ""
		if g.rand.IntN(3) > 0 {
			source = g.pick("", "docs/", "docs/guide/", "docs/guide/deep/") + g.pick(slug, "the "+slug, slug+"/index") + ".md"
		}
		under := under("")
		if i > 0 && g.rand.IntN(2) == 0 {
			under = func(n *pagestore.NewPage) { n.ParentID = ids[g.rand.IntN(len(ids))] }
		}
		ids = append(ids, g.page(slug, "", under, func(n *pagestore.NewPage) { n.Path = source }).ID)
	}
	texts := map[octavo.ID]string{}
	for _, p := range g.every() {
		var b strings.Builder
		b.WriteString(g.pick("", "# "+p.Title+"\n\n", "# Other\n\n") + g.mark() + "\n\n")
		for range 1 + g.rand.IntN(5) {
			b.WriteString(g.pick("## Setup", "## Use", "### Setup", "#### Setup", "Setup\n---", "### Use {#use-it}", "## Ü & b") + "\n\n" + g.mark() + "\n\nLINKS\n\n")
		}
		texts[p.ID] = b.String() + g.pick("", "[r]: p\n", "[^1]: LINKS\n")
	}
	label := 0
	for _, p := range g.every() {
		text, note := texts[p.ID], ""
		if strings.Contains(text, "[^1]:") {
			note = " [^1]"
		}
		for strings.Contains(text, "LINKS") {
			var links []string
			for range g.rand.IntN(4) {
				label++
				links = append(links, g.link(p, texts, label))
			}
			text = strings.Replace(text, "LINKS", strings.Join(links, " ")+g.pick("", note), 1)
		}
		g.update(p.ID, pagestore.Change{Content: &text})
	}
}

// link writes a link in one of many forms.
func (g *grove) link(from octavo.Page, texts map[octavo.ID]string, label int) string {
	all := g.every()
	to := all[g.rand.IntN(len(all))]
	href := g.pick(to.Slug, "./"+to.Slug, "/"+to.Slug, string(to.ID), g.PublicURL+"/"+to.Slug, g.PublicURL+"/v1/pages/"+string(to.ID), to.Slug+".md", "/"+to.Source)
	if from.Source != "" && to.Source != "" && g.rand.IntN(2) == 0 {
		href = g.pick("", "./") + strings.Repeat("../", strings.Count(from.Source, "/")) + to.Source
		if strings.HasPrefix(to.Source, path.Dir(from.Source)+"/") {
			href = strings.TrimPrefix(to.Source, path.Dir(from.Source)+"/")
		}
		href = g.pick(href, strings.TrimSuffix(href, ".md"))
	}
	if headings := rewrite.Read(texts[to.ID], markdown.Format{}).Headings; g.rand.IntN(2) == 0 {
		fragment := "#" + headings[g.rand.IntN(len(headings))].Anchor
		if href += fragment; to.ID == from.ID && g.rand.IntN(2) == 0 {
			href = fragment
		}
	}
	href = strings.ReplaceAll(href, " ", "%20")
	return fmt.Sprintf(g.pick("[label%dx](%s)", "[label%dx](<%s>)", "<a href=\"%[2]s\">label%[1]dx</a>", "[label%dx](%s 'T')"), label, href)
}

var markPattern = regexp.MustCompile(`mark\d+x`)

// leads tells by label where each link leads that leads somewhere: the mark that follows,
// and the title of what has none itself.
func (g *grove) leads() map[string][2]string {
	g.Helper()
	pages := map[octavo.ID]octavo.Page{}
	for _, p := range g.every() {
		pages[p.ID] = p
	}
	found := map[string][2]string{}
	for _, p := range pages {
		var links []octavo.Link
		g.must(json.Unmarshal(p.Links, &links))
		targets, err := g.st.Pages.LinkTargets(g.ctx, octavo.Audience{}, p.ID)
		g.must(err)
		to := map[int]octavo.ID{}
		for _, t := range targets {
			to[t.Link] = t.ID
		}
		for i, link := range links {
			target, ok := pages[to[i]]
			if reference.Local(link.Href) {
				target, ok = p, true
			}
			if ok && strings.HasPrefix(link.Label, "label") {
				text := rewrite.Read(target.Content, markdown.Format{})
				at, title := 0, target.Title
				if fragment := reference.Fragment(link.Href); fragment != "" && text.Doc.Anchors().Find(fragment) == "" {
					continue // to no heading, though one may come
				}
				for i, h := range text.Headings {
					if h.Anchor == text.Doc.Anchors().Find(reference.Fragment(link.Href)) {
						end := len(target.Content)
						if i+1 < len(text.Headings) {
							end = text.Headings[i+1].At
						}
						if at, title = h.At, h.Text; markPattern.MatchString(target.Content[at:end]) {
							title = ""
						}
						break
					}
				}
				found[link.Label] = [2]string{markPattern.FindString(target.Content[at:]), title}
			}
		}
	}
	return found
}

// step proposes and merges one change, and says which.
func (g *grove) step() string {
	g.Helper()
	all := g.every()
	p, other := all[g.rand.IntN(len(all))], all[g.rand.IntN(len(all))]
	g.marks++
	slug := fmt.Sprintf("n%d-%d", g.seed, g.marks)
	in := octavo.Refactor{Kind: octavo.RefactorRename, PageID: p.ID, Slug: &slug}
	switch g.rand.IntN(3) {
	case 0:
		in = octavo.Refactor{Kind: octavo.RefactorJoin, PageID: p.ID, With: other.ID}
		if p.ID == other.ID {
			return ""
		}
	case 1:
		headings := rewrite.Read(p.Content, markdown.Format{}).Headings
		if len(headings) == 0 {
			return ""
		}
		h := headings[g.rand.IntN(len(headings))]
		if h.At == 0 || !h.Top { // what the page itself leads to stays
			return ""
		}
		in = octavo.Refactor{Kind: octavo.RefactorSplit, PageID: p.ID, Slug: &slug, Line: 1 + strings.Count(p.Content[:h.At], "\n")}
	}
	made, err := g.Refactor(g.ctx, causeOf(ann), ann, in, nil)
	if in.Kind == octavo.RefactorJoin && octavo.IsType(err, octavo.Conflict) { // a name has two meanings
		return ""
	}
	g.must(err)
	if _, err := g.merge(made); err != nil {
		g.Fatalf("seed %d: %s: %v\n%s", g.seed, made.Title, err, g)
	}
	return made.Title
}

func (g *grove) String() string {
	var b strings.Builder
	for _, p := range g.every() {
		fmt.Fprintf(&b, "== %s %s %q\n%s\n", p.ID, p.Slug, p.Source, p.Content)
	}
	return b.String()
}
