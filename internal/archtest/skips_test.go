package archtest

import (
	"go/ast"
	"slices"
	"testing"
)

// maySkip lists the folders that may skip a test, each with the reason.
var maySkip = map[string]string{
	"internal/testenv": "decides whether a missing server or browser fails a test or skips it",
}

// skippedTests finds calls of Skip, Skipf and SkipNow, but for those under an
// if whose condition is testing.Short(), and those of rapid, where Skip drops
// one generated case and not the test.
func skippedTests(files []file) []string {
	var found []string
	for _, f := range files {
		if !f.isGo() || maySkip[f.folder()] != "" {
			continue
		}
		var open []ast.Node // from the file down to the node at hand
		ast.Inspect(f.syntax, func(n ast.Node) bool {
			if n == nil {
				open = open[:len(open)-1]
				return true
			}
			if name, ok := skipCall(n); ok && !isShortOnly(open) && !isRapid(open, name) {
				found = append(found, f.at(n)+": skips a test; make what it needs a part of scripts/test-deps")
			}
			open = append(open, n)
			return true
		})
	}
	return found
}

// skipCall returns the name of the receiver if n is a call of a skip method.
func skipCall(n ast.Node) (receiver string, ok bool) {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return "", false
	}
	selector, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || !slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, selector.Sel.Name) {
		return "", false
	}
	if x, ok := selector.X.(*ast.Ident); ok {
		return x.Name, true
	}
	return "", true
}

// isShortOnly reports whether the innermost if around a node is taken in short
// mode only.
func isShortOnly(open []ast.Node) bool {
	for i, n := range slices.Backward(open) {
		branch, ok := n.(*ast.IfStmt)
		if !ok {
			continue
		}
		call, ok := branch.Cond.(*ast.CallExpr)
		inBody := i+1 < len(open) && open[i+1] == ast.Node(branch.Body)
		return ok && inBody && isSelector(call.Fun, "testing", "Short")
	}
	return false
}

// isRapid reports whether the nearest parameter of that name is a *rapid.T.
func isRapid(open []ast.Node, name string) bool {
	for _, n := range slices.Backward(open) {
		var signature *ast.FuncType
		switch n := n.(type) {
		case *ast.FuncLit:
			signature = n.Type
		case *ast.FuncDecl:
			signature = n.Type
		default:
			continue
		}
		for _, field := range signature.Params.List {
			named := slices.ContainsFunc(field.Names, func(id *ast.Ident) bool { return id.Name == name })
			if named {
				pointer, ok := field.Type.(*ast.StarExpr)
				return ok && isSelector(pointer.X, "rapid", "T")
			}
		}
	}
	return false
}

func isSelector(e ast.Expr, pkg, name string) bool {
	selector, ok := e.(*ast.SelectorExpr)
	if !ok || selector.Sel.Name != name {
		return false
	}
	x, ok := selector.X.(*ast.Ident)
	return ok && x.Name == pkg
}

func TestSkippedTestsBite(t *testing.T) {
	t.Parallel()
	const x = "internal/store/x_test.go"
	in := func(body string) string { return "package x\n\nfunc TestX(t *testing.T) {\n" + body + "\n}\n" }
	bites(t, skippedTests, x, in("t.Skip()"), x+":4: skips a test")
	bites(t, skippedTests, x, in(`c.tb.Skipf("no %s", "server")`), "skips a test")
	bites(t, skippedTests, x, in("if testing.Short() { t.SkipNow() }"))
	bites(t, skippedTests, x, in("if testing.Short() { } else { t.SkipNow() }"), "skips a test")
	bites(t, skippedTests, x, in("if testing.Short() || ci { t.SkipNow() }"), "skips a test")
	bites(t, skippedTests, x, in("if testing.Short() { if ci { t.SkipNow() } }"), "skips a test")
	bites(t, skippedTests, x, in("rapid.Check(t, func(t *rapid.T) { t.Skip() })"))
	bites(t, skippedTests, x, in("rapid.Check(t, func(r *rapid.T) { t.Skip() })"), "skips a test")
	bites(t, skippedTests, "internal/testenv/x.go", in("t.Skip()"))
}
