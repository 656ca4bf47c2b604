package proposals_test

import (
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/proposals"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// person adds somebody who signs in, and returns them as they ask.
func (r rig) person(name string, role octavo.Role) proposals.Asker {
	r.Helper()
	id := octavo.ID("usr_0000000000000000000000" + name)
	r.must(r.st.Accounts.Users.Add(r.ctx, sqldb.Cause{}, accounts.User{User: octavo.User{ID: id, Email: name + "@example.com", Name: name, Role: role}}))
	a := proposals.AskerOf(octavo.Principal{
		Actor: octavo.Actor{ID: string(id), Name: name}, Client: "cli_0000000000000000000000abcd", Grant: "grt_1", Scopes: role.Scopes(),
	})
	return a
}

// settings changes the settings of the site.
func (r rig) settings(patch octavo.Value) {
	r.Helper()
	_, _, err := r.st.Sites.Patch(r.ctx, sqldb.Cause{}, patch, nil)
	r.must(err)
}

func approvals(n string, upToDate bool) octavo.Value {
	return octavo.Object(octavo.Member{Name: "review", Value: octavo.Object(
		octavo.Member{Name: "approvals", Value: octavo.Value{Kind: octavo.KindNumber, Str: n}},
		octavo.Member{Name: "upToDate", Value: octavo.Value{Kind: octavo.KindBool, Bool: upToDate}},
	)})
}

func (r rig) review(a proposals.Asker, p octavo.Proposal, verdict octavo.Verdict) octavo.Review {
	r.Helper()
	review, err := r.Review(r.ctx, sqldb.Cause{Actor: a.Actor}, a, p.ID, octavo.Review{Verdict: verdict}, nil, nil)
	r.must(err)
	return review
}

// TestApprovals: what counts as an approval, and what ends it.
func TestApprovals(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		r.settings(approvals("1", false))
		author, editor, other := r.person("auth", octavo.RoleContributor), r.person("edit", octavo.RoleEditor), r.person("othr", octavo.RoleAdmin)
		page := r.draft("p", three) // drafts need no approval, so this is possible
		r.override(func(tx *sqldb.Tx) error {
			_, err := r.st.Pages.Update(tx, page.ID, pagestore.Change{Status: new(octavo.Published)}, nil)
			return err
		})
		withKey := editor
		withKey.Personal = false
		n := 0
		for _, c := range []struct {
			name string
			then func(p octavo.Proposal)
			want bool
		}{
			{"nothing", func(octavo.Proposal) {}, false},
			{"an editor", func(p octavo.Proposal) { r.review(editor, p, octavo.VerdictApprove) }, true},
			{"an editor by an API key", func(p octavo.Proposal) { r.review(withKey, p, octavo.VerdictApprove) }, false},
			{"a comment", func(p octavo.Proposal) { r.review(editor, p, octavo.VerdictComment) }, false},
			{"an editor who edited it", func(p octavo.Proposal) {
				_, err := r.PutChange(r.ctx, sqldb.Cause{Actor: editor.Actor}, editor, p.ID, p.Changes[0].ID, edit(page.ID, r.get(page.ID).Content+"mine\n"), nil)
				r.must(err)
				r.review(editor, p, octavo.VerdictApprove)
			}, false},
			{"another one after that", func(p octavo.Proposal) {
				_, err := r.PutChange(r.ctx, sqldb.Cause{Actor: editor.Actor}, editor, p.ID, p.Changes[0].ID, edit(page.ID, r.get(page.ID).Content+"ours\n"), nil)
				r.must(err)
				r.review(other, p, octavo.VerdictApprove)
			}, true},
			{"before it was changed", func(p octavo.Proposal) {
				r.review(editor, p, octavo.VerdictApprove)
				_, err := r.PutChange(r.ctx, sqldb.Cause{Actor: author.Actor}, author, p.ID, p.Changes[0].ID, edit(page.ID, r.get(page.ID).Content+"later\n"), nil)
				r.must(err)
			}, false},
			{"before a change was added", func(p octavo.Proposal) {
				r.review(editor, p, octavo.VerdictApprove)
				add := []octavo.PageChange{{Op: octavo.ChangeCreate, Title: new("T"), Slug: new("added"), Content: new("")}}
				_, err := r.AddChanges(r.ctx, sqldb.Cause{Actor: author.Actor}, author, p.ID, add, false, nil)
				r.must(err)
			}, false},
			{"before the page was changed", func(p octavo.Proposal) {
				r.review(editor, p, octavo.VerdictApprove)
				r.override(func(tx *sqldb.Tx) error {
					_, err := r.st.Pages.Update(tx, page.ID, pagestore.Change{Title: new(string("Title " + p.ID))}, nil)
					return err
				})
			}, false},
			{"before the page was moved among its siblings", func(p octavo.Proposal) {
				r.review(editor, p, octavo.VerdictApprove)
				n++
				r.update(page.ID, pagestore.Change{Position: &octavo.OptInt{Value: new(int64(n))}})
			}, true},
			{"by who lost the role", func(p octavo.Proposal) {
				r.review(editor, p, octavo.VerdictApprove)
				r.must(r.st.Accounts.Users.SetRole(r.ctx, sqldb.Cause{}, octavo.ID(editor.ID), octavo.RoleReader))
			}, false},
			{"by who lost the role and has it again", func(p octavo.Proposal) {
				r.must(r.st.Accounts.Users.SetRole(r.ctx, sqldb.Cause{}, octavo.ID(editor.ID), octavo.RoleEditor))
				r.review(editor, p, octavo.VerdictApprove)
				r.must(r.st.Accounts.Users.SetRole(r.ctx, sqldb.Cause{}, octavo.ID(editor.ID), octavo.RoleReader))
				r.must(r.st.Accounts.Users.SetRole(r.ctx, sqldb.Cause{}, octavo.ID(editor.ID), octavo.RoleEditor))
			}, false},
			{"by who has it again", func(p octavo.Proposal) {
				r.review(editor, p, octavo.VerdictApprove)
			}, true},
			{"against a request for changes", func(p octavo.Proposal) {
				r.review(other, p, octavo.VerdictChanges)
				r.review(editor, p, octavo.VerdictApprove)
			}, false},
			{"whose giver approves in the end", func(p octavo.Proposal) {
				r.review(other, p, octavo.VerdictChanges)
				r.review(other, p, octavo.VerdictApprove)
			}, true},
			{"that was dismissed", func(p octavo.Proposal) {
				review := r.review(editor, p, octavo.VerdictChanges)
				r.must(r.Dismiss(r.ctx, sqldb.Cause{Actor: other.Actor}, other, p.ID, review.ID))
				r.review(other, p, octavo.VerdictApprove)
			}, true},
			{"withdrawn by its giver", func(p octavo.Proposal) {
				r.review(editor, p, octavo.VerdictApprove)
				r.review(editor, p, octavo.VerdictChanges)
			}, false},
		} {
			p, err := r.tryPropose(author, edit(page.ID, r.get(page.ID).Content+c.name+"\n"))
			r.must(err)
			c.then(p)
			_, err = r.Merge(r.ctx, sqldb.Cause{Actor: other.Actor}, other, p.ID, nil, nil)
			if (err == nil) != c.want || err != nil && !octavo.IsType(err, octavo.ReviewRequired) {
				r.Errorf("approved by %s: the merge ended with %v, want success: %v", c.name, err, c.want)
			}
		}
	})
}

