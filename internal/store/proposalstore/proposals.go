// Package proposalstore stores proposals: sets of changes to pages that are reviewed
// and discussed before they are merged, with their reviews, comments and notifications.
//
// It stores rows and decides who sees them. Package proposals has the rules
// for proposals and merges, and pagestore has the pages. Every function that
// changes something runs in a transaction of [sqldb.DB.Write].
//
// Start with proposals.go, which reads, and write.go.
package proposalstore

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Proposals reads and changes proposals. It is safe for concurrent use.
type Proposals struct{ db *sqldb.DB }

// New returns the proposals of a database.
func New(db *sqldb.DB) *Proposals { return &Proposals{db: db} }

// Viewer is the subject that reads proposals.
type Viewer struct {
	ID            string // the subject
	PublishedOnly bool   // sees only its own proposals
	Write         bool   // may write pages, and therefore sees restorations
}

// sees is the condition under which the viewer sees proposal p (decisions 68 and 71).
func (v Viewer) sees(a *sqldb.Args) string {
	return sqldb.SeesProposal(a, v.ID, v.PublishedOnly, "p")
}

const proposalColumns = `p.id, p.title, p.description, p.status, p.origin, p.author_id, p.author_name, p.published_only, p.version,
	p.created_at, p.updated_at, p.merged_at, p.merged_id, p.merged_name, p.content, p.size`

// Row is a proposal with internal members. Its changes are read separately.
type Row struct {
	octavo.Proposal
	Content int64 // rises when changes do
	Size    int64 // bytes of their text
}

func scanProposal(row sqldb.Scanner) (*Row, error) {
	var (
		p      Row
		merged *int64
		merger octavo.Actor
	)
	if err := row.Scan(&p.ID, &p.Title, &p.Description, &p.Status, &p.Origin, &p.Author.ID, &p.Author.Name, &p.PublishedOnly, &p.Version,
		sqldb.ScanTime(&p.CreatedAt), sqldb.ScanTime(&p.UpdatedAt), &merged, &merger.ID, &merger.Name, &p.Content, &p.Size); err != nil {
		return nil, fmt.Errorf("read a proposal: %w", err)
	}
	if p.MergedAt = sqldb.OptMoment(merged); merged != nil {
		p.MergedBy = &merger
	}
	return &p, nil
}

// ErrNone is the error for a proposal that does not exist or is hidden.
func ErrNone(id octavo.ID) error {
	return octavo.Errorf(octavo.NotFound, "There is no proposal %q.", id)
}

// Get returns a proposal that the viewer sees, without its changes, or a
// NotFound error.
func (s *Proposals) Get(ctx context.Context, c sqldb.Conn, v Viewer, id octavo.ID) (*Row, error) {
	var a sqldb.Args
	list, err := sqldb.Collect(ctx, c, scanProposal, `SELECT `+proposalColumns+` FROM proposals p
		WHERE p.id = `+a.Add(sqldb.Plain(string(id)))+` AND `+v.sees(&a), a...)
	if err != nil {
		return nil, fmt.Errorf("read proposal %s: %w", id, err)
	}
	if len(list) == 0 {
		return nil, ErrNone(id)
	}
	return list[0], s.reviewers(ctx, c, list)
}

// Lock is Get in a transaction, and keeps others from changing the proposal.
func (s *Proposals) Lock(tx *sqldb.Tx, v Viewer, id octavo.ID) (*Row, error) {
	if !id.Is(octavo.PrefixProposal) {
		return nil, ErrNone(id)
	}
	if err := tx.LockRow("proposals", string(id)); err != nil {
		return nil, fmt.Errorf("lock proposal %s: %w", id, err)
	}
	return s.Get(tx.Context(), tx.Conn(), v, id)
}

// Query filters a list of proposals; zero members do not filter.
type Query struct {
	Status   octavo.ProposalStatus
	Author   string
	Reviewer octavo.ID
	Page     octavo.ID
	Origin   octavo.Origin
}

