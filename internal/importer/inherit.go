package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/frontmatter"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// rule holds files back by what stands elsewhere than in them.
type rule struct {
	where  string // the file that says it
	covers func(file string) bool
	front  octavo.Value // members of front matter, unless the file has its own
	why    string       // in place of front
}

// below covers the files in a folder and the folders in it.
func below(dir string) func(string) bool {
	return func(file string) bool { return dir == "." || strings.HasPrefix(file, dir+"/") }
}

// inherit holds back what the rules cover. They are taken to have been the same
// at the last import.
func (p *plan) inherit(rules []rule) {
	for _, f := range p.files {
		f.inherit(rules)
	}
}

func (f *file) inherit(rules []rule) {
	for _, r := range rules {
		now, before := r.covers(f.path), f.known != nil && r.covers(f.known.source)
		if !now && !before {
			continue
		}
		why, front := r.why, octavo.Value{Kind: octavo.KindObject}
		own, _ := octavo.ValueOf(f.front) // nothing where there is none
		for _, m := range r.front.Members {
			if !slices.ContainsFunc(own.Members, func(o octavo.Member) bool { return fold(o.Name) == fold(m.Name) }) {
				front.Members = append(front.Members, m)
			}
		}
		h := holdOf("", front, func(string) int { return 1 })
		if why == "" {
			why = h.why
		}
		if why == "" && (h.publish != nil || h.unpublish != nil) {
			why = h.dates[0].name + " is not carried over from there"
		}
		if why == "" {
			continue
		}
		if now {
			f.meta.hold.because(1, "%s (%s)", why, r.where)
		}
		if before {
			f.known.hold.because(1, "%s", why)
		}
	}
}

// rules reads what holds back files of the tree by configuration.
func (p *plan) rules(fsys fs.FS, found listing, nav *navigation) (rules []rule) {
	for _, f := range p.files {
		if p.speaks(f) && bytes.Contains(bytes.ToLower(f.front), []byte(`"cascade"`)) {
			front, _ := octavo.ValueOf(f.front) // it was read before
			rules = append(rules, cascades(front, f.path)...)
		}
	}
	if nav != nil {
		rules = append(rules, nav.rules...)
	}
	for _, name := range found.others {
		stem, _, _ := strings.Cut(path.Base(name), ".")
		dir := path.Dir(name)
		switch {
		case dir == "config/_default" && stem == "cascade":
			rules = append(rules, cascades(octavo.Value{Members: []octavo.Member{{Name: stem, Value: readData(fsys, name)}}}, name)...)
		case (dir == "." || dir == "config/_default") && (stem == "hugo" || stem == "config") && slices.Contains([]string{".toml", ".yaml", ".yml", ".json"}, path.Ext(name)):
			rules = append(rules, cascades(readData(fsys, name), name)...)
		case dir == "." && (name == "_config.yml" || name == "_config.yaml"):
			rules = append(rules, jekyllRules(readData(fsys, name), name)...)
		case dir == "." && (stem == "docusaurus" || stem == "astro") && strings.Contains(name, ".config."):
			rules = append(rules, rule{where: name, why: "the generator leaves out folders that begin with an underscore", covers: hasUnderscore})
		case name == "book.toml" || name == "book.json":
			rules = append(rules, p.summaryRules(fsys)...)
		case name == "docs.json" || name == "mint.json":
			rules = append(rules, p.mintlifyRules(readData(fsys, name), name)...)
		case stem == "_meta":
			rules = append(rules, nextraRules(fsys, name)...)
		case path.Ext(name) == ".json" && stem == path.Base(dir): // data of a folder of Eleventy
			rules = append(rules, rule{where: name, covers: below(dir), front: readData(fsys, name)})
		}
	}
	for _, name := range found.data {
		switch path.Base(name) {
		case ".mintignore", ".eleventyignore", ".bookignore":
			text, _ := readFile(fsys, name)
			rules = append(rules, rule{where: name, why: "it is left out", covers: ignored(string(text))})
		case ".gitbook.yaml":
			rules = append(rules, p.summaryRules(fsys)...)
		default:
			rules = append(rules, rule{where: name, covers: below(path.Dir(name)), front: readData(fsys, name)})
		}
	}
	return rules
}

