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

const ruleSchema = "the tables, columns, indexes and triggers of the schema are there"

const mendLost = "bring back the newest backup with which doctor finds nothing: what was in it cannot be made again"

// part is a table, a column, an index or a trigger that migrations make.
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
		`ALTER TABLE (\w+) RENAME TO (\w+)|` +
		`ALTER TABLE (\w+) (ADD COLUMN [^;]*))`)
	sqlColumn = regexp.MustCompile(`(?m)^ +([a-z]\w*) `)
	sqlAdded  = regexp.MustCompile(`ADD COLUMN (\w+)`)
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
	add := func(p part) { parts[p.key()] = p }
	columns := func(table string, found [][]string) {
		for _, c := range found {
			add(part{kind: "column", name: c[1], table: table})
		}
	}
	switch {
	case m[1] != "":
		add(part{kind: "table", name: m[1], table: m[1]})
		columns(m[1], sqlColumn.FindAllStringSubmatch(m[2], -1))
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
	case m[13] != "":
		columns(m[13], sqlAdded.FindAllStringSubmatch(m[14], -1))
	}
}

// key tells parts apart: columns of two tables may have one name.
func (p part) key() string {
	if p.kind == "column" {
		return p.kind + " " + p.table + "." + p.name
	}
	return p.kind + " " + p.name
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
	dialect, query := "sqlite", `SELECT m.type || ' ' || m.name FROM sqlite_master m
			UNION ALL SELECT 'column ' || m.name || '.' || c.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table'`
	if s.Shared() {
		// Where the table of migrations is, the others were made too.
		dialect, query = "postgres", `WITH made AS (SELECT c.oid, c.relname, c.relkind FROM pg_class c
				WHERE c.relnamespace = (SELECT g.relnamespace FROM pg_class g WHERE g.oid = to_regclass('goose_db_version')))
			SELECT 'table ' || m.relname FROM made m WHERE m.relkind IN ('r', 'p')
			UNION ALL SELECT 'column ' || m.relname || '.' || a.attname FROM made m JOIN pg_attribute a ON a.attrelid = m.oid
				WHERE m.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
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
	findings, err := s.checkIndexes(ctx, read, parts)
	if err != nil {
		return findings, err
	}
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
		case "column":
			subject = fmt.Sprintf("column %s of table %s is missing", p.name, p.table)
		case "trigger":
			subject = fmt.Sprintf("trigger %s of table %s is missing", p.name, p.table)
		}
		findings = append(findings, Finding{ruleSchema, subject, mend})
	}
	return findings, nil
}