// TestReviewOfVersion: a review that names what it is of is refused once that has
// changed, and one that does not is taken.
func TestReviewOfVersion(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		author, editor := r.person("auth", octavo.RoleContributor), r.person("edit", octavo.RoleEditor)
		page := r.draft("p", three)
		p, err := r.tryPropose(author, edit(page.ID, "one\n"))
		r.must(err)
		read := func(id octavo.ID, version int64) bool { return id == p.ID && version == p.Version }
		say := func(verdict octavo.Verdict, match sqldb.IfMatch) error {
			_, err := r.Review(r.ctx, sqldb.Cause{Actor: editor.Actor}, editor, p.ID, octavo.Review{Verdict: verdict, Text: "x"}, match, nil)
			return err
		}
		r.must(say(octavo.VerdictComment, read)) // changes nothing of the proposal
		r.must(say(octavo.VerdictApprove, read))
		_, err = r.PutChange(r.ctx, sqldb.Cause{Actor: author.Actor}, author, p.ID, p.Changes[0].ID, edit(page.ID, "two\n"), nil)
		r.must(err)
		for _, verdict := range []octavo.Verdict{octavo.VerdictApprove, octavo.VerdictChanges, octavo.VerdictComment} {
			if err := say(verdict, read); !octavo.IsType(err, octavo.PreconditionFailed) {
				r.Errorf("%s of what has changed: %v", verdict, err)
			}
		}
		if all, err := r.Reviews(r.ctx, editor, p.ID); err != nil || len(all) != 2 {
			r.Errorf("have %d reviews, %v; want the 2 that were taken", len(all), err)
		}
		r.must(say(octavo.VerdictApprove, nil))
	})
}

