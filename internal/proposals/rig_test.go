package proposals_test

import (
	"context"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/proposals"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// The people of these tests.
var (
	ann = proposals.Asker{Actor: octavo.Actor{ID: "ann", Name: "Ann"}, Origin: octavo.OriginAPI}
	bob = proposals.Asker{Actor: octavo.Actor{ID: "bob", Name: "Bob"}, Write: true, Origin: octavo.OriginAPI}
)

// rig is a store with its proposals.
type rig struct {
	*testing.T
	ctx context.Context
	st  *store.Store
	*proposals.Service
}

// onBoth runs a test on both databases.
func onBoth(t *testing.T, test func(r rig)) {
	t.Helper()
	for _, db := range []string{"sqlite", "postgres"} {
		t.Run(db, func(t *testing.T) {
			t.Parallel()
			var o octavotest.Options
			if db == "postgres" {
				o.PostgresURL = octavotest.Postgres(t)
			}
			server := octavotest.Start(t, o)
			st := server.Store
			service := proposals.New(st.DB, st.Proposals, st.Pages, st.Assets.Pending)
			service.PublicURL = server.URL
			service.Render = func(context.Context, octavo.Audience, octavo.Page, octavo.Coming) ([]octavo.RenderedLink, []octavo.RenderedNotice, error) {
				return nil, nil, nil
			}
			test(rig{t, t.Context(), st, service})
		})
	}
}

func (r rig) must(err error) {
	r.Helper()
	if err != nil {
		r.Fatal(err)
	}
}

// write changes pages directly, as bob.
func (r rig) write(change func(tx *sqldb.Tx) error) {
	r.Helper()
	r.must(r.st.DB.Write(r.ctx, sqldb.Cause{Actor: bob.Actor}, change))
}

// page creates a published page.
func (r rig) page(slug, content string, more ...func(*pagestore.NewPage)) (p octavo.Page) {
	r.Helper()
	n := pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "Title of " + slug, Slug: slug, Content: content, Status: octavo.Published}}
	for _, f := range more {
		f(&n)
	}
	r.write(func(tx *sqldb.Tx) (err error) {
		p, err = r.st.Pages.Create(tx, n)
		return err
	})
	return p
}

func under(parent octavo.ID) func(*pagestore.NewPage) {
	return func(n *pagestore.NewPage) { n.ParentID = parent }
}

func (r rig) update(id octavo.ID, c pagestore.Change) {
	r.Helper()
	r.write(func(tx *sqldb.Tx) error {
		_, err := r.st.Pages.Update(tx, id, c, nil)
		return err
	})
}

func (r rig) delete(id octavo.ID) {
	r.Helper()
	r.write(func(tx *sqldb.Tx) error { return r.st.Pages.Delete(tx, id, pagestore.ChildrenReparent, nil) })
}

func (r rig) get(id octavo.ID) octavo.Page {
	r.Helper()
	p, err := r.st.Pages.Get(r.ctx, octavo.Audience{}, id)
	r.must(err)
	return p
}

func (r rig) propose(changes ...octavo.PageChange) octavo.Proposal {
	r.Helper()
	p, err := r.tryPropose(ann, changes...)
	r.must(err)
	return p
}

func (r rig) tryPropose(a proposals.Asker, changes ...octavo.PageChange) (octavo.Proposal, error) {
	return r.Create(r.ctx, sqldb.Cause{Actor: a.Actor}, a, octavo.ProposalPatch{Title: new("A proposal")}, changes, nil)
}

func (r rig) merge(p octavo.Proposal) (proposals.Merged, error) {
	return r.Merge(r.ctx, sqldb.Cause{Actor: bob.Actor}, bob, p.ID, nil, nil)
}

// edit is a change of the content of a page.
func edit(id octavo.ID, content string) octavo.PageChange {
	return octavo.PageChange{Op: octavo.ChangeUpdate, PageID: id, Content: &content}
}