// cascades reads what Hugo gives all pages below one.
func cascades(front octavo.Value, file string) (rules []rule) {
	v, _, _ := member(front, "cascade")
	if v.Kind != octavo.KindArray {
		v.Items = []octavo.Value{v}
	}
	for _, item := range v.Items {
		folder, all := below(path.Dir(file)), !reference.IsText(file) // a configuration is about the whole tree
		target, _, ok := member(item, "target")
		if !ok {
			target, _, _ = member(item, "_target")
		}
		at, _, _ := member(target, "path")
		aimed := func(string) bool { return true } // kinds and languages are not told apart, nor alternatives in a path
		if at.Str != "" && !strings.ContainsAny(at.Str, "{}[]\\!") {
			aimed = ignored("**/" + strings.TrimPrefix(at.Str, "/"))
		}
		rules = append(rules, rule{where: "cascade of " + file, front: item, covers: func(f string) bool {
			return f != file && (all || folder(f)) && (aimed(f) || aimed(reference.PathKey(f)))
		}})
	}
	return rules
}

// readData is readValue; nothing where that fails.
func readData(fsys fs.FS, name string) octavo.Value {
	v, _ := readValue(fsys, name)
	return v
}

// readValue reads a file of keys and values.
func readValue(fsys fs.FS, name string) (octavo.Value, error) {
	text, err := readFile(fsys, name)
	if err != nil {
		return octavo.Value{}, err
	}
	format := frontmatter.YAML
	switch path.Ext(name) {
	case ".toml":
		format = frontmatter.TOML
	case ".json":
		format = frontmatter.JSON
	}
	front, err := frontmatter.Parse(text, format)
	if err == nil && front == nil {
		return octavo.Value{}, errors.New("it holds no keys and values")
	}
	var v octavo.Value
	if err == nil {
		v, err = octavo.ValueOf(front)
	}
	if err != nil {
		return octavo.Value{}, fmt.Errorf("it cannot be read: %w", err)
	}
	return v, nil
}

// jekyllRules reads _config.yml: defaults of front matter, what is excluded, and
// collections that are written.
func jekyllRules(config octavo.Value, name string) (rules []rule) {
	defaults, _ := config.Get("defaults")
	for _, item := range defaults.Items {
		scope, _ := item.Get("scope")
		values, _ := item.Get("values")
		at, _ := scope.Get("path")
		kind, _ := scope.Get("type")
		folder := below(path.Clean(strings.Trim(strings.Split(at.Str, "*")[0], "/")))
		rules = append(rules, rule{where: "defaults of " + name, front: values, covers: func(file string) bool {
			return (folder(file) || file == at.Str) && (kind.Str == "" || kind.Str == "pages" || strings.Contains("/"+file, "/_"+kind.Str+"/"))
		}})
	}
	for _, key := range []string{"exclude", "exclude_patterns"} { // the second of Jupyter Book
		list, _ := config.Get(key)
		var patterns []string
		for _, item := range list.Items {
			pattern := item.Str
			if !strings.HasPrefix(pattern, "*") {
				pattern = "/" + strings.TrimPrefix(pattern, "/")
			}
			patterns = append(patterns, pattern)
		}
		if len(patterns) > 0 {
			rules = append(rules, rule{where: key + " of " + name, why: "it is left out", covers: ignored(strings.Join(patterns, "\n"))})
		}
	}
	collections, ok := config.Get("collections")
	for _, m := range collections.Members {
		output, _ := m.Value.Get("output")
		if truth, _ := truthOf(output); !truth && m.Name != "posts" {
			dir := "/_" + m.Name + "/"
			rules = append(rules, rule{where: name, why: fmt.Sprintf("the collection %s has no output", m.Name), covers: func(file string) bool { return strings.Contains("/"+file, dir) }})
		}
	}
	if ok && collections.Kind == octavo.KindObject {
		rules = append(rules, rule{where: name, why: "its folder is no collection", covers: func(file string) bool {
			return slices.ContainsFunc(strings.Split(path.Dir(file), "/"), func(dir string) bool {
				_, known := collections.Get(strings.TrimPrefix(dir, "_"))
				return strings.HasPrefix(dir, "_") && dir != "_posts" && !known
			})
		}})
	}
	return rules
}

