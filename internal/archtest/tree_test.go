package archtest

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"testing/fstest"
)

const module = "github.com/octavo-docs/octavo"

// outside lists the folders that are not part of the repository's sources.
var outside = map[string]bool{
	".cache": true, ".git": true, "bin": true, "node_modules": true, "octavo-data": true, "octavoapi": true,
}

// A file is one text file of the tree.
type file struct {
	path string // slashes, relative to the root
	text []byte

	// For Go files only.
	syntax    *ast.File
	positions *token.FileSet
}

func (f file) isGo() bool     { return f.syntax != nil }
func (f file) isTest() bool   { return strings.HasSuffix(f.path, "_test.go") }
func (f file) folder() string { return path.Dir(f.path) }

func (f file) isGenerated() bool { return f.isGo() && ast.IsGenerated(f.syntax) }

// at returns the position of a node as path:line.
func (f file) at(n ast.Node) string {
	p := f.positions.Position(n.Pos())
	p.Column = 0
	return p.String()
}

// imports returns the import paths of a Go file with their positions.
func (f file) imports() map[string]string {
	places := make(map[string]string)
	for _, spec := range f.syntax.Imports {
		places[strings.Trim(spec.Path.Value, `"`)] = f.at(spec)
	}
	return places
}

// load reads every text file below the root. Go files in testdata are taken as
// text, since the go command does not build them either.
func load(t *testing.T, root fs.FS) []file {
	t.Helper()
	var files []file
	err := fs.WalkDir(root, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if outside[entry.Name()] {
				return fs.SkipDir
			}
			return nil
		}
		if !entry.Type().IsRegular() || outside[entry.Name()] { // .git is a file in a worktree
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err != nil || bytes.IndexByte(text, 0) >= 0 {
			return err
		}
		f := file{path: name, text: text}
		if path.Ext(name) == ".go" && !strings.Contains("/"+name, "/testdata/") {
			f.positions = token.NewFileSet()
			f.syntax, err = parser.ParseFile(f.positions, name, text, parser.ParseComments|parser.SkipObjectResolution)
		}
		files = append(files, f)
		return err
	})
	if err != nil {
		t.Fatalf("reading the tree: %v", err)
	}
	return files
}

func TestRepositoryKeepsTheRules(t *testing.T) {
	t.Parallel()
	files := load(t, os.DirFS("../.."))
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for _, violation := range rule(files) {
				t.Error(violation)
			}
		})
	}
}

// rules has every rule by name. A rule returns one line for each violation, which begins
// with the position.
var rules = map[string]func([]file) []string{
	"a package imports only what lies below it":        importLevels,
	"helpers of tests stay in tests":                   testHelpers,
	"a name says which package it is of":               dotImports,
	"a file is one subject":                            fileLength,
	"a package says what it owns":                      packageComments,
	"nothing runs before main":                         initFunctions,
	"clock and chance are passed in":                   clockAndChance,
	"statements of SQL stand with the rows":            statementsInStore,
	"tests are not skipped":                            skippedTests,
	"Studio is a client of the API":                    studioIsAClient,
	"the repository knows nothing of its surroundings": surroundings,
}

// bites runs a rule on one invented file and compares the violations with the wanted ones,
// each of which may be a part of the line.
func bites(t *testing.T, rule func([]file) []string, name, text string, want ...string) {
	t.Helper()
	have := rule(load(t, fstest.MapFS{path.Clean(name): {Data: []byte(text)}}))
	ok := len(have) == len(want)
	for i := 0; ok && i < len(want); i++ {
		ok = strings.Contains(have[i], want[i])
	}
	if !ok {
		t.Errorf("%s:\n%s\nhave %q\nwant %q", name, text, have, want)
	}
}
