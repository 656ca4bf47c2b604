package archtest

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// areaOf returns the area of a folder and its layer. The root package is a separate area
// without its subfolders.
func areaOf(folder string) (area, int, bool) {
	var found area
	layer := -1
	for level, areas := range layers {
		for _, r := range areas {
			inside := folder == r.path || strings.HasPrefix(folder, r.path+"/")
			if inside && len(r.path) > len(found.path) {
				found, layer = r, level
			}
		}
	}
	return found, layer, layer >= 0
}

// own returns the folder of an import path of this module.
func own(importPath string) (string, bool) {
	if importPath == module {
		return ".", true
	}
	return strings.CutPrefix(importPath, module+"/")
}

// foreignModules lists the folders that are modules of their own. The rules on
// imports are for the product.
func foreignModules(files []file) []string {
	var folders []string
	for _, f := range files {
		if path.Base(f.path) == "go.mod" && f.path != "go.mod" {
			folders = append(folders, f.folder()+"/")
		}
	}
	return folders
}

// product returns the Go files of the program, sorted by path.
func product(files []file) []file {
	foreign := foreignModules(files)
	var found []file
	for _, f := range files {
		elsewhere := slices.ContainsFunc(foreign, func(folder string) bool { return strings.HasPrefix(f.path, folder) })
		if f.isGo() && !f.isTest() && !elsewhere {
			found = append(found, f)
		}
	}
	return found
}

func importLevels(files []file) []string {
	var found []string
	for _, f := range product(files) {
		from, layer, known := areaOf(f.folder())
		if !known {
			if problem := f.folder() + ": this package has no area; give it one in layers_test.go"; !slices.Contains(found, problem) {
				found = append(found, problem)
			}
			continue
		}
		places := f.imports()
		for _, target := range slices.Sorted(maps.Keys(places)) {
			folder, ours := own(target)
			if !ours {
				if f.folder() == "." && strings.Contains(strings.Split(target, "/")[0], ".") {
					found = append(found, places[target]+": the root package imports the standard library only, not "+target)
				}
				continue
			}
			to, toLayer, toKnown := areaOf(folder)
			switch {
			case from.tests || to.path == from.path || !toKnown:
			case from.only != nil && !slices.Contains(from.only, to.path):
				found = append(found, fmt.Sprintf("%s: %s may not import %s, only %v", places[target], from.path, to.path, from.only))
			case from.only == nil && toLayer >= layer:
				found = append(found, fmt.Sprintf("%s: %s may not import %s, which is not below it", places[target], from.path, to.path))
			}
		}
	}
	return found
}

// testHelpers also forbids product code in folders whose Go files load does not read,
// since no rule would apply there.
func testHelpers(files []file) []string {
	var found []string
	for _, f := range product(files) {
		if from, _, _ := areaOf(f.folder()); from.tests {
			continue
		}
		places := f.imports()
		for _, target := range slices.Sorted(maps.Keys(places)) {
			folder, ours := own(target)
			to, _, _ := areaOf(folder)
			unread := slices.ContainsFunc(strings.Split(folder, "/"), func(name string) bool { return name == "testdata" || outside[name] })
			if target == "testing" || strings.HasPrefix(target, "testing/") || ours && (to.tests || unread) {
				found = append(found, places[target]+": product code may not import "+target)
			}
		}
	}
	return found
}

// dotImports are forbidden: their names look like the file's own, and the rules on names
// do not see them.
func dotImports(files []file) []string {
	var found []string
	for _, f := range product(files) {
		for _, spec := range f.syntax.Imports {
			if spec.Name != nil && spec.Name.Name == "." {
				found = append(found, f.at(spec)+": imports "+spec.Path.Value+" by a dot; name it where it is used")
			}
		}
	}
	return found
}

func TestDotImportsBite(t *testing.T) {
	t.Parallel()
	const dotted = "package x\n\nimport . \"time\"\n\nvar start = Now()\n"
	bites(t, dotImports, "internal/store/x.go", dotted, "internal/store/x.go:3: imports \"time\" by a dot")
	bites(t, dotImports, "internal/store/x_test.go", dotted)
	bites(t, dotImports, "internal/store/x.go", "package x\n\nimport _ \"time\"\n")
}

func TestImportLevelsBite(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ folder, target, want string }{
		{".", "slices", ""},
		{".", "github.com/x/y", "standard library only"},
		{".", module + "/internal/config", "not below it"},
		{"internal/store", module, ""},
		{"internal/store", module + "/internal/accounts", ""},
		{"internal/store/pagestore", module + "/internal/store/sqldb", ""},
		{"internal/store", module + "/internal/pages", "may not import internal/pages, only"},
		{"internal/store", module + "/internal/pdf", "may not import internal/pdf, only"},
		{"internal/store/sqldb", module + "/internal/store/pagestore", "may not import internal/store, only"},
		{"internal/accounts", module + "/internal/store/changelog", "may not import internal/store, only"},
		{"internal/egress", module + "/internal/mail", "not below it"},
		{"internal/frontmatter", module + "/internal/yamlvalue", ""},
		{"internal/pdf", module + "/internal/markdown", ""},
		{"internal/pdf", module + "/internal/egress", "may not import internal/egress, only"},
		{"internal/pages", module + "/internal/store", ""},
		{"internal/pages", module + "/internal/search", "not below it"},
		{"internal/search/query", module + "/internal/pages", "not below it"},
		{"internal/authserver", module + "/internal/auth", ""},
		{"internal/auth", module + "/internal/authserver", "not below it"},
		{"internal/httpapi", module + "/internal/pages", ""},
		{"internal/httpapi", module + "/cmd/octavo", "not below it"},
		{"cmd/octavo", module + "/internal/httpapi", ""},
		{"client", module, ""},
		{"client", module + "/internal/egress", "may not import internal/egress, only"},
		{"internal/importer", module + "/client", ""},
		{"internal/importer", module + "/internal/store", "may not import internal/store, only"},
		{"internal/octavotest", module + "/cmd/octavo", ""},
		{"internal/attic", "slices", "has no area"},
	} {
		var want []string
		if c.want != "" {
			want = []string{c.want}
		}
		bites(t, importLevels, c.folder+"/x.go", "package x\n\nimport _ \""+c.target+"\"\n", want...)
	}
}

func TestTestHelpersBite(t *testing.T) {
	t.Parallel()
	helper := "package x\n\nimport _ \"" + module + "/internal/octavotest\"\n"
	bites(t, testHelpers, "internal/httpapi/x.go", helper, "may not import "+module+"/internal/octavotest")
	bites(t, testHelpers, "internal/httpapi/x_test.go", helper)
	bites(t, testHelpers, "internal/store/storetest/x.go", helper)
	bites(t, testHelpers, "cmd/octavo/x.go", "package main\n\nimport _ \"testing/fstest\"\n", "may not import testing/fstest")
	for _, folder := range []string{"internal/site/testdata/hidden", "internal/bin"} {
		bites(t, testHelpers, "internal/site/x.go", "package x\n\nimport _ \""+module+"/"+folder+"\"\n", "may not import "+module+"/"+folder)
	}
	bites(t, testHelpers, "internal/site/x.go", "package x\n\nimport _ \"example.com/testdata/x\"\n")
}
