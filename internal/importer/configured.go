package importer

import (
	"cmp"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/filename"
	"github.com/octavo-docs/octavo/internal/importer/settings"
)

// configured returns the rules of a configuration file for the files in its folder.
func (p *plan) configured(fsys fs.FS, name string) []rule {
	base, root := path.Base(name), path.Dir(name)
	stem, _, _ := strings.Cut(base, ".")
	isData := slices.Contains([]string{".toml", ".yaml", ".yml", ".json"}, path.Ext(base))
	ofHugo := stem == "hugo"
	if up, env := path.Split(root); isData && path.Base(up) == "config" && (env == "_default" || env == "production") {
		root, ofHugo = path.Dir(path.Clean(up)), true
	}
	var read func(v octavo.Value) []rule
	switch {
	case base == ".mintignore" || base == ".eleventyignore" || base == ".bookignore":
		text, err := readFile(fsys, name)
		if err != nil {
			return p.unread(name, root, err)
		}
		return within(root, rule{where: name, why: "it is left out", covers: filename.Matching(string(text))})
	case (stem == "docusaurus" || stem == "astro") && strings.Contains(base, ".config.") || stem == "_quarto":
		var rules []rule
		text, _ := readFile(fsys, name) // an unreadable file disables nothing
		for _, root := range settings.RootsOf(root, text) {
			rules = append(rules, within(root, rule{where: name, why: "the generator leaves out folders that begin with an underscore", covers: hasUnderscore})...)
		}
		for _, off := range regexp.MustCompile(`(?m)^(?:[^/\n]|/[^/\n])*\b(docs|blog)["']?\s*:\s*false\b`).FindAllSubmatch(text, -1) {
			rules = append(rules, within(root, rule{where: name, why: string(off[1]) + " is false", covers: below(string(off[1]))})...)
		}
		return rules
	case strings.HasSuffix(stem, "]") && strings.HasPrefix(base, stem+".paths."):
		return []rule{{where: name, why: "VitePress makes other pages of it", covers: func(file string) bool { return file == path.Join(root, stem+".md") }}}
	case base == ".gitbook":
		return summaryRules(fsys, root, "SUMMARY.md")
	case base == "book.toml" || base == "book.json" || base == ".gitbook.yaml":
		read = func(v octavo.Value) []rule {
			book, _ := v.Get("book") // of mdBook
			src, _ := book.Get("src")
			at, _ := v.Get("root")
			structure, _ := v.Get("structure")
			summary, _ := structure.Get("summary")
			return summaryRules(fsys, path.Join(root, cmp.Or(src.Str, at.Str)), cmp.Or(summary.Str, "SUMMARY.md"))
		}
	case isMkDocs(base):
		return p.mkDocsRules(fsys, name)
	case stem == "_meta":
		return nextraRules(fsys, name)
	case isData && ofHugo && stem == "cascade":
		read = func(v octavo.Value) []rule {
			return within(root, cascades(octavo.Value{Members: []octavo.Member{{Name: stem, Value: v}}}, name)...)
		}
	case isData && (stem == "hugo" || stem == "config" && (root == "." || ofHugo || isFolder(fsys, path.Join(root, "content")))):
		read = func(v octavo.Value) []rule { return within(root, cascades(v, name)...) }
	case isData && stem == "_config" && path.Ext(base) != ".json":
		_, noBook := fs.Stat(fsys, path.Join(root, "_toc.yml")) // of Jupyter Book
		read = func(v octavo.Value) []rule { return within(root, jekyllRules(v, name, noBook == nil)...) }
	case base == "docs.json" || base == "mint.json":
		read = func(v octavo.Value) []rule { return p.mintlifyRules(fsys, v, name) }
	case base == ".meta.yml" || path.Ext(base) == ".json" && stem == path.Base(root): // data of a folder of Material and Eleventy
		read = func(v octavo.Value) []rule { return []rule{{where: name, covers: below(root), front: v}} }
	case strings.HasSuffix(base, ".11tydata.json"): // of a single page
		page := func(file string) bool { return strings.TrimSuffix(file, path.Ext(file)) == path.Join(root, stem) }
		read = func(v octavo.Value) []rule { return []rule{{where: name, covers: page, front: v}} }
	default:
		return nil
	}
	v, err := readData(fsys, name)
	if err != nil && stem == "config" && !ofHugo && !isFolder(fsys, path.Join(root, "content")) {
		return nil // of another program
	}
	if err != nil {
		return p.unread(name, root, err)
	}
	return read(v)
}

// unread notes an unreadable configuration, and makes drafts of the files it covers.
func (p *plan) unread(name, root string, err error) []rule {
	p.entries = append(p.entries, skipped(name, "it cannot be read, so all pages that it affects become drafts: %v", err))
	return []rule{unreadable(name, root)}
}

func unreadable(name, root string) rule {
	return rule{why: name + " cannot be read", covers: below(root)}
}

// within limits rules about a whole tree to one of its folders.
func within(root string, rules ...rule) []rule {
	for i, r := range rules {
		if root != "." {
			rules[i].covers = func(file string) bool {
				inner, ok := strings.CutPrefix(file, root+"/")
				return ok && r.covers(inner)
			}
		}
	}
	return rules
}

func (p *plan) mkDocsRules(fsys fs.FS, name string) []rule {
	nav, folder, err := readMkDocs(fsys, name, 0)
	if err != nil {
		return p.unread(name, path.Dir(name), err)
	}
	if !p.read[name] {
		nav.entry.note(1, lostOrder)
	}
	if len(nav.entry.Notes) > 0 {
		p.entries = append(p.entries, nav.entry)
	}
	return within(path.Join(path.Dir(name), folder), nav.rules...)
}
