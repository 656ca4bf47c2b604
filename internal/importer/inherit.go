package importer

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/importer/filename"
	"github.com/octavo-docs/octavo/internal/importer/settings"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// rule restricts the publication of files by something outside of them.
type rule struct {
	where  string // the file that has the rule; "" if why names it
	covers func(file string) bool
	front  octavo.Value // members of front matter, unless the file has its own
	why    string       // instead of front
	now    bool         // new since the last import
	before bool         // no longer valid since the last import
}

// below matches the files in a folder and its subfolders.
func below(dir string) func(string) bool {
	return func(file string) bool { return dir == "." || strings.HasPrefix(file, dir+"/") }
}

// inherit applies the rules to files, and to the last import unless a rule says that
// it is new.
func (p *plan) inherit(rules []rule) {
	for _, f := range p.files {
		if !f.made || f.meta.address == "" { // otherwise it belongs to no folder
			f.inherit(rules)
		}
	}
}

func (f *file) inherit(rules []rule) {
	for _, r := range rules {
		now, before := !r.before && r.covers(f.path), !r.now && f.known != nil && r.covers(f.known.source)
		if !now && !before {
			continue
		}
		front := octavo.Value{Kind: octavo.KindObject}
		own, _ := octavo.ValueOf(f.front) // empty without front matter
		for _, m := range r.front.Members {
			if !slices.ContainsFunc(own.Members, func(o octavo.Member) bool { return fold(o.Name) == fold(m.Name) }) {
				front.Members = append(front.Members, m)
			}
		}
		h := publicationOf("", front, func(string) int { return 1 })
		why := cmp.Or(r.why, h.why)
		if why == "" && (h.publish != nil || h.unpublish != nil) {
			why = h.dates[0].name + " is not imported from there"
		}
		if why == "" {
			continue
		}
		if before {
			f.known.publication.because(1, "%s", why)
		}
		if r.where != "" {
			why += " (" + r.where + ")"
		}
		if now {
			f.meta.publication.because(1, "%s", why)
		}
	}
}

// rules returns the rules in configuration files.
func (p *plan) rules(fsys fs.FS, found listing, nav *mkdocs) (rules []rule) {
	for _, f := range p.files {
		if (p.speaks(f) || strings.HasPrefix(path.Base(f.path), "_index.")) && bytes.Contains(bytes.ToLower(f.front), []byte(`"cascade"`)) {
			front, _ := octavo.ValueOf(f.front) // it parsed before
			rules = append(rules, cascades(front, f.path)...)
		}
	}
	if nav != nil {
		rules = append(rules, nav.rules...)
	}
	for _, name := range slices.Concat(found.others, found.data) {
		rules = append(rules, p.configured(fsys, name)...)
		rules = append(rules, p.leftOut(fsys, name)...)
	}
	return rules
}

// cascades returns the values that a Hugo page passes to its descendants.
func cascades(front octavo.Value, file string) (rules []rule) {
	v, _, _ := member(front, "cascade")
	if v.Kind != octavo.KindArray {
		v.Items = []octavo.Value{v}
	}
	for _, item := range v.Items {
		folder, all := below(path.Dir(file)), !reference.IsText(file) // a configuration applies to the whole tree
		target, _, ok := member(item, "target")
		if !ok {
			target, _, _ = member(item, "_target")
		}
		at, _, _ := member(target, "path")
		slashes := strings.NewReplacer("{/", "{", ",/", ",")
		aimed := filename.Matching("**/" + slashes.Replace(strings.TrimPrefix(cmp.Or(at.Str, "**"), "/"))) // kinds and languages are not distinguished
		rules = append(rules, rule{where: "cascade of " + file, front: item, covers: func(f string) bool {
			return f != file && (all || folder(f)) && (aimed(f) || aimed(reference.PathKey(f)))
		}})
	}
	return rules
}

// jekyllRules reads _config.yml: front matter defaults, excluded files and collections
// without output. Jupyter Book has no collections.
func jekyllRules(config octavo.Value, name string, isBook bool) (rules []rule) {
	defaults, _ := config.Get("defaults")
	for _, item := range defaults.Items {
		scope, _ := item.Get("scope")
		values, _ := item.Get("values")
		at, _ := scope.Get("path")
		kind, _ := scope.Get("type")
		folder := below(".")
		if pattern := path.Clean("/" + at.Str); pattern != "/" {
			folder = filename.Matching(pattern)
		}
		rules = append(rules, rule{where: "defaults of " + name, front: values, covers: func(file string) bool {
			return folder(file) && (kind.Str == "" || kind.Str == "pages" || strings.Contains("/"+file, "/_"+kind.Str+"/"))
		}})
	}
	for _, key := range []string{"exclude", "exclude_patterns", "ignore"} { // the latter of Jupyter Book and Hexo
		rules = append(rules, rule{where: key + " of " + name, why: "it is left out", covers: filename.Matching(patternsOf(config, key))})
	}
	if isBook {
		return rules
	}
	collections, _ := config.Get("collections")
	included := filename.Matching(patternsOf(config, "include"))
	return append(rules, rule{where: name, why: "its folder is no collection that is written", covers: func(file string) bool {
		return !included(file) && slices.ContainsFunc(strings.Split(path.Dir(file), "/"), func(dir string) bool {
			collection, _ := collections.Get(strings.TrimPrefix(dir, "_"))
			output, _ := collection.Get("output")
			truth, _ := settings.Truth(output)
			return strings.HasPrefix(dir, "_") && dir != "_posts" && !truth
		})
	}})
}

