package store

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
)

const ruleSchema = "the tables, indexes and triggers of the schema are there"

const mendLost = "bring back the newest backup with which doctor finds nothing: what was in it cannot be made again"

// part is a table, an index or a trigger that migrations make.
type part struct {
	kind, name string
	table      string // that it belongs to
	statement  string // that makes an index
}

// What migrations say about parts of the schema. Each begins a line.
var (
	sqlKey     = regexp.MustCompile(`(?m)^ +(?:(\w+) .*|)\b(PRIMARY KEY|UNIQUE)\b(?: \(([\w, ]+)\))?`)
	sqlComment = regexp.MustCompile(`--.*`)
	sqlPart    = regexp.MustCompile(`(?m)^(?:` +
		`CREATE (?:UNLOGGED )?TABLE (\w+) \(([^;]*)|` +
		`CREATE (?:UNIQUE )?(INDEX) (\w+) ON (\w+) [^;]*|` +
		`CREATE (TRIGGER) (\w+) (?:BEFORE|AFTER) (?:INSERT|UPDATE|DELETE) ON (\w+)|` +
		`DROP (TABLE|INDEX|TRIGGER) (\w+)|` +
		`ALTER TABLE (\w+) RENAME TO (\w+))`)
)

// schemaParts returns what the migrations of a database make, by kind and name.
// The indexes of keys and of what is UNIQUE are among it on PostgreSQL, where
// they can be dropped.
func schemaParts(dialect string) (map[string]part, error) {
	files, err := fs.Glob(migrations, "migrations/"+dialect+"/*.sql")
	if err != nil {
		return nil, err
	}
	parts := map[string]part{}
	for _, file := range files { // in the order of their numbers
		text, err := migrations.ReadFile(file)
		if err != nil {
			return nil, err
		}
		for _, m := range sqlPart.FindAllStringSubmatch(sqlComment.ReplaceAllString(string(text), ""), -1) {
			take(parts, m, dialect == "postgres")
		}
	}
	return parts, nil
}

// take carries out what a statement does to the parts of a schema.
func take(parts map[string]part, m []string, keys bool) {
	add := func(p part) { parts[p.kind+" "+p.name] = p }
	switch {
	case m[1] != "":
		add(part{kind: "table", name: m[1], table: m[1]})
		for _, k := range sqlKey.FindAllStringSubmatch(m[2], -1) {
			if keys {
				add(keyOf(m[1], k))
			}
		}
	case m[3] != "":
		add(part{kind: "index", name: m[4], table: m[5], statement: strings.Join(strings.Fields(m[0]), " ")})
	case m[6] != "":
		add(part{kind: "trigger", name: m[7], table: m[8]})
	case m[9] != "":
		kind, name := strings.ToLower(m[9]), m[10]
		maps.DeleteFunc(parts, func(_ string, p part) bool {
			return p.kind == kind && p.name == name || kind == "table" && p.table == name
		})
	case m[11] != "":
		for key, p := range parts {
			if p.table != m[11] {
				continue
			}
			delete(parts, key)
			if p.table = m[12]; p.kind == "table" {
				p.name = m[12]
			}
			add(p)
		}
	}
}

// keyOf returns the index of a key or of what is UNIQUE in a table, under the
// name that PostgreSQL gives it.
func keyOf(table string, k []string) part {
	columns := k[3]
	if columns == "" {
		columns = k[1]
	}
	name := table + "_" + strings.ReplaceAll(columns, ", ", "_") + "_key"
	if k[2] == "PRIMARY KEY" {
		name = table + "_pkey"
	}
	return part{kind: "index", name: name, table: table, statement: fmt.Sprintf("ALTER TABLE %s ADD CONSTRAINT %s %s (%s)", table, name, k[2], columns)}
}

// checkSchema looks whether everything is there that the migrations have made. A
// schema that is newer than this program may have less, and is passed over.
func (s *Store) checkSchema(ctx context.Context, read conn) ([]Finding, error) {
	v, err := s.db.schema(ctx)
	if err != nil || v.have > v.known {
		return nil, err
	}
	dialect, query := "sqlite", `SELECT m.type || ' ' || m.name FROM sqlite_master m`
	if s.Shared() {
		// Where the table of migrations is, the others were made too.
		dialect, query = "postgres", `WITH made AS (SELECT c.oid, c.relname, c.relkind FROM pg_class c
				WHERE c.relnamespace = (SELECT g.relnamespace FROM pg_class g WHERE g.oid = to_regclass('goose_db_version')))
			SELECT 'table ' || m.relname FROM made m WHERE m.relkind IN ('r', 'p')
			UNION ALL SELECT 'index ' || m.relname FROM made m WHERE m.relkind IN ('i', 'I')
			UNION ALL SELECT 'trigger ' || t.tgname FROM made m JOIN pg_trigger t ON t.tgrelid = m.oid`
	}
	have, err := collect(ctx, read, column[string], query)
	if err != nil {
		return nil, err
	}
	parts, err := schemaParts(dialect)
	if err != nil {
		return nil, err
	}
	var findings []Finding
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		p := parts[key]
		_, known := parts["table "+p.table]
		if slices.Contains(have, key) || p.kind != "table" && known && !slices.Contains(have, "table "+p.table) {
			continue // with its table it went
		}
		subject, mend := "table "+p.name+" is missing", mendLost
		switch p.kind {
		case "index":
			subject = fmt.Sprintf("index %s of table %s is missing", p.name, p.table)
			mend = "run on the database: " + p.statement + "; where that is refused since rows are twice, bring back the newest backup with which doctor finds nothing"
		case "trigger":
			subject = fmt.Sprintf("trigger %s of table %s is missing", p.name, p.table)
		}
		findings = append(findings, Finding{ruleSchema, subject, mend})
	}
	return findings, nil
}

const (
	ruleAhead = "a follower of the change log has not handled what is still to come"
	ruleSigns = "a webhook has a secret that signs its events"
	mendSigns = "rotate its secret over the API, and give its receiver the new one"
)

// checkAhead looks for followers that are further than the log, which are handed
// nothing until it has come that far.
func (s *Store) checkAhead(ctx context.Context, read conn) (findings []Finding, err error) {
	end, last := `(SELECT MAX(COALESCE((SELECT q.seq FROM sqlite_sequence q WHERE q.name = 'changes'), 0), r.removed) FROM change_retention r)`, `(SELECT COALESCE(MAX(seq), 0) FROM changes)`
	if s.Shared() {
		end, last = `(SELECT p.last FROM change_position p)`, `(SELECT last FROM change_position)`
	}
	err = read.query(ctx, func(row scanner) error {
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

// checkSigns looks for webhooks whose secrets were removed.
func (s *Store) checkSigns(ctx context.Context, read conn) (findings []Finding, err error) {
	ids, err := collect(ctx, read, column[string], `SELECT w.id FROM webhooks w WHERE NOT EXISTS (
		SELECT 1 FROM secrets s WHERE s.name > 'webhook/' || w.id || '/' AND s.name < 'webhook/' || w.id || '0')`) // 0 follows /
	for _, id := range ids {
		findings = append(findings, Finding{ruleSigns, id, mendSigns})
	}
	return findings, err
}
