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

// What makes an index. Those of the schema are of columns alone.
var (
	sqlIndex      = regexp.MustCompile(`^(?i:CREATE( UNIQUE)? INDEX (?:IF NOT EXISTS )?\S+ ON) (\S+?) ?\(([^()]*)\)(?i:( WHERE) .*)?$`)
	sqlConstraint = regexp.MustCompile(`^ALTER TABLE (\w+) ADD CONSTRAINT \w+ (?:PRIMARY KEY|UNIQUE) \(([^)]*)\)$`)
)

// indexShape says of what an index is that a statement makes.
func indexShape(statement string) string {
	statement = strings.Join(strings.Fields(statement), " ")
	if m := sqlConstraint.FindStringSubmatch(statement); m != nil {
		return shapeText(m[1], m[2], true, false, true)
	}
	m := sqlIndex.FindStringSubmatch(statement)
	if m == nil {
		return "of expressions"
	}
	return shapeText(strings.Trim(m[2], `"`), m[3], m[1] != "", m[4] != "", true)
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
	shapes := map[string]string{}
	if !s.Shared() {
		err := read.query(ctx, func(row scanner) error {
			var name, statement string
			err := row.Scan(&name, &statement)
			shapes[name] = indexShape(statement)
			return err
		}, `SELECT m.name, m.sql FROM sqlite_master m WHERE m.type = 'index' AND m.sql IS NOT NULL`)
		return shapes, err
	}
	err := read.query(ctx, func(row scanner) error {
		var name, table, columns string
		var unique, partial, valid bool
		err := row.Scan(&name, &table, &columns, &unique, &partial, &valid)
		shapes[name] = shapeText(table, columns, unique, partial, valid)
		return err
	}, `SELECT c.relname, t.relname, COALESCE((SELECT string_agg(a.attname, ', ' ORDER BY k.n)
			FROM unnest(i.indkey::int2[]) WITH ORDINALITY k (num, n) JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.num), ''),
			i.indisunique, i.indpred IS NOT NULL, i.indisvalid
		FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
		WHERE c.relnamespace = (SELECT g.relnamespace FROM pg_class g WHERE g.oid = to_regclass('goose_db_version'))`)
	return shapes, err
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
				fmt.Sprintf("run on the database: DROP INDEX %s, and then: %s; where that is refused since rows are twice, bring back the newest backup with which doctor finds nothing", p.name, p.statement),
			})
		}
	}
	return findings, nil
}
