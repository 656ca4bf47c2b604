package archtest

import (
	"fmt"
	"go/ast"
	"go/token"
	"regexp"
	"strings"
	"testing"
)

// statement is how a statement of SQL begins in the source.
var statement = regexp.MustCompile("^[`\"](SELECT|INSERT INTO|UPDATE|DELETE FROM|WITH RECURSIVE) ")

// changeLog is the table of changes being written to.
var changeLog = regexp.MustCompile(`(INSERT INTO|UPDATE|DELETE FROM) changes\b`)

// statementsInStore keeps SQL with those who keep the rows, and the change log from
// accounts.
func statementsInStore(files []file) []string {
	var found []string
	for _, f := range files {
		folder := f.folder()
		below := func(room string) bool { return folder == room || strings.HasPrefix(folder, room+"/") }
		if !f.isGo() || f.isTest() || below("bench") || below("tools") || below("internal/archtest") {
			continue
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			text, ok := n.(*ast.BasicLit)
			if !ok || text.Kind != token.STRING || !statement.MatchString(text.Value) {
				return true
			}
			switch {
			case !below("internal/store") && !below("internal/accounts"):
				found = append(found, fmt.Sprintf("%s: a statement of SQL; it belongs below internal/store, or in internal/accounts", f.at(n)))
			case below("internal/accounts") && changeLog.MatchString(text.Value):
				found = append(found, fmt.Sprintf("%s: accounts write no change; record it in the audit log", f.at(n)))
			}
			return true
		})
	}
	return found
}

func TestStatementsInStoreBite(t *testing.T) {
	t.Parallel()
	source := func(text string) string { return "package x\n\nconst query = `" + text + "`\n" }
	bites(t, statementsInStore, "internal/pages/x.go", source("SELECT id FROM pages"), "internal/pages/x.go:3: a statement of SQL")
	bites(t, statementsInStore, "internal/pages/x_test.go", source("SELECT id FROM pages"))
	bites(t, statementsInStore, "internal/store/pagestore/x.go", source("INSERT INTO changes (id) VALUES ($1)"))
	bites(t, statementsInStore, "internal/accounts/x.go", source("UPDATE users SET name = $1"))
	bites(t, statementsInStore, "internal/accounts/x.go", source("INSERT INTO changes (id) VALUES ($1)"), "accounts write no change")
}
