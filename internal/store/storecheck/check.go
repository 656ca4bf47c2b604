// Package storecheck looks for inconsistencies in a database. It compares
// the schema with a stored snapshot, and checks the rows against the rules
// in rules.sql. It changes nothing. Start with [Check].
package storecheck

import (
	"context"
	_ "embed" // of rules.sql
	"fmt"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Finding is an inconsistency in the store.
type Finding struct {
	Rule    string // what should hold
	Subject string // the page, slug or file concerned
	Mend    string // what an operator can do
}

// How findings are repaired in the database.
const (
	mendFile = "stop the server, check the disk, and restore the newest backup into an empty folder; the file itself cannot be repaired"
	mendRule = "it cannot be repaired by itself: restore the newest backup in which doctor finds nothing, and report it as a fault in Octavo unless the disk or a person caused it"
)

// rule is a rule of the store, and a statement that lists its violations in one column.
type rule struct{ text, query string }

// impossiblePages lists pages that no program can have written.
const impossiblePages = `SELECT p.id FROM pages p WHERE p.status NOT IN ('draft', 'published', 'archived')
	OR p.created_at NOT BETWEEN 0 AND 253402300799999 OR p.updated_at NOT BETWEEN 0 AND 253402300799999`

// ImpossiblePages returns the pages with an invalid status or time. Check
// reports them, and data derived from them is not checked.
func ImpossiblePages(ctx context.Context, db *sqldb.DB) ([]octavo.ID, error) {
	ids, err := column[octavo.ID](ctx, db, impossiblePages)
	if err != nil {
		return nil, fmt.Errorf("look for impossible pages: %w", err)
	}
	return ids, nil
}

// column returns the results of a query with one column.
func column[T any](ctx context.Context, db *sqldb.DB, query string) ([]T, error) {
	return sqldb.Collect(ctx, db.Read().Within(0), sqldb.Column[T], query)
}

//go:embed rules.sql
var rulesSQL string

// rules reads rules.sql.
func rules() []rule {
	list := []rule{{"a page has a status that there is, and times that there are", impossiblePages}}
	_, text, _ := strings.Cut(strings.ReplaceAll(rulesSQL, "{depth}", strconv.Itoa(octavo.MaxDepth)), "\n-- rule: ")
	for part := range strings.SplitSeq(text, "\n-- rule: ") {
		says, query, _ := strings.Cut(part, "\n")
		list = append(list, rule{says, strings.TrimRight(query, ";\n")})
	}
	return list
}

// Check looks for all inconsistencies, including those in the files of the
// database if it can, and returns them. It reads the whole store; concurrent
// writes do not disturb it.
func Check(ctx context.Context, db *sqldb.DB) ([]Finding, error) {
	var findings []Finding
	damage, err := db.Damage(ctx)
	if err != nil {
		damage = append(damage, err.Error())
	}
	for _, text := range damage {
		findings = append(findings, Finding{"the database file is sound", text, mendFile})
	}
	for _, c := range []struct {
		rule  string
		check func(context.Context, *sqldb.DB) ([]Finding, error)
	}{{ruleSchema, checkSchema}, {ruleOneRow, checkLog}, {ruleAhead, checkAhead}, {ruleSigns, checkSigns}} {
		found, err := c.check(ctx, db)
		if findings = append(findings, found...); err != nil {
			findings = append(findings, unchecked(c.rule, err))
		}
	}
	for _, r := range rules() {
		subjects, err := column[string](ctx, db, r.query)
		if ctx.Err() != nil {
			return findings, fmt.Errorf("check that %s: %w", r.text, err)
		}
		if err != nil {
			findings = append(findings, unchecked(r.text, err))
		}
		for _, subject := range subjects {
			findings = append(findings, Finding{r.text, subject, mendRule})
		}
	}
	return findings, nil
}

// unchecked is a finding for a failed check: the others can still run.
func unchecked(rule string, err error) Finding {
	return Finding{rule, "this could not be checked: " + err.Error(), mendRule}
}
