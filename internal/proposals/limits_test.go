package proposals_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/proposals"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// A caller with only pages:propose cannot fill the disk.
func TestLimits(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		page := r.page("p", three)
		for i := range octavo.MaxOpenProposals {
			if _, err := r.tryPropose(ann); err != nil {
				r.Fatalf("proposal %d: %v", i, err)
			}
		}
		if _, err := r.tryPropose(ann); !octavo.IsType(err, octavo.Conflict) {
			r.Errorf("one proposal too many: %v", err)
		}
		if _, err := r.tryPropose(bob); err != nil {
			r.Errorf("who may write has no limit: %v", err)
		}
		big := strings.Repeat("x", octavo.MaxProposalText/4)
		carl := proposals.Asker{Actor: octavo.Actor{ID: "carl", Name: "Carl"}, Origin: octavo.OriginAPI}
		var p octavo.Proposal
		for i := range 2 {
			var err error
			p, err = r.tryPropose(carl, create(fmt.Sprint("a-", i), big), create(fmt.Sprint("b-", i), big[:len(big)-1000]))
			r.must(err)
		}
		add := func(c octavo.PageChange) error {
			_, err := r.AddChanges(r.ctx, sqldb.Cause{Actor: carl.Actor}, carl, p.ID, []octavo.PageChange{c}, false, nil)
			return err
		}
		if err := add(edit(page.ID, big)); !octavo.IsType(err, octavo.Conflict) {
			r.Errorf("too much text: %v", err)
		}
		if err := add(edit(page.ID, "short\n")); err != nil {
			r.Errorf("little text: %v", err)
		}
		if _, err := r.tryPropose(bob, create("c-1", big), create("c-2", big), create("c-3", big), create("c-4", big), create("c-5", "x")); !octavo.IsType(err, octavo.Conflict) {
			r.Errorf("too much text in one proposal: %v", err)
		}
	})
}

func create(slug, content string) octavo.PageChange {
	return octavo.PageChange{Op: octavo.ChangeCreate, Title: &slug, Slug: &slug, Content: &content}
}

// TestOneDraftOfStudio: a page has one draft of each person.
func TestOneDraftOfStudio(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		page, other := r.page("p", three), r.page("q", three)
		studio := ann
		studio.Origin = octavo.OriginStudio
		draft := octavo.ProposalPatch{Title: new("Draft"), Status: new(octavo.ProposalDraft)}
		make := func(id octavo.ID) (octavo.Proposal, error) {
			return r.Create(r.ctx, sqldb.Cause{Actor: ann.Actor}, studio, draft, []octavo.PageChange{edit(id, "x\n")}, nil)
		}
		first, err := make(page.ID)
		r.must(err)
		if _, err := make(page.ID); !octavo.IsType(err, octavo.Conflict) || !strings.Contains(err.Error(), string(first.ID)) {
			r.Errorf("a second draft: %v", err)
		}
		_, err = make(other.ID)
		r.must(err)
		if _, err := r.Get(r.ctx, bob, first.ID); !octavo.IsType(err, octavo.NotFound) {
			r.Errorf("somebody else sees the draft: %v", err)
		}
	})
}

// TestPurge: a page that is removed for good leaves no text behind.
func TestPurge(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		page := r.page("p", "secret text\n")
		c := edit(page.ID, "secret words\n")
		c.Title = new("secret title")
		claim := &sqldb.Claim{Owner: ann.ID, Key: "once"}
		answer := func(p octavo.Proposal) sqldb.Response { return sqldb.Response{Body: p.AppendJSON(nil)} }
		p, err := r.Create(r.ctx, sqldb.Cause{Actor: ann.Actor, Claim: claim}, ann, octavo.ProposalPatch{Title: new("A proposal")}, []octavo.PageChange{c}, answer)
		r.must(err)
		remark, err := r.Comment(r.ctx, sqldb.Cause{Actor: bob.Actor}, bob, p.ID, octavo.Comment{ChangeID: p.Changes[0].ID, Side: octavo.SideProposed, Line: 1, Text: "a secret remark"}, nil)
		r.must(err)
		_, err = r.Comment(r.ctx, sqldb.Cause{Actor: ann.Actor}, ann, p.ID, octavo.Comment{ReplyTo: remark.ID, Text: "a secret answer"}, nil)
		r.must(err)
		r.write(func(tx *sqldb.Tx) error { return r.st.Pages.Purge(tx, page.ID, pagestore.ChildrenRefuse, nil) })
		made := r.propose(octavo.PageChange{Op: octavo.ChangeCreate, Title: new("secret"), Slug: new("secret"), Content: new("secret\n")})
		merged, err := r.merge(made)
		r.must(err)
		r.write(func(tx *sqldb.Tx) error {
			return r.st.Pages.Purge(tx, merged.Pages[0].ID, pagestore.ChildrenRefuse, nil)
		})
		for _, table := range []string{"pages", "revisions", "proposal_changes", "proposal_comments", "feedback", "idempotency"} {
			r.must(r.st.DB.Read().Query(r.ctx, func(row sqldb.Scanner) error {
				var text string
				err := row.Scan(&text)
				if strings.Contains(text, "secret") {
					r.Errorf("%s has %q", table, text)
				}
				return err
			}, dump(table)))
		}
		have, err := r.Get(r.ctx, ann, p.ID)
		r.must(err)
		if !have.Changes[0].Removed || have.Changes[0].Title != nil {
			r.Errorf("the change is %+v", have.Changes[0])
		}
		checks, err := r.Checks(r.ctx, ann, p.ID)
		r.must(err)
		if len(checks) != 1 || checks[0].Kind != octavo.CheckConflict {
			r.Errorf("the checks are %+v", checks)
		}
		list, _, err := r.Comments(r.ctx, ann, p.ID, "", 10)
		r.must(err)
		if len(list) != 2 || !list[0].Removed || list[0].Text != "" || list[0].Quote != "" {
			r.Errorf("the comments are %+v", list)
		}
	})
}

// dump selects the text of each row of a table.
func dump(table string) string {
	columns := map[string]string{
		"pages": "title || slug || frontmatter || links", "revisions": "title || slug || frontmatter", "proposal_changes": "members || base",
		"proposal_comments": "place || said", "feedback": "said", "idempotency": "body",
	}
	return "SELECT " + columns[table] + " FROM " + table
}

// TestPastedNovel: where texts share so little that they are compared coarsely, a check
// says so.
func TestPastedNovel(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		rng := rand.New(rand.NewPCG(1, 2))
		novel := func() string {
			var b strings.Builder
			for range 20_000 {
				fmt.Fprintln(&b, rng.IntN(10))
			}
			return b.String()
		}
		page, like := r.page("p", novel()), r.page("q", "one\ntwo\nthree\n")
		p := r.propose(edit(page.ID, novel()), edit(like.ID, "ONE\ntwo\nthree\n"))
		r.update(page.ID, pagestore.Change{Content: new(novel())})
		r.update(like.ID, pagestore.Change{Content: new("one\ntwo\nTHREE\n")})
		checks, err := r.Checks(r.ctx, ann, p.ID)
		r.must(err)
		if len(checks) != 2 || checks[0].Kind != octavo.CheckConflict || checks[1].Kind != octavo.CheckNotice || checks[1].ChangeID != p.Changes[0].ID || !strings.Contains(checks[1].Message, "compared coarsely") {
			r.Errorf("the checks are %+v", checks)
		}
	})
}
