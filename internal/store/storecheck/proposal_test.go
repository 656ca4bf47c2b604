package storecheck_test

import "testing"

// TestCheckProposals: in each case one statement breaks what holds of
// a proposal that is merged, of its changes or its comments, and another mends it.
func TestCheckProposals(t *testing.T) {
	t.Parallel()
	onDatabases(t, func(t *testing.T, st database) {
		page := string(st.create(t, "a").ID)
		for _, s := range []string{
			`INSERT INTO proposals (id, title, description, status, origin, author_id, author_name, published_only, version, content, size, created_at, updated_at, merged_at, merged_id)
				VALUES ('prop_1', 't', '', 'merged', 'api', 'ann', '', FALSE, 1, 0, 5, 0, 0, 0, 'bob')`,
			`INSERT INTO proposal_changes (id, proposal_id, page_id, members, base, authors, version, size)
				VALUES ('chg_1', 'prop_1', '` + page + `', '{"op":"update"}', '{}', '[]', 1, 5)`,
			`INSERT INTO revision_merges (page_id, number, proposal_id, merged_id, merged_name) VALUES ('` + page + `', 1, 'prop_1', 'bob', '')`,
			`INSERT INTO proposal_comments (id, proposal_id, change_id, reply_to, place, said, author_id, author_name, created_at, updated_at)
				VALUES ('cmt_1', 'prop_1', '', '', '{}', '', 'ann', '', 0, 0), ('cmt_2', 'prop_1', '', 'cmt_1', '{}', '', 'ann', '', 0, 0)`,
		} {
			st.execute(t, s)
		}
		wantSound(t, st, "merged")
		const (
			status = "a proposal has a status that there is, and is merged exactly when it has the time of that"
			merge  = "a revision of a merge is that of a merged proposal"
			text   = "a proposal has as much text as its changes"
			of     = "a change is of a page that there is, unless it makes one or its page was removed for good"
			base   = "a change was made against something, unless it makes a page"
			gone   = "a change whose page was removed for good has no text"
			reply  = "a reply is to a comment of the same proposal that begins a thread"
		)
		for _, c := range []struct{ rule, subject, broken, mended string }{
			{status, "prop_1", "UPDATE proposals SET merged_at = NULL", "UPDATE proposals SET merged_at = 0"},
			{status, "prop_1", "UPDATE proposals SET status = 'open', merged_at = NULL", "UPDATE proposals SET status = 'merged', merged_at = 0"},
			{status, "prop_1", "UPDATE proposals SET status = 'lost'", "UPDATE proposals SET status = 'merged'"},
			{merge, page, "UPDATE proposals SET status = 'open'", "UPDATE proposals SET status = 'merged'"},
			{merge, page, "UPDATE revision_merges SET merged_id = 'ann'", "UPDATE revision_merges SET merged_id = 'bob'"},
			{merge, page, "UPDATE revision_merges SET proposal_id = 'prop_2'", "UPDATE revision_merges SET proposal_id = 'prop_1'"},
			{text, "prop_1", "UPDATE proposals SET size = 6", "UPDATE proposals SET size = 5"},
			{text, "prop_1", "UPDATE proposal_changes SET size = 4", "UPDATE proposal_changes SET size = 5"},
			{of, "chg_1", "UPDATE proposal_changes SET page_id = 'page_1'", "UPDATE proposal_changes SET page_id = '" + page + "'"},
			{of, "chg_1", "UPDATE proposal_changes SET page_id = ''", "UPDATE proposal_changes SET page_id = '" + page + "'"},
			{of, "chg_1", `UPDATE proposal_changes SET page_id = '', members = '{"op":"create"}'`, `UPDATE proposal_changes SET page_id = '` + page + `', members = '{"op":"update"}'`},
			{base, "chg_1", "UPDATE proposal_changes SET base = ''", "UPDATE proposal_changes SET base = '{}'"},
			{gone, "chg_1", `UPDATE proposal_changes SET members = '{"op":"update","removed":true}'`, `UPDATE proposal_changes SET members = '{"op":"update"}'`},
			{reply, "cmt_2", "UPDATE proposal_comments SET reply_to = 'cmt_3' WHERE id = 'cmt_2'", "UPDATE proposal_comments SET reply_to = 'cmt_1' WHERE id = 'cmt_2'"},
			{reply, "cmt_2", "UPDATE proposal_comments SET reply_to = 'cmt_2' WHERE id = 'cmt_2'", "UPDATE proposal_comments SET reply_to = 'cmt_1' WHERE id = 'cmt_2'"},
		} {
			st.execute(t, c.broken)
			wantFindings(t, st, c.rule, [2]string{c.subject, "restore the newest backup"})
			st.execute(t, c.mended)
			wantFindings(t, st, c.rule)
		}
		wantSound(t, st, "mended")
	})
}
