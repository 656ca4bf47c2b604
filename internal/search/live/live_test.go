package live_test

import (
	"errors"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

func TestFollowsTheStore(t *testing.T) {
	onBoth(t, func(r *rig) {
		s := r.service("", nil)
		if _, err := s.Search(r.Context(), everyone, nil, search.Query{Text: "alder", Limit: 1}); !isUnavailable(err) {
			r.Errorf("before it runs: have %v, want that it is not available", err)
		}
		before := r.create(page("alder", octavo.Published, ""))
		r.run(s)
		draft := r.create(page("birch", octavo.Draft, ""))
		r.wantFound(s, public, "alder", before.ID)
		r.wantFound(s, everyone, "birch", draft.ID)
		r.wantFound(s, public, "birch")

		r.update(draft.ID, pagestore.Change{Status: ref(octavo.Published)})
		r.wantFound(s, public, "birch", draft.ID)
		r.update(draft.ID, pagestore.Change{Title: ref("cedar"), Slug: ref("dogwood")})
		r.wantFound(s, public, "cedar", draft.ID)
		r.wantFound(s, public, "birch", draft.ID) // a former slug
		r.update(draft.ID, pagestore.Change{Status: ref(octavo.Archived)})
		r.wantFound(s, public, "cedar")
		r.wantFound(s, everyone, "cedar", draft.ID)
		r.delete(draft.ID, pagestore.ChildrenRefuse)
		r.wantFound(s, everyone, "cedar")
	})
}

func isUnavailable(err error) bool {
	var e *octavo.Error
	return errors.As(err, &e) && e.Type == octavo.Unavailable
}

// A page is found by the titles above it, whenever these change, and by no
// name that its readers may not know.
func TestNamesOfOtherPages(t *testing.T) {
	onBoth(t, func(r *rig) {
		s := r.service("", nil)
		r.run(s)
		top := r.create(page("elder", octavo.Draft, ""))
		middle := r.create(page("fir", octavo.Published, top.ID))
		low := r.create(page("gorse", octavo.Published, middle.ID))
		r.wantFound(s, public, "fir", middle.ID, low.ID)
		r.wantFound(s, public, "elder")
		r.wantFound(s, everyone, "elder", top.ID)

		r.update(top.ID, pagestore.Change{Status: ref(octavo.Published)})
		r.wantFound(s, public, "elder", top.ID, middle.ID, low.ID)
		r.update(top.ID, pagestore.Change{Title: ref("hazel"), Slug: ref("hazel")})
		r.wantFound(s, public, "hazel", top.ID, middle.ID, low.ID)
		r.update(middle.ID, pagestore.Change{ParentID: ref(octavo.ID(""))})
		r.wantFound(s, public, "hazel", top.ID)
		r.update(middle.ID, pagestore.Change{ParentID: &top.ID, Status: ref(octavo.Draft)})
		r.wantFound(s, public, "hazel", top.ID)
		r.wantFound(s, everyone, "hazel", top.ID, middle.ID)
		r.delete(middle.ID, pagestore.ChildrenReparent)
		r.wantFound(s, public, "hazel", top.ID, low.ID)

		secret := r.create(page("ironwood", octavo.Draft, ""))
		r.update(secret.ID, pagestore.Change{Title: ref("juniper"), Slug: ref("juniper")})
		r.wantFound(s, everyone, "ironwood", secret.ID)
		r.update(secret.ID, pagestore.Change{Status: ref(octavo.Published)})
		r.wantFound(s, public, "ironwood")
		r.wantFound(s, public, "juniper", secret.ID)
		r.update(secret.ID, pagestore.Change{FormerSlugs: []string{"kapok"}}) // and nothing else
		r.wantFound(s, everyone, "kapok", secret.ID)
	})
}

// TestStaleIndexHidesUnpublished checks results of a stale index against the store.
func TestStaleIndexHidesUnpublished(t *testing.T) {
	onBoth(t, func(r *rig) {
		s := r.service("", nil)
		stop := r.run(s)
		n := page("larch", octavo.Published, "")
		n.Frontmatter = []byte(`{"tags":["a","b"]}`)
		first := r.create(n)
		second := r.create(page("larch-too", octavo.Published, ""))
		r.wantFound(s, public, "larch", first.ID, second.ID)
		stop()
		bound := func(tags ...string) int {
			found, err := s.Search(r.Context(), public, tags, search.Query{Text: "larch", Limit: 10})
			r.noError(err, "search")
			return len(found.Hits)
		}
		if have := []int{bound(), bound("a"), bound("a", "b"), bound("c")}; have[0] != 2 || have[1] != 1 || have[2] != 1 || have[3] != 0 {
			r.Errorf("have %v pages with no tag, a, a and b, c; want 2, 1, 1, 0", have)
		}
		r.update(second.ID, pagestore.Change{Status: ref(octavo.Draft)})
		r.update(first.ID, pagestore.Change{Frontmatter: ref([]byte(`{"tags":["a"]}`))})
		if have := []int{bound(), bound("a"), bound("b")}; have[0] != 1 || have[1] != 1 || have[2] != 0 {
			r.Errorf("after they were changed: have %v, want 1, 1, 0", have)
		}
		r.delete(first.ID, pagestore.ChildrenRefuse)
		if have := bound(); have != 0 {
			r.Errorf("after it was deleted: have %d, want none", have)
		}
	})
}
