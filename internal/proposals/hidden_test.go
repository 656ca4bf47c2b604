package proposals_test

import (
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/proposalstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestHiddenMergeConflict notifies a published-only author of a failed merge only if
// visible changes explain it.
func TestHiddenMergeConflict(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		author := r.person("auth", octavo.RoleContributor)
		author.Audience.PublishedOnly = true
		told := func() int {
			list, _, err := r.Notifications(r.ctx, author, "", 10)
			r.must(err)
			return len(list)
		}
		r.draft("hidden", "text\n")
		p, err := r.tryPropose(author, octavo.PageChange{Op: octavo.ChangeCreate, Title: new("x"), Slug: new("hidden"), Content: new("")})
		r.must(err)
		if _, err := r.merge(p); !octavo.IsType(err, octavo.SlugTaken) || told() != 0 {
			r.Errorf("a hidden page has the slug: %v, told %d times", err, told())
		}
		r.page("shown", "text\n")
		if p, err = r.tryPropose(author, octavo.PageChange{Op: octavo.ChangeCreate, Title: new("x"), Slug: new("shown"), Content: new("")}); err != nil {
			r.Fatal(err)
		}
		if _, err := r.merge(p); !octavo.IsType(err, octavo.SlugTaken) || told() != 1 {
			r.Errorf("a page that they see has the slug: %v, told %d times", err, told())
		}
	})
}

// A proposal made with full access is not shown to a published-only credential of the same
// person, and neither changes what the other proposed.
func TestFullAndPublishedOnly(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		narrow := ann
		narrow.Audience.PublishedOnly = true
		page := r.draft("hidden", "text\n")
		p := r.propose(edit(page.ID, "words\n"))
		if _, err := r.Get(r.ctx, narrow, p.ID); !octavo.IsType(err, octavo.NotFound) {
			r.Errorf("a proposal about a hidden page: %v", err)
		}
		if list, _, err := r.List(r.ctx, narrow, proposalstore.Query{}, "", 10); err != nil || len(list) != 0 {
			r.Errorf("the list has %v, %v", list, err)
		}
		p, err := r.tryPropose(narrow, edit(r.page("shown", "text\n").ID, "words\n"))
		r.must(err)
		_, err = r.AddChanges(r.ctx, sqldb.Cause{Actor: ann.Actor}, ann, p.ID, []octavo.PageChange{edit(page.ID, "words\n")}, false, nil)
		if !octavo.IsType(err, octavo.Conflict) {
			r.Errorf("a change of a hidden page: %v", err)
		}
	})
}
