package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// statement matches the start of an SQL statement. In lower case it must also continue
// like SQL, since English has the same words.
var statement = regexp.MustCompile(`(?s)^\s*((SELECT|(INSERT|REPLACE)\s.*INTO|UPDATE|DELETE\s+FROM|WITH\s.*\sAS)(\s|$)` +
	`|(select\s.+\sfrom|(insert|replace)\s+(or\s+\w+\s+)?into\s+\w+\b.*\b(values|select)|update\s+\w+\s+set|delete\s+from\s+\w+(\s+where|\s*$)|with\s+(recursive\s+)?\w+\s+as\s*\())`)

// changeLog matches writes to the table of changes.
var changeLog = regexp.MustCompile(`(?i)(INTO|UPDATE|DELETE\s+FROM)\s+changes\b`)

// textOf returns the text of a string expression, also joined by +; unknown parts become a
// word.
func textOf(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return textOf(e.X)
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return textOf(e.X) + textOf(e.Y)
		}
	case *ast.BasicLit:
		if text, err := strconv.Unquote(e.Value); err == nil && e.Kind == token.STRING {
			return text
		}
	}
	return "unknown"
}

// statementsInStore allows SQL only in the packages that own the tables, and the change
// log not in accounts.
func statementsInStore(files []file) []string {
	var found []string
	for _, f := range files {
		folder := f.folder()
		below := func(area string) bool { return folder == area || strings.HasPrefix(folder, area+"/") }
		if !f.isGo() || f.isTest() || below("bench") || below("tools") || below("internal/archtest") {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			text := textOf(e)
			if !statement.MatchString(text) {
				return true
			}
			switch {
			case !below("internal/store") && !below("internal/accounts"):
				found = append(found, fmt.Sprintf("%s: a statement of SQL; it belongs below internal/store, or in internal/accounts", f.at(n)))
			case below("internal/accounts") && changeLog.MatchString(text):
				found = append(found, fmt.Sprintf("%s: accounts write no change; record it in the audit log", f.at(n)))
			}
			return false // its parts were read with it
		})
	}
	return found
}

func TestStatementsInStoreBite(t *testing.T) {
	t.Parallel()
	source := func(text string) string { return "package x\n\nconst query = `" + text + "`\n" }
	for _, text := range []string{
		"SELECT id FROM pages", "\n\t SELECT 1", "SELECT\n\tid\nFROM pages", "SELECT", "REPLACE INTO pages (id) VALUES (1)", "INSERT OR IGNORE INTO pages (id) VALUES (1)",
		"WITH x AS (SELECT 1) SELECT * FROM x", "WITH RECURSIVE x(n) AS (SELECT 1) SELECT * FROM x", "select id from pages", "insert into pages (id) values (1)",
		"update pages set id = 1", "delete from pages where id = 1", "delete from pages", "with x as (select 1) select * from x",
	} {
		bites(t, statementsInStore, "internal/pages/x.go", source(text), "internal/pages/x.go:3: a statement of SQL")
	}
	for _, text := range []string{"update a page", "select a format", "insert into the list", "delete from the list of pages", "with this as the name", "UPDATED", "WITH"} {
		bites(t, statementsInStore, "internal/pages/x.go", source(text))
	}
	for _, joined := range []string{`"SEL" + "ECT id"`, `"select " + columns + " from pages"`, `"\n" + ("UPDATE" + f("x"))`, `prefix + "SELECT id"`, `f("SELECT id" + x)`} {
		bites(t, statementsInStore, "internal/pages/x.go", "package x\n\nvar query = "+joined+"\n", "internal/pages/x.go:3: a statement of SQL")
	}
	bites(t, statementsInStore, "internal/pages/x_test.go", source("SELECT id FROM pages"))
	bites(t, statementsInStore, "internal/store/pagestore/x.go", source("INSERT INTO changes (id) VALUES ($1)"))
	bites(t, statementsInStore, "internal/accounts/x.go", source("UPDATE users SET name = $1"))
	bites(t, statementsInStore, "internal/accounts/x.go", source("INSERT INTO changes (id) VALUES ($1)"), "accounts write no change")
	bites(t, statementsInStore, "internal/accounts/x.go", source("\ninsert into\n\tchanges (id) values ($1)"), "accounts write no change")
}
