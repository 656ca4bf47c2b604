package proposalstore

import (
	"fmt"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Insert adds a proposal without changes. It sets its identifier, times and version.
func (s *Proposals) Insert(tx *sqldb.Tx, p *Row) (err error) {
	if p.ID, err = tx.NewID(octavo.PrefixProposal); err != nil {
		return err
	}
	p.CreatedAt, p.UpdatedAt, p.Version = tx.Now(), tx.Now(), 1
	if _, err := tx.Exec(`INSERT INTO proposals (id, title, description, status, origin, author_id, author_name, published_only,
			version, content, size, created_at, updated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $11, $12)`,
		p.ID, p.Title, sqldb.Plain(p.Description), p.Status, p.Origin, p.Author.ID, p.Author.Name, p.PublishedOnly,
		p.Version, p.Content, p.CreatedAt.UnixMilli(), p.UpdatedAt.UnixMilli()); err != nil {
		return fmt.Errorf("add a proposal: %w", err)
	}
	return s.SetReviewers(tx, p)
}

// Save stores a proposal in a new version. If its changes have changed, the
// caller raises Content.
func (s *Proposals) Save(tx *sqldb.Tx, p *Row) error {
	p.Version++
	p.UpdatedAt = tx.After(p.UpdatedAt)
	var merger octavo.Actor
	if p.MergedBy != nil {
		merger = *p.MergedBy
	}
	if _, err := tx.Exec(`UPDATE proposals SET title = $2, description = $3, status = $4, version = $5, content = $6,
			updated_at = $7, merged_at = $8, merged_id = $9, merged_name = $10
		WHERE id = $1`,
		p.ID, p.Title, sqldb.Plain(p.Description), p.Status, p.Version, p.Content,
		p.UpdatedAt.UnixMilli(), sqldb.Millis(p.MergedAt), merger.ID, merger.Name); err != nil {
		return fmt.Errorf("write proposal %s: %w", p.ID, err)
	}
	return nil
}

// SetReviewers stores the requested reviewers.
func (s *Proposals) SetReviewers(tx *sqldb.Tx, p *Row) error {
	if _, err := tx.Exec(`DELETE FROM proposal_reviewers WHERE proposal_id = $1`, p.ID); err != nil {
		return fmt.Errorf("write the reviewers of proposal %s: %w", p.ID, err)
	}
	for _, id := range p.Reviewers {
		if _, err := tx.Exec(`INSERT INTO proposal_reviewers (proposal_id, user_id) VALUES ($1, $2) ON CONFLICT DO NOTHING`, p.ID, id); err != nil {
			return fmt.Errorf("write the reviewers of proposal %s: %w", p.ID, err)
		}
	}
	return nil
}

// Delete removes a proposal with everything that belongs to it.
func (s *Proposals) Delete(tx *sqldb.Tx, id octavo.ID) error {
	if err := forgetFiles(tx, "g.proposal_id", id); err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM proposals WHERE id = $1`, id); err != nil {
		return fmt.Errorf("delete proposal %s: %w", id, err)
	}
	return nil
}

// Record records an event of the proposal, with only its id (decision 76).
func (s *Proposals) Record(tx *sqldb.Tx, kind octavo.EventType, p *Row) error {
	return s.record(tx, kind, p, changelog.SubjectOnly(p.ID))
}

func (s *Proposals) record(tx *sqldb.Tx, kind octavo.EventType, p *Row, payload []byte) error {
	id, err := tx.NewID(octavo.PrefixEvent)
	if err != nil {
		return err
	}
	return changelog.Record(tx, id, kind, p.ID, p.Version, false, payload)
}