// TestApprovedSchedule: an approved publication is of the text that was approved.
func TestApprovedSchedule(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		r.settings(approvals("1", false))
		author, editor := r.person("auth", octavo.RoleContributor), r.person("edit", octavo.RoleEditor)
		page := r.draft("p", three)
		p, err := r.tryPropose(author, octavo.PageChange{Op: octavo.ChangeUpdate, PageID: page.ID, Publish: &octavo.OptTime{Value: new(r.st.DB.Now().AddDate(1, 0, 0))}})
		r.must(err)
		r.review(editor, p, octavo.VerdictApprove)
		r.update(page.ID, pagestore.Change{Content: new("not approved\n")})
		if _, err := r.merge(p); !octavo.IsType(err, octavo.ReviewRequired) {
			r.Errorf("the merge ended with %v", err)
		}
	})
}

// draft creates a page that is not published.
func (r rig) draft(slug, content string) octavo.Page {
	r.Helper()
	return r.page(slug, content, func(n *pagestore.NewPage) { n.Status = octavo.Draft })
}

// override changes pages like an admin without approvals.
func (r rig) override(change func(tx *sqldb.Tx) error) {
	r.Helper()
	r.must(r.st.DB.Write(r.ctx, sqldb.Cause{Actor: bob.Actor, Review: sqldb.ReviewOverridden}, change))
}

