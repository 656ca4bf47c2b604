package storecheck

import (
	"context"
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const ruleSchema = "the schema of the database is as the migrations make it"

const (
	mendLost  = "restore the newest backup in which doctor finds nothing: what was in it cannot be made again"
	mendTwice = "; if that is refused because of duplicate rows, restore the newest backup in which doctor finds nothing"
)

// catalogs are the results of the queries below for a new database of each
// kind. `go test ./internal/store/storecheck -update` writes them.
//
//go:embed catalog
var catalogs embed.FS

// The queries that list a schema, a line for each part: its kind, its table
// and name with a dot, and its definition. Columns of an index beside its
// key, as by INCLUDE, are left out.
const (
	catalogSQLite = `WITH tables AS (SELECT m.name FROM sqlite_master m WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' AND m.name NOT LIKE 'goose_%'),
		keys AS (SELECT t.name AS "table", l.name, l.origin, l."unique", l.partial, m.sql,
				(SELECT group_concat(x.text, ', ') FROM (
					SELECT COALESCE(k.name, 'an expression') || CASE WHEN k.coll <> 'BINARY' THEN ' COLLATE ' || k.coll ELSE '' END || CASE WHEN k."desc" THEN ' DESC' ELSE '' END AS text
					FROM pragma_index_xinfo(l.name) k WHERE k.key ORDER BY k.seqno) x) AS columns
			FROM tables t JOIN pragma_index_list(t.name) l JOIN sqlite_master m ON m.name = l.name)
		SELECT 'table ' || t.name FROM tables t
		UNION ALL SELECT 'column ' || t.name || '.' || c.name || ' ' || c.type || CASE WHEN c."notnull" THEN ' NOT NULL' ELSE '' END || CASE WHEN c.pk > 0 THEN ' PRIMARY KEY ' || c.pk ELSE '' END
			FROM tables t JOIN pragma_table_xinfo(t.name) c
		UNION ALL SELECT 'constraint ' || t.name || '.' || t.name || '_' || f."from" || '_fkey FOREIGN KEY (' || f."from" || ') REFERENCES ' || f."table" || '(' || COALESCE(f."to", '') || ') ON DELETE ' || f.on_delete
			FROM tables t JOIN pragma_foreign_key_list(t.name) f
		UNION ALL SELECT 'constraint ' || k."table" || '.' || k."table" || '_' || replace(k.columns, ', ', '_') || '_key UNIQUE (' || k.columns || ')' FROM keys k WHERE k.origin = 'u'
		UNION ALL SELECT 'index ' || k."table" || '.' || k.name || ' CREATE' || CASE WHEN k."unique" THEN ' UNIQUE' ELSE '' END || ' INDEX ' || k.name || ' ON ' || k."table" || ' (' || k.columns || ')' ||
				CASE WHEN k.partial THEN substr(k.sql, instr(upper(k.sql), ' WHERE ')) ELSE '' END
			FROM keys k WHERE k.origin = 'c'
		UNION ALL SELECT 'trigger ' || m.tbl_name || '.' || m.name FROM sqlite_master m WHERE m.type = 'trigger'`

	// If the table of migrations exists, the others were created too.
	catalogPostgres = `WITH tables AS (SELECT c.oid, c.relname AS name FROM pg_class c WHERE c.relkind IN ('r', 'p') AND c.relname NOT LIKE 'goose_%'
				AND c.relnamespace = (SELECT g.relnamespace FROM pg_class g WHERE g.oid = to_regclass('goose_db_version')))
		SELECT 'table ' || t.name FROM tables t
		UNION ALL SELECT 'column ' || t.name || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END
			FROM tables t JOIN pg_attribute a ON a.attrelid = t.oid WHERE a.attnum > 0 AND NOT a.attisdropped
		UNION ALL SELECT 'constraint ' || t.name || '.' || c.conname || ' ' || pg_get_constraintdef(c.oid, TRUE)
			FROM tables t JOIN pg_constraint c ON c.conrelid = t.oid WHERE c.contype IN ('p', 'u', 'f')
		UNION ALL SELECT 'index ' || t.name || '.' || n.relname || ' CREATE' || CASE WHEN i.indisunique THEN ' UNIQUE' ELSE '' END || ' INDEX ' || n.relname || ' ON ' || t.name || ' (' || (
				SELECT string_agg(COALESCE(a.attname, 'an expression') || CASE WHEN k.coll <> a.attcollation THEN ' COLLATE ' || (SELECT l.collname FROM pg_collation l WHERE l.oid = k.coll) ELSE '' END ||
					CASE WHEN k.opt & 1 = 1 THEN ' DESC' ELSE '' END, ', ' ORDER BY k.n)
				FROM unnest(i.indkey::int2[], i.indcollation::oid[], i.indoption::int2[]) WITH ORDINALITY k (num, coll, opt, n)
					LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.num WHERE k.n <= i.indnkeyatts) || ')' ||
				COALESCE(' WHERE ' || pg_get_expr(i.indpred, i.indrelid, TRUE), '') || CASE WHEN i.indisvalid THEN '' ELSE ', which is not valid' END
			FROM tables t JOIN pg_index i ON i.indrelid = t.oid JOIN pg_class n ON n.oid = i.indexrelid
			WHERE NOT EXISTS (SELECT 1 FROM pg_constraint c WHERE c.conindid = i.indexrelid AND c.contype IN ('p', 'u'))
		UNION ALL SELECT 'trigger ' || t.name || '.' || g.tgname FROM tables t JOIN pg_trigger g ON g.tgrelid = t.oid WHERE NOT g.tgisinternal`
)

// Catalog lists the parts of a schema, sorted, one per line.
func Catalog(ctx context.Context, db *sqldb.DB) ([]string, error) {
	query := catalogSQLite
	if db.Shared() {
		query = catalogPostgres
	}
	lines, err := column[string](ctx, db, query)
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	slices.Sort(lines)
	return lines, err
}

// catalogFile names the snapshot of a kind of database.
func catalogFile(db *sqldb.DB) string {
	if db.Shared() {
		return "catalog/postgres.txt"
	}
	return "catalog/sqlite.txt"
}

// definitions returns the lines of a catalog by kind and name.
func definitions(lines []string) map[string]string {
	defs := map[string]string{}
	for _, line := range lines {
		kind, rest, _ := strings.Cut(line, " ")
		name, definition, _ := strings.Cut(rest, " ")
		defs[kind+" "+name] = definition
	}
	return defs
}

// checkSchema compares the schema with its snapshot. Additional parts belong
// to an administrator. A schema that is newer than this program may lack
// parts, and is skipped.
func checkSchema(ctx context.Context, db *sqldb.DB) (findings []Finding, err error) {
	version, known, err := db.SchemaVersion(ctx)
	if err != nil || version > known {
		return nil, err
	}
	text, err := catalogs.ReadFile(catalogFile(db))
	if err != nil {
		return nil, err
	}
	lines, err := Catalog(ctx, db)
	if err != nil {
		return nil, err
	}
	have, want := definitions(lines), definitions(strings.Split(strings.TrimSpace(string(text)), "\n"))
	for _, key := range slices.Sorted(maps.Keys(want)) {
		kind, path, _ := strings.Cut(key, " ")
		table, name, inTable := strings.Cut(path, ".")
		subject := kind + " " + path
		if inTable {
			if _, there := have["table "+table]; !there {
				continue // it went with its table
			}
			subject = fmt.Sprintf("%s %s of table %s", kind, name, table)
		}
		is, there := have[key]
		switch {
		case !there:
			findings = append(findings, Finding{ruleSchema, subject + " is missing", mendPart(kind, table, name, want[key], db.Shared())})
		case !strings.EqualFold(is, want[key]): // SQLite keeps conditions as they were written
			findings = append(findings, Finding{ruleSchema, fmt.Sprintf("%s is %s; it should be %s", subject, is, want[key]), mendPart(kind, table, name, want[key], db.Shared())})
		}
	}
	return findings, nil
}

// mendPart says how a part can be recreated, if that is possible.
func mendPart(kind, table, name, definition string, constraints bool) string {
	switch {
	case kind == "index":
		return fmt.Sprintf("run on the database: DROP INDEX IF EXISTS %s; %s", name, definition) + mendTwice
	case kind == "constraint" && constraints:
		return fmt.Sprintf("run on the database: ALTER TABLE %[1]s DROP CONSTRAINT IF EXISTS %[2]s; DROP INDEX IF EXISTS %[2]s; ALTER TABLE %[1]s ADD CONSTRAINT %[2]s %[3]s", table, name, definition) + mendTwice
	}
	return mendLost
}
