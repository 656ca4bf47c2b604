package archtest

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"
	"testing"
)

// realWorld lists the folders and files that may ask the machine for the time and for
// random numbers, each with the reason. Everywhere else both are parameters,
// so that a test can choose them.
var realWorld = map[string]string{
	"cmd":                 "builds the program: the clock enters here",
	"bench":               "measures real time",
	"client":              "a library for other programs, whose options default to the real clock",
	"internal/octavotest": "stands in for cmd in tests",

	"internal/httpapi/rest/deadline.go": "package net compares deadlines of connections with the clock of the machine",
}

// forbidden lists what only the folders of realWorld may use. An empty list of names means
// the whole package. Only packages that only tests import may draw secrets.
var forbidden = map[string][]string{
	"time":         {"Now", "Since", "Until"},
	"crypto/rand":  nil,
	"math/rand":    nil,
	"math/rand/v2": nil,
}

func clockAndChance(files []file) []string {
	var found []string
	for _, f := range files {
		if !f.isGo() || f.isTest() || isRealWorld(f.folder()) || isRealWorld(f.path) {
			continue
		}
		from, _, _ := areaOf(f.folder())
		names := make(map[string][]string) // by the name of the import in this file
		for _, spec := range f.syntax.Imports {
			target := strings.Trim(spec.Path.Value, `"`)
			members, listed := forbidden[target]
			switch {
			case from.tests && target == "crypto/rand":
			case listed && members == nil:
				found = append(found, fmt.Sprintf("%s: imports %s; take the source of chance as a parameter", f.at(spec), target))
			case listed && spec.Name != nil:
				names[spec.Name.Name] = members
			case listed:
				names[target] = members
			}
		}
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if selector, ok := n.(*ast.SelectorExpr); ok {
				pkg, ok := selector.X.(*ast.Ident)
				if ok && slices.Contains(names[pkg.Name], selector.Sel.Name) {
					found = append(found, fmt.Sprintf("%s: uses %s.%s; take the clock as a parameter", f.at(n), pkg.Name, selector.Sel.Name))
				}
			}
			return true
		})
	}
	return found
}

func isRealWorld(folder string) bool {
	for allowed := range realWorld {
		if folder == allowed || strings.HasPrefix(folder, allowed+"/") {
			return true
		}
	}
	return false
}

func initFunctions(files []file) []string {
	var found []string
	for _, f := range files {
		if !f.isGo() || f.isGenerated() {
			continue
		}
		for _, declaration := range f.syntax.Decls {
			if function, ok := declaration.(*ast.FuncDecl); ok && function.Recv == nil && function.Name.Name == "init" {
				found = append(found, f.at(function)+": has an init function; build it in cmd and pass it down")
			}
		}
	}
	return found
}

func TestClockAndChanceBite(t *testing.T) {
	t.Parallel()
	now := "package x\n\nimport \"time\"\n\nvar start = time.Now()\n"
	bites(t, clockAndChance, "internal/store/x.go", now, "internal/store/x.go:5: uses time.Now")
	bites(t, clockAndChance, "internal/store/x_test.go", now)
	bites(t, clockAndChance, "cmd/octavo/x.go", now)
	bites(t, clockAndChance, "clients/x.go", now, "uses time.Now")
	bites(t, clockAndChance, "x.go", "package x\n\nimport clock \"time\"\n\nvar now = clock.Now\n", "uses clock.Now")
	bites(t, clockAndChance, "x.go", "package x\n\nimport \"time\"\n\nfunc f(t time.Time) { t.Sub(t); time.NewTimer(1) }\n")
	bites(t, clockAndChance, "x.go", "package x\n\nimport \"math/rand/v2\"\n\nvar n = rand.Int()\n", "imports math/rand/v2")
	secret := "package x\n\nimport \"crypto/rand\"\n\nvar text = rand.Text()\n"
	bites(t, clockAndChance, "internal/auth/x.go", secret, "internal/auth/x.go:3: imports crypto/rand; take the source of chance as a parameter")
	bites(t, clockAndChance, "cmd/octavo/x.go", secret)
	bites(t, clockAndChance, "internal/store/storetest/x.go", secret)
}

func TestInitFunctionsBite(t *testing.T) {
	t.Parallel()
	bites(t, initFunctions, "x.go", "package x\n\nfunc init() {}\n", "x.go:3: has an init function")
	bites(t, initFunctions, "x.go", "package x\n\ntype t int\n\nfunc (t) init() {}\n")
}
