package imports_test

import (
	"fmt"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func TestProposals(t *testing.T) {
	rigs(t, func(t *testing.T, r *rig) {
		r.run(r.Service)
		propose := func(o *octavo.ImportOptions) { o.As = octavo.ImportProposal }
		v := r.await(r.send(ann, "tree.zip", zipOf(t, "a/index.md", "# A", "a/b/index.md", "# B", "a/b/c.md", "# C", "z.md", "# Z"), propose).ID)
		p, err := r.Proposals.Get(t.Context(), proposalAsker(), v.Report.ProposalID)
		exporttest.Must(t, err)
		if p.Origin != octavo.OriginImport || p.Status != octavo.ProposalOpen || p.Author != ann.Actor || len(p.Changes) != 4 || len(r.pages()) != 0 {
			t.Errorf("have %+v and %d pages", p, len(r.pages()))
		}
		merged, err := r.Proposals.Merge(t.Context(), sqldb.Cause{Actor: bob.Actor}, proposalAsker(), p.ID, nil, nil)
		exporttest.Must(t, err)
		all := r.pages()
		if c, b := all["a-b-c"], all["a-b"]; len(merged.Pages) != 4 || c.ParentID != b.ID || b.ParentID != all["a"].ID {
			t.Errorf("merged: have %+v", all)
		}
		if same := r.await(r.send(ann, "tree.zip", zipOf(t, "a/index.md", "# A", "a/b/index.md", "# B", "a/b/c.md", "# C", "z.md", "# Z"), func(o *octavo.ImportOptions) {
			propose(o)
			o.Set = "tree"
		}).ID); same.Status != octavo.ImportReady || same.Report.ProposalID != "" {
			t.Errorf("the same again: have %+v %+v", same.Report, same.Error)
		}
		exporttest.Must(t, r.Store.DB.Write(t.Context(), sqldb.Cause{Actor: bob.Actor}, func(tx *sqldb.Tx) error {
			_, err := r.Store.Pages.Update(tx, all["a-b-c"].ID, pagestore.Change{Content: new("# C\n\nedited\n")}, nil)
			return err
		}))
		after := r.await(r.send(ann, "tree.zip", zipOf(t, "a/index.md", "# A", "a/b/index.md", "# B", "a/b/c.md", "# C", "new.md", "# N"), nil).ID)
		if s := after.Report.Sums; s.Created != 1 || s.Unchanged != 3 || s.Updated+s.Kept != 0 || s.Gone != 1 || r.pages()["a-b-c"].Content != "# C\n\nedited\n" {
			t.Errorf("as pages: have %+v and %+v", after.Report, r.pages()["a-b-c"])
		}
		for n, want := range map[int]octavo.ImportStatus{octavo.MaxChanges: octavo.ImportReady, octavo.MaxChanges + 1: octavo.ImportFailed} {
			v := r.await(r.send(ann, fmt.Sprintf("set %d.zip", n), many(t, n), func(o *octavo.ImportOptions) { propose(o); o.Set = fmt.Sprint("set", n) }).ID)
			if v.Status != want || (v.Report.ProposalID != "") != (want == octavo.ImportReady) {
				t.Errorf("%d pages: have %s %+v %+v, want %s", n, v.Status, v.Report, v.Error, want)
			}
			if failed := want == octavo.ImportFailed; failed != (v.Report.Sums.Created == 0) || failed != (v.Report.Share == 0) {
				t.Errorf("%d pages: have %+v", n, v.Report)
			}
		}
	})
}
