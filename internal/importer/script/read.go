package script

import (
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits.
const (
	maxFile  = 2 << 20 // bytes per file
	maxFiles = 50      // files that import each other
	maxDepth = 100     // nesting of values
	maxNodes = 100_000
)

// Read returns the content of a JSON file, or the export of a program.
func Read(fsys fs.FS, name string) (Node, error) {
	r := &reader{fsys: fsys, files: map[string]*file{}, nodes: maxNodes}
	f, err := r.open(name)
	if err != nil {
		return Node{}, err
	}
	return f.export("default", 0).Inner(), nil
}

type reader struct {
	fsys  fs.FS
	files map[string]*file
	nodes int // nodes that may still be created
}

type file struct {
	*reader
	path    string
	tokens  []token
	values  map[string]int      // token at which the value of a name begins
	kept    map[string]*Node    // values already read; nil while reading
	imports map[string]imported // names imported from other files
}

type imported struct{ from, name string }

func (r *reader) open(name string) (*file, error) {
	if f := r.files[name]; f != nil {
		return f, nil
	}
	if len(r.files) == maxFiles {
		return nil, fmt.Errorf("read %s: there are too many files that import each other", name)
	}
	source, err := r.fsys.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	defer source.Close()
	text, err := io.ReadAll(io.LimitReader(source, maxFile+1))
	if err == nil && (len(text) > maxFile || !utf8.Valid(text)) {
		err = fmt.Errorf("it is larger than %d bytes, or not UTF-8", maxFile)
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	f := &file{reader: r, path: name, tokens: divide(string(text)), values: map[string]int{}, kept: map[string]*Node{}, imports: map[string]imported{}}
	r.files[name] = f
	if path.Ext(name) == ".json" {
		f.values["default"] = 0
	} else {
		f.declare()
	}
	return f, nil
}

// declare collects the constants, functions, imports and exports of the program.
func (f *file) declare() {
	for i := 0; i < len(f.tokens); i++ {
		t := f.tokens[i]
		switch {
		case t.match > i:
			i = t.match
		case t.kind != name:
		case t.text == "const" || t.text == "let" || t.text == "var":
			i = f.constant(i + 1)
		case t.text == "function" && f.at(i+1).kind == name:
			f.values[f.at(i+1).text] = i
		case t.text == "import":
			i = f.imported(i + 1)
		case t.text == "export" && f.is(i+1, "default"):
			f.values["default"] = i + 2
		case t.text == "module" && f.is(i+1, ".") && f.is(i+2, "exports") && f.is(i+3, "="):
			f.values["default"] = i + 4
		}
	}
}

func (f *file) at(i int) token { return f.tokens[min(i, len(f.tokens)-1)] }

func (f *file) is(i int, text string) bool {
	t := f.at(i)
	return t.text == text && (t.kind == punct || t.kind == name)
}

// begins reports whether a statement begins at a token, or the program ends.
func (f *file) begins(i int) bool {
	t := f.at(i)
	return t.kind == lastWord || t.kind == name && slices.Contains([]string{"import", "export", "const", "let", "var", "function"}, t.text)
}

// constant declares the constants of a statement and returns the next token.
func (f *file) constant(i int) int {
	if f.is(i, "{") { // const { a, b } = require("…")
		end := f.at(i).match
		if from, ok := f.required(end + 2); ok && f.is(end+1, "=") {
			for ; i < end; i++ {
				if f.at(i).kind == name {
					f.imports[f.at(i).text] = imported{from, f.at(i).text}
				}
			}
		}
		return end
	}
	declared := f.at(i)
	if declared.kind != name {
		return i - 1
	}
	for i++; i < len(f.tokens) && !f.is(i, "=") && !f.is(i, ";") && !f.begins(i); i++ {
		if m := f.at(i).match; m > i {
			i = m
		}
	}
	if f.is(i, "=") {
		f.values[declared.text] = i + 1
		return i
	}
	return i - 1
}

// required parses require("…").
func (f *file) required(i int) (from string, ok bool) {
	ok = f.is(i, "require") && f.is(i+1, "(") && f.at(i+2).kind == text && f.is(i+3, ")")
	return f.at(i + 2).text, ok
}

// imported declares the names of an import.
func (f *file) imported(i int) int {
	start := i
	for i < len(f.tokens)-1 && f.at(i).kind != text && !f.is(i, ";") && !f.is(i, "=") && !f.begins(i) {
		i++
	}
	if f.at(i).kind != text {
		return start - 1
	}
	from := f.at(i).text
	for j := start; j < i; j++ {
		t := f.at(j)
		switch {
		case t.kind != name || t.text == "from" || t.text == "type":
		case f.is(j+1, "as") && f.at(j+2).kind == name:
			f.imports[f.at(j+2).text] = imported{from, t.text}
			j += 2
		case j == start || j == start+1 && f.is(start, "type"):
			f.imports[t.text] = imported{from, "default"}
		default:
			f.imports[t.text] = imported{from, t.text}
		}
	}
	return i
}

// export returns the value of a top-level name.
func (f *file) export(name string, depth int) Node {
	if n, seen := f.kept[name]; seen {
		if n == nil || f.nodes < 0 { // a cycle
			return Node{}
		}
		if f.nodes -= n.size(maxNodes); f.nodes < 0 {
			return Node{Line: n.Line}
		}
		return *n
	}
	f.kept[name] = nil
	n := Node{}
	if at, ok := f.values[name]; ok {
		n, _ = f.value(at, depth+1)
	} else if from, ok := f.imports[name]; ok {
		n = f.foreign(from, depth+1)
	}
	f.kept[name] = &n
	return n
}

// size counts nodes up to most+1.
func (n Node) size(most int) int {
	count := 1
	for _, item := range n.Items {
		if count > most {
			return count
		}
		count += item.size(most - count)
	}
	for _, m := range n.Members {
		if count > most {
			return count
		}
		count += m.Value.size(most - count)
	}
	return count
}

// endings are the suffixes that an import may omit.
var endings = []string{"", ".ts", ".js", ".mts", ".mjs", ".cjs", ".cts", ".json", ".tsx", ".jsx", "/index.ts", "/index.js"}

// foreign returns a value from another file of the tree.
func (f *file) foreign(what imported, depth int) Node {
	if !strings.HasPrefix(what.from, ".") || depth > maxDepth {
		return Node{}
	}
	for _, ending := range endings {
		other := path.Join(path.Dir(f.path), what.from) + ending
		if info, err := fs.Stat(f.fsys, other); err != nil || info.IsDir() {
			continue
		}
		if opened, err := f.open(other); err == nil {
			return opened.export(what.name, depth)
		}
	}
	return Node{}
}
