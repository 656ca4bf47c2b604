package live_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestFollowingEqualsBuilding: after any changes the index that followed them
// answers as one does that is built from the store.
func TestFollowingEqualsBuilding(t *testing.T) {
	onBoth(t, func(r *rig) {
		random := rand.New(rand.NewPCG(1, 2))
		words := []string{"ash", "beech", "cherry", "dogwood", "ebony", "fig", "ginkgo"}
		word := func() string { return words[random.IntN(len(words))] }
		statuses := []octavo.PageStatus{octavo.Draft, octavo.Published, octavo.Published, octavo.Archived}
		followed := r.service("", nil)
		r.run(followed)
		var ids []octavo.ID
		some := func() octavo.ID {
			if len(ids) == 0 {
				return ""
			}
			return ids[random.IntN(len(ids))]
		}
		slug := func() string { return fmt.Sprintf("%s-%d", word(), random.IntN(4)) }
		linking := func() (text string) {
			for range random.IntN(4) {
				to := []string{slug(), string(some()), slug() + ".md", "../" + slug()}[random.IntN(4)]
				text += fmt.Sprintf("[%s %s](%s) ", word(), word(), to)
			}
			return text
		}
		for n := range 500 {
			cause := sqldb.Cause{Actor: octavo.Actor{ID: "a", Name: "A"}}
			err := r.st.DB.Write(r.Context(), cause, func(tx *sqldb.Tx) error {
				switch id := some(); random.IntN(10) {
				case 0, 1, 2:
					p := page(fmt.Sprintf("%s-%d", word(), n), statuses[random.IntN(4)], "")
					p.Title = word()
					p.Content = linking()
					if random.IntN(3) == 0 {
						p.Slug = slug()
					}
					if random.IntN(3) == 0 {
						p.Path = slug() + ".md"
					}
					if random.IntN(2) == 0 {
						p.ParentID = id
					}
					created, err := r.st.Pages.Create(tx, p)
					if err == nil {
						ids = append(ids, created.ID)
					}
					return err
				case 3:
					return changed(tx, r.st.Pages, id, pagestore.Change{Title: ref(word())})
				case 4:
					return changed(tx, r.st.Pages, id, pagestore.Change{Status: &statuses[random.IntN(4)]})
				case 5:
					return changed(tx, r.st.Pages, id, pagestore.Change{ParentID: ref(some())})
				case 6:
					if random.IntN(2) == 0 {
						return changed(tx, r.st.Pages, id, pagestore.Change{FormerSlugs: []string{slug()}})
					}
					return changed(tx, r.st.Pages, id, pagestore.Change{Slug: ref(slug())})
				case 7:
					return changed(tx, r.st.Pages, id, pagestore.Change{Content: ref(linking())})
				default:
					if random.IntN(3) > 0 {
						_, err := r.st.Pages.Restore(tx, id)
						return err
					}
					return r.st.Pages.Delete(tx, id, []pagestore.ChildrenPolicy{pagestore.ChildrenCascade, pagestore.ChildrenReparent}[random.IntN(2)], nil)
				}
			})
			_ = err // what may not be is refused, and changes nothing
			if n%4 == 0 {
				r.find(followed, everyone, "ash") // so that few changes come together
			}
		}
		built := r.service("", nil)
		r.run(built)
		for _, aud := range []octavo.Audience{everyone, public} {
			for _, text := range append(words, "ash beech", "gink", "chery", "beech cherry", "fig ebony", `"fig"`) {
				have, want := told(r.find(followed, aud, text)), told(r.find(built, aud, text))
				if have != want {
					r.Errorf("search for %s, published only %t:\nhave %s\nwant %s", text, aud.PublishedOnly, have, want)
				}
			}
		}
	})
}

func changed(tx *sqldb.Tx, pages *pagestore.Pages, id octavo.ID, c pagestore.Change) error {
	_, err := pages.Update(tx, id, c, nil)
	return err
}

// told writes what was found.
func told(found live.Found) (text string) {
	for _, h := range found.Hits {
		text += fmt.Sprintf("%s %.6f %s; ", h.ID, h.Score, h.Title)
	}
	return text
}
