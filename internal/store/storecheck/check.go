// Package storecheck looks for what contradicts itself in a database: its schema
// against a kept snapshot of it, and its rows against the rules that bind them.
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

// Finding is something in the store that contradicts something else in it.
type Finding struct {
	Rule    string // what should hold
	Subject string // the page, slug or file where it does not
	Mend    string // what whoever runs the server can do
}

// What mends findings in the database.
const (
	mendFile = "stop the server, check the disk, and restore the newest backup into an empty folder; the file itself cannot be repaired"
	mendRule = "it cannot be repaired by itself: restore the newest backup in which doctor finds nothing, and report it as a fault in Octavo unless the disk or a person caused it"
)

// rule is what must hold in the store and a statement that lists, by one
// column, where it does not.
type rule struct{ text, query string }

// impossiblePages lists pages that no program has written so.
const impossiblePages = `SELECT p.id FROM pages p WHERE p.status NOT IN ('draft', 'published', 'archived')
	OR p.created_at NOT BETWEEN 0 AND 253402300799999 OR p.updated_at NOT BETWEEN 0 AND 253402300799999`

// ImpossiblePages returns the pages with a status or a time that there is not.
// Check finds them, and nothing that was made of them is to be blamed for it.
func ImpossiblePages(ctx context.Context, db *sqldb.DB) ([]octavo.ID, error) {
	ids, err := column[octavo.ID](ctx, db, impossiblePages)
	if err != nil {
		return nil, fmt.Errorf("look for impossible pages: %w", err)
	}
	return ids, nil
}

// column returns what a query of one column finds.
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

// Check looks for everything that can be inconsistent, in the files of the
// database too where it can tell, and returns what it found. It reads the
// whole store; what is being written meanwhile does not disturb it.
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

// unchecked is a finding like any other: the rest can still be looked at.
func unchecked(rule string, err error) Finding {
	return Finding{rule, "this could not be checked: " + err.Error(), mendRule}
}