// List returns at most limit proposals that the viewer sees, older than before, or from
// the newest with "", newest first and without their changes, and whether more follow.
func (s *Proposals) List(ctx context.Context, v Viewer, q Query, before octavo.ID, limit int) (list []*Row, more bool, err error) {
	var a sqldb.Args
	where := []string{v.sees(&a)}
	if q.Status != "" {
		where = append(where, "p.status = "+a.Add(string(q.Status)))
	}
	if q.Author != "" {
		where = append(where, "p.author_id = "+a.Add(sqldb.Plain(q.Author)))
	}
	if q.Origin != "" {
		where = append(where, "p.origin = "+a.Add(string(q.Origin)))
	}
	if q.Reviewer != "" {
		where = append(where, "p.id IN (SELECT w.proposal_id FROM proposal_reviewers w WHERE w.user_id = "+a.Add(sqldb.Plain(string(q.Reviewer)))+")")
	}
	if q.Page != "" {
		where = append(where, "p.id IN (SELECT g.proposal_id FROM proposal_changes g WHERE g.page_id <> '' AND g.page_id = "+a.Add(sqldb.Plain(string(q.Page)))+")")
	}
	if before != "" {
		where = append(where, "p.id < "+a.Add(sqldb.Plain(string(before))))
	}
	list, more, err = sqldb.CollectUpTo(ctx, s.db.Read(), "list proposals", limit, scanProposal, `SELECT `+proposalColumns+` FROM proposals p
		WHERE `+strings.Join(where, " AND ")+` ORDER BY p.id DESC LIMIT `+a.Add(limit+1), a...)
	if err != nil {
		return nil, false, err
	}
	return list, more, s.reviewers(ctx, s.db.Read(), list)
}

// reviewers adds the people who are asked to review.
func (s *Proposals) reviewers(ctx context.Context, c sqldb.Conn, list []*Row) error {
	for some := range slices.Chunk(list, 100) {
		var ids []octavo.ID
		of := map[octavo.ID]*Row{}
		for _, p := range some {
			ids, of[p.ID] = append(ids, p.ID), p
		}
		var a sqldb.Args
		err := c.Query(ctx, func(row sqldb.Scanner) error {
			var id, user octavo.ID
			err := row.Scan(&id, &user)
			if p := of[id]; p != nil {
				p.Reviewers = append(p.Reviewers, user)
			}
			return err
		}, `SELECT w.proposal_id, w.user_id FROM proposal_reviewers w WHERE w.proposal_id IN `+sqldb.List(&a, ids)+` ORDER BY w.user_id`, a...)
		if err != nil {
			return fmt.Errorf("read the reviewers of %d proposals: %w", len(some), err)
		}
	}
	return nil
}

// Use is the size of a person's unmerged proposals.
type Use struct {
	Proposals int
	Text      int64 // bytes
}

// Uses counts an author's unmerged proposals and their text.
func (s *Proposals) Uses(tx *sqldb.Tx, author string) (u Use, err error) {
	_, err = tx.Row([]any{&u.Proposals, &u.Text}, `SELECT COUNT(*), COALESCE(SUM(p.size), 0) FROM proposals p
		WHERE p.author_id = $1 AND p.status <> 'merged'`, sqldb.Plain(author))
	if err != nil {
		return u, fmt.Errorf("count the proposals of %s: %w", author, err)
	}
	return u, nil
}

// DraftOf returns an author's draft of origin studio for a page, or "".
func (s *Proposals) DraftOf(tx *sqldb.Tx, author string, page octavo.ID) (id octavo.ID, err error) {
	_, err = tx.Row([]any{&id}, `SELECT p.id FROM proposals p JOIN proposal_changes g ON g.proposal_id = p.id
		WHERE p.author_id = $1 AND p.status = 'draft' AND p.origin = 'studio' AND g.page_id <> '' AND g.page_id = $2`, sqldb.Plain(author), sqldb.Plain(string(page)))
	if err != nil {
		return "", fmt.Errorf("look for a draft of page %s: %w", page, err)
	}
	return id, nil
}
