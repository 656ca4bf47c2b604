package proposalstore

import (
	"context"
	"fmt"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// How long a person counts as present after their last report, and how early
// a further report is worth a write.
const (
	presenceTime  = 30 * time.Second
	presenceRenew = 20 * time.Second
)

// Limits of what is kept and read.
const (
	maxPlaces   = 8 // for one person
	maxPresence = 1000
)

// Presences stores which pages people are looking at. It is safe for concurrent use.
type Presences struct{ db *sqldb.DB }

// NewPresences returns the presences of a database.
func NewPresences(db *sqldb.DB) *Presences { return &Presences{db} }

// Appear records that a person is looking at a page or a proposal. It is
// NotFound if they do not see it. It causes no event.
func (s *Presences) Appear(ctx context.Context, who octavo.Actor, v Viewer, subject octavo.ID) error {
	var a sqldb.Args
	var until int64
	seen := `EXISTS (SELECT 1 FROM pages p WHERE p.id = ` + a.Add(sqldb.Plain(string(subject))) + ` AND ` + sqldb.Visible(v.audience(), "p") + `)`
	if subject.Is(octavo.PrefixProposal) {
		a = nil
		seen = `EXISTS (SELECT 1 FROM proposals p WHERE p.id = ` + a.Add(sqldb.Plain(string(subject))) + ` AND ` + v.sees(&a) + `)`
	}
	found, err := s.db.Read().Row(ctx, []any{&until}, `SELECT COALESCE((SELECT until FROM presence WHERE subject = `+a.Add(sqldb.Plain(string(subject)))+` AND person_id = `+a.Add(sqldb.Plain(who.ID))+`), 0)
		WHERE `+seen, a...)
	switch {
	case err != nil:
		return fmt.Errorf("look who is present: %w", err)
	case !found:
		return octavo.Errorf(octavo.NotFound, "There is no page or proposal %q.", subject)
	case until > s.db.Now().Add(presenceRenew).UnixMilli():
		return nil
	}
	return s.db.Write(ctx, sqldb.Cause{}, func(tx *sqldb.Tx) error {
		now, person := tx.Now(), sqldb.Plain(who.ID)
		_, err := tx.Exec(`DELETE FROM presence WHERE until <= $1`, now.UnixMilli())
		if err == nil {
			_, err = tx.Exec(`INSERT INTO presence (subject, person_id, person_name, since, until) VALUES ($1, $2, $3, $4, $5)
				ON CONFLICT (person_id, subject) DO UPDATE SET person_name = excluded.person_name, until = excluded.until`,
				sqldb.Plain(string(subject)), person, sqldb.Plain(who.Name), now.UnixMilli(), now.Add(presenceTime).UnixMilli())
		}
		if err == nil {
			_, err = tx.Exec(`DELETE FROM presence WHERE person_id = $1 AND subject NOT IN (
				SELECT subject FROM presence WHERE person_id = $1 ORDER BY until DESC, subject LIMIT $2)`, person, maxPlaces)
		}
		if err != nil {
			return fmt.Errorf("note that %s is present: %w", who.ID, err)
		}
		return nil
	})
}

// Present returns the people at what the viewer sees, by page or proposal
// and by time of arrival.
func (s *Presences) Present(ctx context.Context, v Viewer, proposals bool) ([]octavo.Presence, error) {
	var a sqldb.Args
	now := a.Add(s.db.Now().UnixMilli())
	which := `EXISTS (SELECT 1 FROM pages p WHERE p.id = n.subject AND ` + sqldb.Visible(v.audience(), "p") + `)`
	if proposals {
		which = `(` + which + ` OR EXISTS (SELECT 1 FROM proposals p WHERE p.id = n.subject AND ` + v.sees(&a) + `))`
	}
	list, err := sqldb.Collect(ctx, s.db.Read(), func(row sqldb.Scanner) (p octavo.Presence, err error) {
		var subject octavo.ID
		err = row.Scan(&subject, &p.Person.ID, &p.Person.Name, sqldb.ScanTime(&p.Since))
		if p.PageID = subject; subject.Is(octavo.PrefixProposal) {
			p.PageID, p.ProposalID = "", subject
		}
		return p, err
	}, `SELECT n.subject, n.person_id, n.person_name, n.since FROM presence n WHERE n.until > `+now+` AND `+which+`
		ORDER BY n.subject, n.since, n.person_id LIMIT `+a.Add(maxPresence), a...)
	if err != nil {
		return nil, fmt.Errorf("read who is present: %w", err)
	}
	return list, nil
}

func (v Viewer) audience() octavo.Audience { return octavo.Audience{PublishedOnly: v.PublishedOnly} }
