package live_test

import (
	"fmt"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// linking describes a page that links to another.
func linking(word string, status octavo.PageStatus, text, to string) pagestore.NewPage {
	n := page(word, status, "")
	n.Content = "[" + text + "](" + to + ")"
	return n
}

// TestLinkTitles: what other pages call a page finds it as long
// as they do.
func TestLinkTitles(t *testing.T) {
	onBoth(t, func(r *rig) {
		s := r.service("", nil)
		r.run(s)
		early := r.create(linking("early", octavo.Published, "walkthrough", "target")) // the target comes later
		aim := page("target", octavo.Published, "")
		aim.Title = "Aim"
		target := r.create(aim)
		r.wantFound(s, public, "walkthrough", early.ID, target.ID)
		r.update(early.ID, pagestore.Change{Content: ref("[handbook](" + string(target.ID) + ")")})
		r.wantFound(s, public, "walkthrough")
		r.wantFound(s, public, "handbook", early.ID, target.ID)
		r.update(early.ID, pagestore.Change{Content: ref("[manual](early) of itself, and a [handbook](target)")})
		r.wantFound(s, public, "manual", early.ID)
		r.delete(early.ID, "")
		r.wantFound(s, public, "handbook")
		r.write(func(tx *sqldb.Tx) error { _, err := r.st.Pages.Restore(tx, early.ID); return err })
		r.wantFound(s, public, "handbook", early.ID, target.ID)

		// Another page takes the slug: the link leads there from now on.
		r.update(target.ID, pagestore.Change{Slug: ref("moved")})
		r.wantFound(s, public, "handbook", early.ID, target.ID)
		r.wantFound(s, public, "target", target.ID)
		heir := page("target", octavo.Published, "")
		heir.Title = "Heir"
		taken := r.create(heir)
		r.wantFound(s, public, "handbook", early.ID, taken.ID)
		r.wantFound(s, public, "target", taken.ID)
		r.delete(taken.ID, "")
		r.wantFound(s, public, "handbook", early.ID)
	})
}

// TestLinksOnHiddenPages: what is called so on pages that a reader
// does not see is not found by it.
func TestLinksOnHiddenPages(t *testing.T) {
	onBoth(t, func(r *rig) {
		s := r.service("", nil)
		r.run(s)
		target := r.create(page("target", octavo.Published, ""))
		hidden := r.create(page("hidden", octavo.Draft, ""))
		draft := r.create(pagestore.NewPage{PageCreate: octavo.PageCreate{
			Title: "Draft", Slug: "draft", Status: octavo.Draft, Content: "[codename](target) [codename](hidden)",
		}})
		r.wantFound(s, public, "codename")
		r.wantFound(s, public, "codenmae") // nor is it corrected
		r.wantFound(s, everyone, "codename", draft.ID, hidden.ID)
		status := octavo.Published
		r.update(draft.ID, pagestore.Change{Status: &status})
		r.wantFound(s, public, "codename", draft.ID, target.ID)
		r.wantFound(s, everyone, "codename", draft.ID, hidden.ID, target.ID)
		status = octavo.Archived
		r.update(draft.ID, pagestore.Change{Status: &status})
		r.wantFound(s, public, "codename")
		r.wantFound(s, everyone, "codename", draft.ID, hidden.ID)
	})
}

// A link text on pages without the tags does not find a page for keys bound to tags.
func TestKeysBoundToTagsFindByOwnWordsAlone(t *testing.T) {
	r := &rig{t, octavotest.Start(t, octavotest.Options{}).Store}
	s := r.service("", nil)
	r.run(s)
	above := r.create(linking("above", octavo.Published, "codename", "target"))
	n := page("target", octavo.Published, above.ID)
	n.Frontmatter = []byte(`{"tags":["a"]}`)
	target := r.create(n)
	r.wantFound(s, public, "codename", above.ID, target.ID)
	r.wantFound(s, public, "above", above.ID, target.ID)
	for text, want := range map[string]int{"codename": 0, "above": 0, "target": 1, "target codename above": 1, `"codename"`: 0} {
		found, err := s.Search(r.Context(), public, []string{"a"}, search.Query{Text: text, Limit: 10, Explain: true})
		r.noError(err, "search "+text)
		if len(found.Hits) != want || found.Total != want {
			r.Errorf("search for %s: have %d of %d, want %d", text, len(found.Hits), found.Total, want)
		}
		for _, h := range found.Hits {
			if h.Explanation.Link != 0 {
				r.Errorf("search for %s: have %+v, want nothing of links", text, h.Explanation)
			}
		}
	}
}

// TestKeysBoundToTags: what a page without the tags says
// moves no score, be it known as a word, a beginning or a correction.
func TestKeysBoundToTags(t *testing.T) {
	r := &rig{t, octavotest.Start(t, octavotest.Options{}).Store}
	s := r.service("", nil)
	r.run(s)
	n := page("target", octavo.Published, "")
	n.Frontmatter, n.Content = []byte(`{"tags":["a"]}`), "A target of few words."
	r.create(n)
	scores := func() (told string) {
		r.find(s, public, "target") // waits for what is written
		for _, text := range []string{"few heather", "few heath", "few heathar", "few target", "heather words", `words "few"`} {
			found, err := s.Search(r.Context(), public, []string{"a"}, search.Query{Text: text, Limit: 10})
			r.noError(err, "search "+text)
			told += fmt.Sprintf("%s: %+v\n", text, found.Hits)
		}
		return told
	}
	before := scores()
	other := page("other", octavo.Published, "")
	other.Content = "The heather is few of the words of a target."
	r.create(other)
	if after := scores(); after != before || before == "" {
		r.Errorf("with a page that the key does not see: have\n%swant\n%s", after, before)
	}
}

// TestLinksChangedOffline are noticed at the next start.
func TestLinksChangedOffline(t *testing.T) {
	onBoth(t, func(r *rig) {
		folder := r.TempDir()
		target := r.create(page("target", octavo.Published, ""))
		a := r.create(linking("a", octavo.Published, "walkthrough", "target"))
		b := r.create(linking("b", octavo.Published, "handbook", "target"))
		stop := r.run(r.service(folder, nil))
		stop()
		r.update(a.ID, pagestore.Change{Content: ref("[manual](target)")})
		r.delete(b.ID, "")
		s := r.service(folder, nil)
		r.run(s)
		r.wantFound(s, public, "walkthrough")
		r.wantFound(s, public, "handbook")
		r.wantFound(s, public, "manual", a.ID, target.ID)
	})
}
