package pagestore_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

// TestIncludedChildrenLimit limits the memory for a page that is read with many
// children.
func TestIncludedChildrenLimit(t *testing.T) {
	storetest.OnBoth(t, time.Now, func(t *testing.T, open func() *store.Store) {
		const children = 40
		st := open()
		parent, err := storetest.Create(t.Context(), st, storetest.NewPage("parent"))
		if err != nil {
			t.Fatal(err)
		}
		for i := range children {
			child := storetest.NewPage(fmt.Sprint("child-", i))
			child.ParentID = parent.ID
			if _, err := storetest.Create(t.Context(), st, child); err != nil {
				t.Fatal(err)
			}
		}
		ids := []octavo.ID{parent.ID}
		found, err := st.Pages.Children(t.Context(), octavo.Audience{}, ids)
		if err != nil || len(found[parent.ID]) != children {
			t.Errorf("have %d children, %v, want %d", len(found[parent.ID]), err, children)
		}
		pagestore.SetMost(st.Pages, children*100)
		_, err = st.Pages.Children(t.Context(), octavo.Audience{}, ids)
		storetest.WantType(t, err, octavo.InvalidRequest)
		if _, err := st.Pages.Authors(t.Context(), octavo.Audience{}, ids); err != nil {
			t.Errorf("authors of one page: %v", err)
		}
	})
}
