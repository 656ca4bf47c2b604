package storetest

import (
	"fmt"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Churn does something to pages at random, which may be refused, and says what. ids are
// those that it has made.
func Churn(t *testing.T, st *store.Store, random interface{ IntN(int) int }, ids *[]octavo.ID, step int) (did string) {
	t.Helper()
	write := func(f func(tx *sqldb.Tx) error) {
		err := st.DB.Write(t.Context(), sqldb.Cause{}, f)
		if err != nil && !octavo.IsType(err, octavo.Conflict) && !octavo.IsType(err, octavo.NotFound) && !octavo.IsType(err, octavo.InvalidRequest) && !octavo.IsType(err, octavo.SlugTaken) {
			t.Fatal(err)
		}
		did += fmt.Sprint(": ", err)
	}
	update := func(c pagestore.Change) {
		id := (*ids)[random.IntN(len(*ids))]
		did += " " + string(id)
		write(func(tx *sqldb.Tx) error { _, err := st.Pages.Update(tx, id, c, nil); return err })
	}
	statuses := []octavo.PageStatus{octavo.Published, octavo.Published, octavo.Draft, octavo.Archived}
	status := statuses[random.IntN(len(statuses))]
	kind := random.IntN(10)
	if len(*ids) < 5 {
		kind = 0
	}
	switch kind {
	case 0, 1:
		did = "create"
		n := NewPage(fmt.Sprint("page-", step))
		n.Status, n.Title, n.Path = status, fmt.Sprint("Page ", step), fmt.Sprintf("folder/page-%d.md", step%7)
		write(func(tx *sqldb.Tx) error {
			p, err := st.Pages.Create(tx, n)
			if err == nil {
				*ids = append(*ids, p.ID)
			}
			return err
		})
	case 2, 3:
		did = "status " + string(status)
		update(pagestore.Change{Status: &status})
	case 4:
		did = "move"
		parent := octavo.ID("")
		if random.IntN(4) > 0 {
			parent = (*ids)[random.IntN(len(*ids))]
		}
		update(pagestore.Change{ParentID: &parent})
	case 5:
		did = "rename"
		title, slug := fmt.Sprint("New ", step), fmt.Sprint("new-", step)
		update(pagestore.Change{Title: &title, Slug: &slug})
	case 6:
		did = "describe"
		front := fmt.Appendf(nil, `{"description":"Step %d","language":"%s"}`, step, []string{"en", "de"}[random.IntN(2)])
		update(pagestore.Change{Frontmatter: new(front)})
	case 7:
		did = "write"
		content := fmt.Sprint("Text ", step)
		update(pagestore.Change{Content: &content})
	case 8:
		did = "order"
		position := int64(random.IntN(4))
		update(pagestore.Change{Position: &octavo.OptInt{Value: &position}})
	case 9:
		did = "delete"
		id := (*ids)[random.IntN(len(*ids))]
		policy := []pagestore.ChildrenPolicy{pagestore.ChildrenCascade, pagestore.ChildrenReparent}[random.IntN(2)]
		if random.IntN(2) == 0 {
			write(func(tx *sqldb.Tx) error { return st.Pages.Delete(tx, id, policy, nil) })
		}
		write(func(tx *sqldb.Tx) error { _, err := st.Pages.Restore(tx, id); return err })
	}
	return did
}