func hasUnderscore(file string) bool { return strings.Contains("/"+path.Dir(file), "/_") }

// summaryRules holds back what SUMMARY.md does not list, and mdBook and GitBook
// do not show.
func (p *plan) summaryRules(fsys fs.FS) []rule {
	for _, dir := range []string{".", "src", "docs"} {
		name := path.Join(dir, "SUMMARY.md")
		text, err := readFile(fsys, name)
		if err != nil {
			continue
		}
		listed := map[string]bool{name: true}
		for _, l := range markdown.Links(string(text), markdown.Markdown) {
			for _, t := range reference.Targets(l.Href, name, "") {
				listed[t.Path] = true
			}
		}
		return []rule{{where: name, why: "it is not listed", covers: func(file string) bool {
			home := path.Dir(file) == dir && isFolderPage(file)
			return below(dir)(file) && !home && !listed[file] && !listed[reference.PathKey(file)]
		}}}
	}
	return nil
}

// mintlifyRules holds back what the navigation does not list, where it lists pages
// of the tree and stands in one file.
func (p *plan) mintlifyRules(config octavo.Value, name string) []rule {
	listed, parts := map[string]bool{}, false
	var gather func(v octavo.Value)
	gather = func(v octavo.Value) {
		listed[strings.Trim(v.Str, "/")] = true
		for _, item := range v.Items {
			gather(item)
		}
		for _, m := range v.Members {
			parts = parts || m.Name == "$ref"
			gather(m.Value)
		}
	}
	navigation, _ := config.Get("navigation")
	gather(navigation)
	covers := func(file string) bool { return !listed[strings.TrimSuffix(file, path.Ext(file))] }
	if parts || !slices.ContainsFunc(p.files, func(f *file) bool { return !covers(f.path) }) {
		return nil
	}
	return []rule{{where: name, why: "it is not listed", covers: covers}}
}

// nextraRules reads which pages _meta says are hidden.
func nextraRules(fsys fs.FS, name string) (rules []rule) {
	text, _ := readFile(fsys, name) // what cannot be read is told as such
	hidden := regexp.MustCompile(`["']?([\w./-]+)["']?\s*:\s*\{[^{}]*["']?display["']?\s*:\s*["']hidden["']`)
	for _, m := range hidden.FindAllSubmatch(text, -1) {
		page := path.Join(path.Dir(name), string(m[1]))
		rules = append(rules, rule{where: name, why: "display is hidden", covers: func(file string) bool {
			return strings.TrimSuffix(file, path.Ext(file)) == page || below(page)(file)
		}})
	}
	return rules
}

// ignored returns which files patterns in the form of .gitignore mean.
func ignored(patterns string) func(file string) bool {
	type line struct {
		*regexp.Regexp
		not bool
	}
	var lines []line
	for text := range strings.Lines(patterns) {
		text = strings.TrimSpace(text)
		text, not := strings.CutPrefix(text, "!")
		if text == "" || text[0] == '#' {
			continue
		}
		begin, end := "(?:^|/)", "(?:/|$)"
		if strings.Contains(strings.TrimSuffix(text, "/"), "/") {
			begin = "^"
		}
		if strings.HasSuffix(text, "/") {
			end = "/"
		}
		form := regexp.QuoteMeta(strings.Trim(text, "/"))
		form = strings.NewReplacer(`\*\*/`, "(?:.*/)?", `\*\*`, ".*", `\*`, "[^/]*", `\?`, "[^/]").Replace(form)
		if re, err := regexp.Compile(begin + form + end); err == nil {
			lines = append(lines, line{re, not})
		}
	}
	return func(file string) bool {
		out := false
		for _, l := range lines {
			if l.MatchString(file) {
				out = !l.not
			}
		}
		return out
	}
}
