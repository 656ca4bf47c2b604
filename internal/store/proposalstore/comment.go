package proposalstore

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

type anchor struct {
	Side       octavo.Side `json:"side,omitempty"`
	Line       int         `json:"line,omitempty"`
	Quote      string      `json:"quote,omitempty"`
	Suggestion *string     `json:"suggestion,omitempty"`
}

func anchorOf(c octavo.Comment) (string, error) {
	text, err := json.Marshal(anchor{c.Side, c.Line, c.Quote, c.Suggestion})
	if err != nil {
		return "", fmt.Errorf("store a comment: %w", err)
	}
	return sqldb.Plain(string(text)), nil
}

const commentColumns = `w.id, w.change_id, w.reply_to, w.place, w.said, w.resolved, w.removed, w.author_id, w.author_name, w.created_at, w.updated_at`

func scanComment(row sqldb.Scanner) (c octavo.Comment, err error) {
	var at string
	if err := row.Scan(&c.ID, &c.ChangeID, &c.ReplyTo, &at, &c.Text, &c.Resolved, &c.Removed, &c.Author.ID, &c.Author.Name,
		sqldb.ScanTime(&c.CreatedAt), sqldb.ScanTime(&c.UpdatedAt)); err != nil {
		return c, fmt.Errorf("read a comment: %w", err)
	}
	var p anchor
	if err := json.Unmarshal([]byte(at), &p); err != nil {
		return c, fmt.Errorf("read where comment %s stands: %w", c.ID, err)
	}
	c.Side, c.Line, c.Quote, c.Suggestion = p.Side, p.Line, p.Quote, p.Suggestion
	return c, nil
}

// maxRemarkText is the maximum of characters in all comments of one author.
const maxRemarkText = 16 << 20

// AddComment adds a comment. It sets its identifier and times.
func (s *Proposals) AddComment(tx *sqldb.Tx, p *Row, c *octavo.Comment) (err error) {
	if err := s.fewRemarks(tx, p.ID); err != nil {
		return err
	}
	var said int64
	if _, err := tx.Row([]any{&said}, `SELECT COALESCE(SUM(LENGTH(said) + LENGTH(place)), 0) FROM proposal_comments WHERE author_id = $1`, c.Author.ID); err != nil {
		return fmt.Errorf("count the comments of %s: %w", c.Author.ID, err)
	}
	if said > maxRemarkText {
		return octavo.Errorf(octavo.Conflict, "Your comments have %d characters in total, and the limit is %d. Delete some.", said, maxRemarkText)
	}
	if c.ID, err = tx.NewID(octavo.PrefixComment); err != nil {
		return err
	}
	c.CreatedAt, c.UpdatedAt = tx.Now(), tx.Now()
	at, err := anchorOf(*c)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO proposal_comments (id, proposal_id, change_id, reply_to, place, said, author_id, author_name, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $9)`,
		c.ID, p.ID, c.ChangeID, c.ReplyTo, at, sqldb.Plain(c.Text), c.Author.ID, c.Author.Name, c.CreatedAt.UnixMilli())
	return octavo.Wrapf(err, "add a comment to proposal %s", p.ID)
}

// Comments returns at most limit comments of a proposal after one, or from
// the beginning with "", oldest first, and whether more follow.
func (s *Proposals) Comments(ctx context.Context, proposal, after octavo.ID, limit int) ([]octavo.Comment, bool, error) {
	return sqldb.CollectUpTo(ctx, s.db.Read(), "list comments", limit, scanComment,
		`SELECT `+commentColumns+` FROM proposal_comments w WHERE w.proposal_id = $1 AND w.id > $2 ORDER BY w.id LIMIT $3`,
		proposal, sqldb.Plain(string(after)), limit+1)
}

// Comment returns one comment of a proposal, or a NotFound error.
func (s *Proposals) Comment(ctx context.Context, c sqldb.Conn, proposal, id octavo.ID) (octavo.Comment, error) {
	return sqldb.One(ctx, c, "read comment "+string(id), octavo.Errorf(octavo.NotFound, "Proposal %s has no comment %q.", proposal, id), scanComment,
		`SELECT `+commentColumns+` FROM proposal_comments w WHERE w.proposal_id = $1 AND w.id = $2`, proposal, sqldb.Plain(string(id)))
}

// SaveComment stores a changed comment.
func (s *Proposals) SaveComment(tx *sqldb.Tx, c *octavo.Comment) error {
	c.UpdatedAt = tx.After(c.UpdatedAt)
	at, err := anchorOf(*c)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`UPDATE proposal_comments SET place = $2, said = $3, resolved = $4, removed = $5, updated_at = $6 WHERE id = $1`,
		c.ID, at, sqldb.Plain(c.Text), c.Resolved, c.Removed, c.UpdatedAt.UnixMilli())
	return octavo.Wrapf(err, "write comment %s", c.ID)
}

// DeleteComment removes a comment. A comment with replies leaves an empty place.
func (s *Proposals) DeleteComment(tx *sqldb.Tx, c octavo.Comment) error {
	replied, err := tx.Row([]any{new(int)}, `SELECT 1 FROM proposal_comments WHERE reply_to = $1 LIMIT 1`, c.ID)
	if err != nil {
		return fmt.Errorf("look for replies to comment %s: %w", c.ID, err)
	}
	if replied {
		c.Text, c.Quote, c.Suggestion, c.Removed = "", "", nil, true
		return s.SaveComment(tx, &c)
	}
	_, err = tx.Exec(`DELETE FROM proposal_comments WHERE id = $1`, c.ID)
	return octavo.Wrapf(err, "remove comment %s", c.ID)
}

// Talkers returns the people who have commented on a proposal, or in one of
// its threads if thread is not "".
func (s *Proposals) Talkers(tx *sqldb.Tx, proposal, thread octavo.ID) ([]string, error) {
	list, err := sqldb.Collect(tx.Context(), tx.Conn(), sqldb.Column[string], `SELECT DISTINCT w.author_id FROM proposal_comments w
		WHERE w.proposal_id = $1 AND ($2 = '' OR w.id = $2 OR w.reply_to = $2)`, proposal, string(thread))
	return list, octavo.Wrapf(err, "read who commented on proposal %s", proposal)
}
