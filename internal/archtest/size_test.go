package archtest

import (
	"fmt"
	"go/ast"
	"go/scanner"
	"go/token"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// sizeLimits are the limits of TestSizes.
type sizeLimits struct {
	productLines   int
	packageLines   limit
	typeMethods    limit
	packageImports limit
	dependencies   int
}

// A limit is a ceiling for many, with a higher one for those named.
type limit struct {
	common int
	except map[string]int
}

// sizes are the measured values, by package or by package and type.
type sizes struct {
	productLines, codeLines int
	packageLines            map[string]int
	typeMethods             map[string]int
	packageImports          map[string]int
	dependencies            int
}

func measure(files []file) sizes {
	s := sizes{packageLines: map[string]int{}, typeMethods: map[string]int{}, packageImports: map[string]int{}}
	imports := map[string]map[string]bool{}
	for _, f := range product(files) {
		if from, _, _ := areaOf(f.folder()); from.tests {
			continue
		}
		lines := strings.Count(string(f.text), "\n")
		s.productLines += lines
		s.codeLines += codeLines(f.text)
		s.packageLines[f.folder()] += lines
		if imports[f.folder()] == nil {
			imports[f.folder()] = map[string]bool{}
		}
		for target := range f.imports() {
			if folder, ours := own(target); ours {
				imports[f.folder()][folder] = true
			}
		}
		for _, d := range f.syntax.Decls {
			if method, ok := d.(*ast.FuncDecl); ok && method.Recv != nil && method.Name.IsExported() {
				s.typeMethods[f.folder()+"."+receiver(method)]++
			}
		}
	}
	for folder, targets := range imports {
		s.packageImports[folder] = len(targets)
	}
	if i := slices.IndexFunc(files, func(f file) bool { return f.path == "go.mod" }); i >= 0 {
		s.dependencies = directDependencies(string(files[i].text))
	}
	return s
}

// codeLines counts the lines that have more than blanks and comments.
func codeLines(text []byte) int {
	var s scanner.Scanner
	positions := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(positions, text, nil, 0)
	count, last := 0, 0
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return count
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue // added by the scanner, where a comment may precede it
		}
		first := positions.Line(pos)
		end := first + strings.Count(literal, "\n") // a raw string has several lines
		count += end - max(first-1, last)
		last = end
	}
}

// receiver returns the name of a method's receiver type.
func receiver(method *ast.FuncDecl) string {
	e := method.Recv.List[0].Type
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return fmt.Sprintf("%T", x)
		}
	}
}

// directDependencies counts the modules that a go.mod requires for this module
// itself.
func directDependencies(text string) int {
	count, inside := 0, false
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		single := strings.HasPrefix(line, "require ") && !strings.HasSuffix(line, "(")
		switch {
		case line == "require (":
			inside = true
		case line == ")":
			inside = false
		case (inside || single) && line != "" && !strings.HasPrefix(line, "//") && !strings.HasSuffix(line, "// indirect"):
			count++
		}
	}
	return count
}

// over returns values above their limit, and exceptions that are no longer needed.
func (l sizeLimits) over(files []file) []string {
	have := measure(files)
	const argue = "; a higher value in ceilings_test.go needs a record in docs/adr (0029 says why)"
	var found []string
	if have.productLines > l.productLines {
		found = append(found, fmt.Sprintf("the product: %d lines, %d is the most; delete what is no longer needed%s", have.productLines, l.productLines, argue))
	}
	if have.dependencies > l.dependencies {
		found = append(found, fmt.Sprintf("go.mod: %d direct dependencies, %d is the most; do without one%s", have.dependencies, l.dependencies, argue))
	}
	found = append(found, l.packageLines.over(have.packageLines, "lines", "make a package of one of its subjects"+argue)...)
	found = append(found, l.typeMethods.over(have.typeMethods, "exported methods", "make a type of those that belong together"+argue)...)
	found = append(found, l.packageImports.over(have.packageImports, "imports of this module", "move what needs the import to where it is used, or pass it in"+argue)...)
	return found
}

