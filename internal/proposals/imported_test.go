package proposals_test

import (
	"encoding/json"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// TestMergeKeepsImportData: the text that an import proposed is kept beside
// the page, whatever the page has become.
func TestMergeKeepsImportData(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		page := r.page("p", "one\n\ntwo\n\nthree\n")
		c := edit(page.ID, "one\n\ntwo\n\nTHREE\n")
		c.Imported = json.RawMessage(`{"x":1}`)
		title := octavo.PageChange{Op: octavo.ChangeUpdate, PageID: page.ID, Title: new("T"), Imported: json.RawMessage(`{"x":2,"content":"zero\n"}`)}
		made := octavo.PageChange{Op: octavo.ChangeCreate, Title: new("N"), Slug: new("n"), Content: new("new\n"), Imported: json.RawMessage(`{"x":3}`)}
		p := r.propose(c, made)
		r.update(page.ID, pagestore.Change{Content: new("ONE\n\ntwo\n\nthree\n")})
		merged, err := r.merge(p)
		r.must(err)
		imported := func(id octavo.ID) string {
			page := r.get(id)
			found, err := r.st.Pages.Imported(r.ctx, octavo.Audience{}, []*octavo.Page{&page}, true)
			r.must(err)
			return string(found[id])
		}
		if have, want := r.get(page.ID).Content, "ONE\n\ntwo\n\nTHREE\n"; have != want {
			r.Errorf("merged: have %q, want %q", have, want)
		}
		if have, want := imported(page.ID), `{"x":1,"content":"one\n\ntwo\n\nTHREE\n"}`; have != want {
			r.Errorf("imported with an update: have %s, want %s", have, want)
		}
		if have, want := imported(merged.Pages[1].ID), `{"x":3}`; have != want {
			r.Errorf("imported with a new page: have %s, want %s", have, want)
		}
		_, err = r.merge(r.propose(title))
		r.must(err)
		if have, want := imported(page.ID), `{"x":2,"content":"zero\n"}`; have != want {
			r.Errorf("imported with its own text: have %s, want %s", have, want)
		}
	})
}
