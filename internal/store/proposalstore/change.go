package proposalstore

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const (
	changeColumns = `g.id, g.page_id, g.members, g.base, g.authors, g.version`
	// An empty text and NULL look alike on SQLite.
	changeTexts = `, g.content, g.content IS NOT NULL, g.frontmatter, g.raw_front, g.raw_front IS NOT NULL`
)

// scanChange reads changeColumns, and the texts after them if whole is set.
func scanChange(row sqldb.Scanner, whole bool, more ...any) (octavo.PageChange, error) {
	var (
		id, page                octavo.ID
		members, base, authors  string
		version                 int64
		content, front, rawText []byte
		hasContent, hasRaw      bool
	)
	dest := []any{&id, &page, &members, &base, &authors, &version}
	if whole {
		dest = append(dest, &content, &hasContent, &front, &rawText, &hasRaw)
	}
	if err := row.Scan(append(dest, more...)...); err != nil {
		return octavo.PageChange{}, fmt.Errorf("read a change: %w", err)
	}
	value, err := octavo.ValueOf([]byte(members))
	if err != nil {
		return octavo.PageChange{}, fmt.Errorf("read change %s: %w", id, err)
	}
	c, err := octavo.KeptChange(value)
	if err != nil {
		return octavo.PageChange{}, fmt.Errorf("read change %s: %w", id, err)
	}
	c.ID, c.Version = id, version
	if c.Op != octavo.ChangeCreate { // the page that it created may be hidden from its author
		c.PageID = page
	}
	if base != "" {
		c.Base = new(octavo.ChangeBase)
		if err := json.Unmarshal([]byte(base), c.Base); err != nil {
			return octavo.PageChange{}, fmt.Errorf("read the base of change %s: %w", id, err)
		}
	}
	if err := json.Unmarshal([]byte(authors), &c.Authors); err != nil {
		return octavo.PageChange{}, fmt.Errorf("read the authors of change %s: %w", id, err)
	}
	if hasContent {
		c.Content = new(string(content))
	}
	if len(front) > 0 {
		c.Frontmatter = new(json.RawMessage(front))
	}
	if hasRaw {
		c.RawFront = new(string(rawText))
	}
	return c, nil
}

// Changes adds their changes to proposals, in order of creation, with content and front
// matter if whole is set. A viewer who may not write does not see restorations.
func (s *Proposals) Changes(ctx context.Context, c sqldb.Conn, v Viewer, whole bool, proposals ...*Row) error {
	columns := changeColumns
	if whole {
		columns += changeTexts
	}
	for some := range slices.Chunk(proposals, 100) {
		var a sqldb.Args
		var ids []octavo.ID
		of := map[octavo.ID]*Row{}
		for _, p := range some {
			ids, of[p.ID] = append(ids, p.ID), p
			p.Changes = nil
		}
		var id octavo.ID
		scan := sqldb.Measured(ctx, func(row sqldb.Scanner) (octavo.PageChange, error) { return scanChange(row, whole, &id) }, octavo.PageChange.Weight)
		err := c.Query(ctx, func(row sqldb.Scanner) error {
			change, err := scan(row)
			if p := of[id]; p != nil && v.shows(change) {
				p.Changes = append(p.Changes, change)
			}
			return err
		}, `SELECT `+columns+`, g.proposal_id FROM proposal_changes g WHERE g.proposal_id IN `+sqldb.List(&a, ids)+` ORDER BY g.proposal_id, g.id`, a...)
		if err != nil {
			return fmt.Errorf("read the changes of %d proposals: %w", len(some), err)
		}
	}
	return nil
}

func (v Viewer) shows(c octavo.PageChange) bool { return v.Write || c.Op != octavo.ChangeRestore }

// Change returns one complete change of a proposal. The error is NotFound if
// the viewer sees none.
func (s *Proposals) Change(ctx context.Context, c sqldb.Conn, v Viewer, proposal, id octavo.ID) (octavo.PageChange, error) {
	none := octavo.Errorf(octavo.NotFound, "Proposal %s has no change %q.", proposal, id)
	change, err := sqldb.One(ctx, c, "read change "+string(id), none, func(row sqldb.Scanner) (octavo.PageChange, error) { return scanChange(row, true) },
		`SELECT `+changeColumns+changeTexts+` FROM proposal_changes g WHERE g.proposal_id = $1 AND g.id = $2`, proposal, sqldb.Plain(string(id)))
	if err == nil && !v.shows(change) {
		return octavo.PageChange{}, none
	}
	return change, err
}