func (l limit) over(have map[string]int, what, advice string) []string {
	var found []string
	for _, name := range slices.Sorted(maps.Keys(have)) {
		most := max(l.common, l.except[name])
		if have[name] > most {
			found = append(found, fmt.Sprintf("%s: %d %s, %d is the most; %s", name, have[name], what, most, advice))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(l.except)) {
		if have[name] <= l.common {
			found = append(found, fmt.Sprintf("%s: %d %s need no exception; remove its row from ceilings_test.go", name, have[name], what))
		}
	}
	return found
}

// TestSizes checks the limits. With -v it prints the values, so that limits can be
// lowered.
func TestSizes(t *testing.T) {
	t.Parallel()
	files := load(t, os.DirFS("../.."))
	have := measure(files)
	t.Logf("product: %d lines of %d, %d of them code", have.productLines, ceilings.productLines, have.codeLines)
	t.Logf("direct dependencies: %d of %d", have.dependencies, ceilings.dependencies)
	ceilings.packageLines.log(t, have.packageLines, "lines")
	ceilings.typeMethods.log(t, have.typeMethods, "exported methods")
	ceilings.packageImports.log(t, have.packageImports, "imports of this module")
	for _, violation := range ceilings.over(files) {
		t.Error(violation)
	}
}

// log lists the five largest and all exceptions.
func (l limit) log(t *testing.T, have map[string]int, what string) {
	t.Helper()
	names := slices.SortedFunc(maps.Keys(have), func(a, b string) int { return have[b] - have[a] })
	for i, name := range names {
		if exception := l.except[name]; i < 5 || exception > 0 {
			t.Logf("%s: %d of %d %s", name, have[name], max(l.common, exception), what)
		}
	}
}

func TestSizesBite(t *testing.T) {
	t.Parallel()
	l := sizeLimits{
		productLines: 6, dependencies: 1,
		packageLines: limit{common: 5}, typeMethods: limit{common: 1}, packageImports: limit{common: 1},
	}
	const six = "package x\n\n\n\n\n\n"
	bites(t, l.over, "internal/x/x.go", six, "internal/x: 6 lines, 5 is the most; make a package")
	bites(t, l.over, "internal/x/x.go", six+"\n", "the product: 7 lines, 6 is the most; delete", "internal/x: 7 lines")
	bites(t, l.over, "internal/x/x_test.go", six+"\n")
	bites(t, l.over, "internal/octavotest/x.go", six+"\n")
	bites(t, l.over, "x/x.go", "package x\n\nfunc (T) A() {}\nfunc (*T) B() {}\nfunc (T) c() {}\n", "x.T: 2 exported methods, 1 is the most; make a type")
	bites(t, l.over, "x/x.go", "package x\n\nfunc (T[A]) A() {}\nfunc (*T[A, B]) B() {}\n", "x.T: 2 exported methods")
	bites(t, l.over, "x/x.go", "package x\n\nfunc (T) A() {}\nfunc (U) B() {}\nfunc C() {}\n")
	bites(t, l.over, "x/x.go", "package x\n\nimport _ \""+module+"\"\nimport _ \""+module+"/api\"\n", "x: 2 imports of this module, 1 is the most; move")
	bites(t, l.over, "x/x.go", "package x\n\nimport _ \""+module+"/api\"\nimport _ \"slices\"\n")
	bites(t, l.over, "go.mod", "require a v1\n\nrequire (\n\tb v1\n\tc v1 // indirect\n)\n", "go.mod: 2 direct dependencies, 1 is the most; do without")
	bites(t, l.over, "tools/go.mod", "require a v1\nrequire b v1\n")

	l.packageLines.except = map[string]int{"x": 6}
	bites(t, l.over, "x/x.go", six)
	bites(t, l.over, "x/x.go", "package x\n", "x: 1 lines need no exception; remove its row")
}

func TestCodeLines(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"// Package x.\npackage x\n\n/* a\nb */\n":                1,
		"package x\n\nvar a = `1\n\n3` // c\n\n// d\nvar b = 1\n": 5,
		"package x; var (\n\ta = 1 // b\n\n\t// c\n)\n":           3,
	} {
		if have := codeLines([]byte(text)); have != want {
			t.Errorf("%q: have %d, want %d", text, have, want)
		}
	}
}