// TestPublishedPagesNeedApproval: every way to change what is published is refused where
// approvals are asked for, and drafts stay writable.
func TestPublishedPagesNeedApproval(t *testing.T) {
	t.Parallel()
	onBoth(t, func(r rig) {
		live, gone, draft, parent := r.page("live", three), r.page("gone", three), r.draft("draft", three), r.page("parent", "")
		child := r.page("child", "", under(parent.ID))
		r.update(live.ID, pagestore.Change{Content: new("four\n")})
		planned := r.draft("planned", "")
		r.update(planned.ID, pagestore.Change{Publish: &octavo.OptTime{Value: new(r.st.DB.Now().AddDate(1, 0, 0))}})
		r.delete(gone.ID)
		r.settings(approvals("1", false))
		published, draftStatus := octavo.Published, octavo.Draft
		update := func(id octavo.ID, c pagestore.Change) func(tx *sqldb.Tx) error {
			return func(tx *sqldb.Tx) error { _, err := r.st.Pages.Update(tx, id, c, nil); return err }
		}
		for name, c := range map[string]struct {
			change  func(tx *sqldb.Tx) error
			refused bool
		}{
			"content":             {update(live.ID, pagestore.Change{Content: new("x")}), true},
			"title":               {update(live.ID, pagestore.Change{Title: new("x")}), true},
			"slug":                {update(live.ID, pagestore.Change{Slug: new("x")}), true},
			"former slug":         {update(live.ID, pagestore.Change{FormerSlugs: []string{"x"}}), true},
			"front matter":        {update(live.ID, pagestore.Change{Frontmatter: new([]byte(`{"a":1}`))}), true},
			"parent":              {update(live.ID, pagestore.Change{ParentID: &parent.ID}), true},
			"withdrawal":          {update(live.ID, pagestore.Change{Status: &draftStatus}), true},
			"schedule":            {update(live.ID, pagestore.Change{Unpublish: &octavo.OptTime{Value: new(r.st.DB.Now().AddDate(1, 0, 0))}}), true},
			"schedule of a draft": {update(draft.ID, pagestore.Change{Publish: &octavo.OptTime{Value: new(r.st.DB.Now().AddDate(1, 0, 0))}}), true},
			"scheduled draft":     {update(planned.ID, pagestore.Change{Content: new("x")}), true},
			"publication":         {update(draft.ID, pagestore.Change{Status: &published}), true},
			"deletion":            {func(tx *sqldb.Tx) error { return r.st.Pages.Delete(tx, live.ID, pagestore.ChildrenRefuse, nil) }, true},
			"deletion with children": {func(tx *sqldb.Tx) error {
				return r.st.Pages.Delete(tx, parent.ID, pagestore.ChildrenCascade, nil)
			}, true},
			"restoration": {func(tx *sqldb.Tx) error { _, err := r.st.Pages.Restore(tx, gone.ID); return err }, true},
			"restoration of a revision": {func(tx *sqldb.Tx) error {
				_, err := r.st.Pages.RestoreRevision(tx, live.ID, 1, nil)
				return err
			}, true},
			"published page": {func(tx *sqldb.Tx) error {
				_, err := r.st.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "x", Slug: "new-one", Status: octavo.Published}})
				return err
			}, true},
			"position": {update(child.ID, pagestore.Change{Position: &octavo.OptInt{Value: new(int64(1))}}), false},
			"draft":    {update(draft.ID, pagestore.Change{Content: new("x")}), false},
			"draft page": {func(tx *sqldb.Tx) error {
				_, err := r.st.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{Title: "x", Slug: "new-draft"}})
				return err
			}, false},
		} {
			before := r.all()
			err := r.st.DB.Write(r.ctx, sqldb.Cause{Actor: bob.Actor}, c.change)
			if c.refused != octavo.IsType(err, octavo.ReviewRequired) || !c.refused && err != nil {
				r.Errorf("%s: have %v, want it refused: %v", name, err, c.refused)
			}
			if c.refused && r.all() != before {
				r.Errorf("%s has changed something", name)
			}
		}
		// A merge that changes drafts alone needs none either.
		p := r.propose(edit(draft.ID, "merged\n"))
		if _, err := r.merge(p); err != nil {
			r.Errorf("the merge of a draft: %v", err)
		}
		// With upToDate a page must not have changed.
		r.settings(approvals("0", true))
		p = r.propose(edit(live.ID, "four\nfive\n"))
		r.update(live.ID, pagestore.Change{Title: new("Newer")})
		if _, err := r.merge(p); !octavo.IsType(err, octavo.ReviewRequired) {
			r.Errorf("a merge over a newer page: %v", err)
		}
	})
}

func TestAskerOf(t *testing.T) {
	t.Parallel()
	person := octavo.Actor{ID: "usr_01h455vb4pex5vsknk084sn02q"}
	for _, c := range []struct {
		name     string
		p        octavo.Principal
		personal bool
		origin   octavo.Origin
	}{
		{"a person through a client", octavo.Principal{Actor: person, Client: "cli_01h455vb4pex5vsknk084sn02q", Grant: "grt_1"}, true, octavo.OriginAPI},
		{"Studio", octavo.Principal{Actor: person, Client: "cli_studio", Grant: "ses_1"}, true, octavo.OriginStudio},
		{"the command line", octavo.Principal{Actor: person, Client: "cli_octavo", Grant: "grt_1"}, false, octavo.OriginAPI},
		{"a token issued by hand", octavo.Principal{Actor: person, Client: "cli_01h455vb4pex5vsknk084sn02q"}, false, octavo.OriginAPI},
		{"client credentials", octavo.Principal{Actor: octavo.Actor{ID: "cli_01h455vb4pex5vsknk084sn02q"}, Client: "cli_01h455vb4pex5vsknk084sn02q", Grant: "grt_1"}, false, octavo.OriginAPI},
		{"an API key", octavo.Principal{Actor: octavo.Actor{ID: "key_01h455vb4pex5vsknk084sn02q"}, Client: "key_01h455vb4pex5vsknk084sn02q"}, false, octavo.OriginAPI},
	} {
		if a := proposals.AskerOf(c.p); a.Personal != c.personal || a.Origin != c.origin {
			t.Errorf("%s: have %+v", c.name, a)
		}
	}
}