func changeRow(c octavo.PageChange) ([]any, error) {
	base := ""
	if c.Base != nil {
		text, err := json.Marshal(c.Base)
		if err != nil {
			return nil, fmt.Errorf("store the base of change %s: %w", c.ID, err)
		}
		base = string(text)
	}
	authors, err := json.Marshal(c.Authors)
	if err != nil {
		return nil, fmt.Errorf("store the authors of change %s: %w", c.ID, err)
	}
	var content, front, raw []byte
	if c.Content != nil {
		content = append([]byte{}, *c.Content...)
	}
	if c.Frontmatter != nil {
		front = *c.Frontmatter
	}
	if c.RawFront != nil {
		raw = append([]byte{}, *c.RawFront...)
	}
	return []any{
		c.ID, c.PageID, sqldb.Plain(string(c.AppendJSON(nil, false))), sqldb.Plain(base), sqldb.Plain(string(authors)), c.Version, c.Text(), content, front, raw,
	}, nil
}

// InsertChange adds a change to a proposal, and its size to the proposal's.
// It sets the version, and the identifier unless the change has one.
func (s *Proposals) InsertChange(tx *sqldb.Tx, p *Row, c *octavo.PageChange) (err error) {
	if c.ID == "" {
		if c.ID, err = tx.NewID(octavo.PrefixChange); err != nil {
			return err
		}
		for _, former := range p.Changes {
			c.ID = c.ID.After(former.ID)
		}
	}
	c.Version = 1
	row, err := changeRow(*c)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`INSERT INTO proposal_changes (id, page_id, members, base, authors, version, size, content, frontmatter, raw_front, proposal_id)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`, append(row, p.ID)...); err != nil {
		return fmt.Errorf("add a change to proposal %s: %w", p.ID, err)
	}
	if err := grow(tx, p, c.Text()); err != nil {
		return err
	}
	return nameFiles(tx, *c)
}

// UpdateChange stores a change in a new version. before is its former state.
func (s *Proposals) UpdateChange(tx *sqldb.Tx, p *Row, before octavo.PageChange, c *octavo.PageChange) error {
	c.Version = before.Version + 1
	row, err := changeRow(*c)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(`UPDATE proposal_changes SET page_id = $2, members = $3, base = $4, authors = $5, version = $6, size = $7,
			content = $8, frontmatter = $9, raw_front = $10 WHERE id = $1`, row...); err != nil {
		return fmt.Errorf("write change %s: %w", c.ID, err)
	}
	if err := grow(tx, p, c.Text()-before.Text()); err != nil {
		return err
	}
	if err := forgetFiles(tx, "g.id", c.ID); err != nil {
		return err
	}
	return nameFiles(tx, *c)
}

// Made records the page that a change created, so that its text is removed
// when that page is purged.
func Made(tx *sqldb.Tx, change, page octavo.ID) error {
	_, err := tx.Exec(`UPDATE proposal_changes SET page_id = $2 WHERE id = $1`, change, page)
	return octavo.Wrapf(err, "note the page of change %s", change)
}

// DeleteChange removes a change from a proposal.
func (s *Proposals) DeleteChange(tx *sqldb.Tx, p *Row, c octavo.PageChange) error {
	if err := forgetFiles(tx, "g.id", c.ID); err != nil {
		return err
	}
	if _, err := tx.Exec(`DELETE FROM proposal_changes WHERE id = $1`, c.ID); err != nil {
		return fmt.Errorf("remove change %s: %w", c.ID, err)
	}
	return grow(tx, p, -c.Text())
}

func grow(tx *sqldb.Tx, p *Row, bytes int) error {
	p.Size += int64(bytes)
	_, err := tx.Exec(`UPDATE proposals SET size = size + $2 WHERE id = $1`, p.ID, bytes)
	return octavo.Wrapf(err, "write the size of proposal %s", p.ID)
}