// patternsOf returns a string or list as lines of .gitignore. They are relative to the
// root unless they begin with an asterisk.
func patternsOf(config octavo.Value, key string) string {
	list, _ := config.Get(key)
	if list.Kind != octavo.KindArray {
		list.Items = []octavo.Value{list}
	}
	var patterns []string
	for _, item := range list.Items {
		pattern := settings.Scalar(item)
		if pattern != "" && !strings.HasPrefix(pattern, "*") {
			pattern = path.Clean("/" + pattern)
		}
		patterns = append(patterns, pattern)
	}
	return strings.TrimSpace(strings.Join(patterns, "\n"))
}

func hasUnderscore(file string) bool { return strings.Contains("/"+path.Dir(file), "/_") }

// summaryRules makes drafts of pages missing from the summary, which mdBook and
// GitBook do not show.
func summaryRules(fsys fs.FS, root, summary string) []rule {
	for _, dir := range []string{root, path.Join(root, "src"), path.Join(root, "docs")} {
		name := path.Join(dir, summary)
		text, err := readFile(fsys, name)
		if err != nil {
			continue
		}
		listed := map[string]bool{name: true}
		for _, l := range markdown.Links(string(text), markdown.Format{}) {
			for _, t := range reference.Targets(l.Href, name, "") {
				listed[t.Path] = true
			}
		}
		return []rule{{where: name, why: "it is not listed", covers: func(file string) bool {
			home := path.Dir(file) == dir && filename.IsFolderPage(file)
			if !below(dir)(file) || home || listed[file] || listed[reference.PathKey(file)] {
				return false
			}
			for in := path.Dir(file); in != dir; in = path.Dir(in) {
				if _, err := fs.Stat(fsys, path.Join(in, summary)); err == nil {
					return false // a space with its own summary
				}
			}
			return true
		}}}
	}
	return nil
}

// mintlifyRules makes drafts of pages that the navigation omits or lists in a hidden
// part, provided that it lists any page of the tree.
func (p *plan) mintlifyRules(fsys fs.FS, config octavo.Value, name string) []rule {
	root := path.Dir(name)
	navigation, ok := config.Get("navigation")
	if !ok {
		if path.Base(name) == path.Base(root)+".json" { // of Eleventy
			return []rule{{where: name, covers: below(root), front: config}}
		}
		return nil
	}
	listed, failed, files := map[string]bool{}, []rule(nil), 0
	var gather func(v octavo.Value, from string, hidden bool)
	gather = func(v octavo.Value, from string, hidden bool) {
		said, _ := v.Get("hidden")
		truth, _ := settings.Truth(said)
		hidden = hidden || truth
		if page := path.Join(root, v.Str); v.Str != "" {
			listed[page] = listed[page] || !hidden
		}
		for _, item := range v.Items {
			gather(item, from, hidden)
		}
		for _, m := range v.Members {
			if m.Name != "$ref" {
				gather(m.Value, from, hidden)
				continue
			}
			part := path.Join(path.Dir(from), m.Value.Str)
			inner, err := readData(fsys, part)
			if files++; files > 1000 {
				err = errors.New("there are too many")
			}
			if err == nil {
				gather(inner, part, hidden)
			} else if failed == nil {
				failed = p.unread(name, root, fmt.Errorf("$ref %s: %w", part, err))
			}
		}
	}
	gather(navigation, name, false)
	key := func(file string) string { return strings.TrimSuffix(file, path.Ext(file)) }
	if len(failed) > 0 || !slices.ContainsFunc(p.files, func(f *file) bool { _, ok := listed[key(f.path)]; return ok }) {
		return failed
	}
	return []rule{{where: name, why: "it is not listed", covers: func(file string) bool { return below(root)(file) && !listed[key(file)] }}}
}

var nextraMark = regexp.MustCompile("(?s)//[^\n]*|/\\*.*?\\*/|[{},;=]|(?:'([^'\n]*)'|\"([^\"\n]*)\"|`([^`]*)`|([\\w$-]+))(\\s*:)?")

// nextraRules returns the pages hidden by _meta.
func nextraRules(fsys fs.FS, name string) []rule {
	text, _ := readFile(fsys, name) // errors are reported elsewhere
	var keys, hidden, shown []string
	key, from := "", map[bool]string{true: "**/", false: "/"}[strings.Contains(path.Base(name), ".global.")]
	for _, m := range nextraMark.FindAllSubmatch(text, -1) {
		word := string(slices.Concat(m[1:5]...))
		switch {
		case m[0][0] == '{':
			keys, key = append(keys, key), ""
		case m[0][0] == '}':
			keys, key = keys[:max(0, len(keys)-1)], ""
		case len(m[5]) > 0:
			key = word
		case word == "":
			key = ""
		case key == "display":
			page := from + path.Join(slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return k == "items" })...)
			if word == "hidden" {
				hidden = append(hidden, page, page+".*")
			} else {
				shown = append(shown, "!"+page, "!"+page+".*")
			}
		}
	}
	return within(path.Dir(name), rule{where: name, why: "display is hidden", covers: filename.Matching(strings.Join(slices.Concat(hidden, shown), "\n"))})
}
