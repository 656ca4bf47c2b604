package storecheck

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// How single rows are repaired. The log continues after everything that is
// known to have been in it. If nothing of it is left, all was removed.
const (
	mendRetention = "run on the database: DELETE FROM change_retention; INSERT INTO change_retention (removed, cutoff) SELECT COALESCE(MIN(%s) - 1, %s, 0), " +
		"COALESCE(MIN(time), (SELECT MAX(p.updated_at) FROM pages p), 0) FROM changes"
	mendPosition = "stop all servers, and run on the database: DELETE FROM change_position; INSERT INTO change_position (last) SELECT GREATEST(COALESCE(MAX(position), 0), " +
		"(SELECT COALESCE(MAX(f.position), 0) FROM followers f), (SELECT COALESCE(MAX(r.removed), 0) FROM change_retention r)) FROM changes; then octavo migrate --restored"
	mendEnd = "stop the server, and run octavo migrate --restored: events since the end was lost, under positions that had been given out before, are not sent"
)

// The end of the log, as the databases store it. SQLite also continues after
// its newest change.
const (
	endSQLite   = `(SELECT q.seq FROM sqlite_sequence q WHERE q.name = 'changes')`
	endPostgres = `(SELECT MAX(e.last) FROM change_position e)`
)

const (
	ruleOneRow = "what is remembered of the change log is one row"
	ruleEnd    = "the change log ends with or after its newest change, and after the changes removed from it"
	ruleAhead  = "a follower of the change log has not handled what is still to come"
	ruleSigns  = "a webhook has a secret that signs its events"
	mendSigns  = "rotate its secret over the API, and give its receiver the new one"
)

// checkAhead looks for followers ahead of the log, which receive nothing
// until the log has reached them.
func checkAhead(ctx context.Context, db *sqldb.DB) (findings []Finding, err error) {
	end, last := `MAX(COALESCE(`+endSQLite+`, 0), COALESCE((SELECT MAX(c.seq) FROM changes c), 0), COALESCE((SELECT MAX(r.removed) FROM change_retention r), 0))`, `(SELECT COALESCE(MAX(seq), 0) FROM changes)`
	if db.Shared() {
		end, last = endPostgres, `(SELECT last FROM change_position)`
	}
	err = db.Read().Within(0).Query(ctx, func(row sqldb.Scanner) error {
		var name string
		var at, to int64
		err := row.Scan(&name, &at, &to)
		findings = append(findings, Finding{
			ruleAhead, fmt.Sprintf("%s is at %d, and the log ends at %d", name, at, to),
			fmt.Sprintf("run on the database: UPDATE followers SET position = %s WHERE name = '%s'; what happened before is not sent any more, and is in the feed of events", last, name),
		})
		return err
	}, `SELECT f.name, f.position, `+end+` FROM followers f WHERE f.position > `+end+` ORDER BY f.name`)
	return findings, err
}

// checkLog looks for missing records about the change log.
func checkLog(ctx context.Context, db *sqldb.DB) (findings []Finding, err error) {
	tables := map[string]string{"change_retention": fmt.Sprintf(mendRetention, "seq", endSQLite)}
	if db.Shared() {
		tables["change_retention"] = fmt.Sprintf(mendRetention, "position", endPostgres)
		tables["change_position"] = mendPosition
	}
	for _, table := range slices.Sorted(maps.Keys(tables)) {
		rows, err := column[int64](ctx, db, `SELECT COUNT(*) FROM `+table)
		if err != nil {
			return findings, err
		}
		if rows[0] != 1 {
			findings = append(findings, Finding{ruleOneRow, fmt.Sprintf("table %s has %d", table, rows[0]), tables[table]})
		}
	}
	end, was, mend := `MAX(COALESCE(`+endSQLite+`, 0), COALESCE((SELECT MAX(c.seq) FROM changes c), 0))`, `(SELECT MAX(r.removed) FROM change_retention r)`, mendEnd
	if db.Shared() {
		end, was, mend = endPostgres, `GREATEST((SELECT MAX(c.position) FROM changes c), (SELECT MAX(r.removed) FROM change_retention r))`, mendPosition
	}
	behind, err := column[string](ctx, db, `SELECT 'it ends at ' || e.last || ', and was at ' || e.was || ' before' FROM (SELECT `+end+` AS last, `+was+` AS was) e WHERE e.last < e.was`)
	for _, subject := range behind {
		findings = append(findings, Finding{ruleEnd, subject, mend})
	}
	return findings, err
}

// checkSigns looks for webhooks whose secrets are missing.
func checkSigns(ctx context.Context, db *sqldb.DB) (findings []Finding, err error) {
	ids, err := column[string](ctx, db, `SELECT w.id FROM webhooks w WHERE NOT EXISTS (
		SELECT 1 FROM secrets s WHERE s.name > 'webhook/' || w.id || '/' AND s.name < 'webhook/' || w.id || '0')`) // 0 follows /
	for _, id := range ids {
		findings = append(findings, Finding{ruleSigns, id, mendSigns})
	}
	return findings, err
}
