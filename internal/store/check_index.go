package store

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

const ruleIndex = "an index is of the columns that the schema says, and whole"

// What makes an index in the migrations, of columns alone.
var (
	sqlIndex      = regexp.MustCompile(`^CREATE( UNIQUE)? INDEX \w+ ON (\w+) \(([^()]*)\)( WHERE .*)?$`)
	sqlConstraint = regexp.MustCompile(`^ALTER TABLE (\w+) ADD CONSTRAINT \w+ (?:PRIMARY KEY|UNIQUE) \(([^)]*)\)$`)
)

// indexShape says of what an index is that a statement of the migrations makes.
func indexShape(statement string) string {
	statement = strings.Join(strings.Fields(statement), " ")
	if m := sqlConstraint.FindStringSubmatch(statement); m != nil {
		return shapeText(m[1], m[2], true, false, true)
	}
	m := sqlIndex.FindStringSubmatch(statement)
	if m == nil {
		return "of expressions"
	}
	return shapeText(m[2], m[3], m[1] != "", m[4] != "", true)
}

// shapeText says in words of what an index is: columns of a table, of all of its
// rows or not, once each or not, and whether it was made to its end.
func shapeText(table, columns string, unique, partial, valid bool) string {
	text := fmt.Sprintf("on %s (%s)", table, columns)
	if unique {
		text = "unique " + text
	}
	if partial {
		text += " of some rows"
	}
	if !valid {
		text += ", and is not valid"
	}
	return text
}

// indexShapes returns of what the indexes of the database are, by their names.
func (s *Store) indexShapes(ctx context.Context, read conn) (map[string]string, error) {
	// What is in an index beside its key, as by INCLUDE, does not change what it is.
	query := `SELECT m.name, m.tbl_name, (SELECT group_concat(x.text, ', ') FROM (
				SELECT COALESCE(k.name, 'an expression') || CASE WHEN k.coll <> 'BINARY' THEN ' COLLATE ' || k.coll ELSE '' END || CASE WHEN k."desc" THEN ' DESC' ELSE '' END AS text
				FROM pragma_index_xinfo(m.name) k WHERE k.key ORDER BY k.seqno) x), l."unique", l.partial, TRUE
			FROM sqlite_master m JOIN pragma_index_list(m.tbl_name) l ON l.name = m.name
			WHERE m.type = 'index' AND m.sql IS NOT NULL`
	if s.Shared() {
		query = `SELECT c.relname, t.relname, (
				SELECT string_agg(COALESCE(a.attname, 'an expression') || CASE WHEN k.coll <> a.attcollation THEN ' COLLATE ' || (SELECT l.collname FROM pg_collation l WHERE l.oid = k.coll) ELSE '' END ||
					CASE WHEN k.opt & 1 = 1 THEN ' DESC' ELSE '' END, ', ' ORDER BY k.n)
				FROM unnest(i.indkey::int2[], i.indcollation::oid[], i.indoption::int2[]) WITH ORDINALITY k (num, coll, opt, n)
					LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.num WHERE k.n <= i.indnkeyatts),
				i.indisunique, i.indpred IS NOT NULL, i.indisvalid
			FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
			WHERE c.relnamespace = (SELECT g.relnamespace FROM pg_class g WHERE g.oid = to_regclass('goose_db_version'))`
	}
	shapes := map[string]string{}
	err := read.query(ctx, func(row scanner) error {
		var name, table, columns string
		var unique, partial, valid bool
		err := row.Scan(&name, &table, &columns, &unique, &partial, &valid)
		shapes[name] = shapeText(table, columns, unique, partial, valid)
		return err
	}, query)
	return shapes, err
}

// dropping says how an index is removed: one of a key goes with it, and only so.
func dropping(p part) string {
	drop := "DROP INDEX " + p.name
	if sqlConstraint.MatchString(p.statement) {
		drop = fmt.Sprintf("ALTER TABLE %s DROP CONSTRAINT IF EXISTS %s, and then: DROP INDEX IF EXISTS %s", p.table, p.name, p.name)
	}
	return drop
}

// checkIndexes looks for indexes that have the name of one that the migrations
// make and are another one. Conditions are not compared.
func (s *Store) checkIndexes(ctx context.Context, read conn, parts map[string]part) (findings []Finding, err error) {
	have, err := s.indexShapes(ctx, read)
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(parts)) {
		p := parts[key]
		shape, there := have[p.name]
		if p.kind != "index" || !there {
			continue
		}
		if want := indexShape(p.statement); shape != want {
			findings = append(findings, Finding{
				ruleIndex, fmt.Sprintf("index %s is %s; it should be %s", p.name, shape, want),
				fmt.Sprintf("run on the database: %s, and then: %s; where that is refused since rows are twice, bring back the newest backup with which doctor finds nothing", dropping(p), p.statement),
			})
		}
	}
	return findings, nil
}
