package importer

import (
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/importer/include"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// maxDead is how many links and files that lead nowhere have a note of their own in a page.
const maxDead = 1000

// linkCheck finds broken links and pictures.
type linkCheck struct {
	pages  reference.Index[*file]
	known  *file           // represents all pages of the target outside of this tree
	others map[string]bool // files that are not imported, by path key
	assets []string
	named  map[string]bool // asset names, by key
	fsys   fs.FS
}

// checkLinks notes links to missing pages and anchors, and missing pictures. The text
// keeps them. Links resolve as on the server. files are neither pages nor assets.
func (p *plan) checkLinks(fsys fs.FS, files []Entry, assets []string) {
	c := linkCheck{reference.NewIndex[*file](), &file{}, map[string]bool{}, assets, map[string]bool{}, fsys}
	for _, name := range assets {
		c.named[reference.FileKey(name)] = true
	}
	for source := range p.known.bySource {
		c.pages.Paths[reference.PathKey(source)], c.pages.Paths[reference.NameKey(source)] = c.known, c.known
	}
	for slug := range p.known.bySlug {
		c.pages.Slugs[slug] = c.known
	}
	for _, f := range slices.Backward(p.files) { // of files with equal keys the first counts
		c.pages.Paths[reference.PathKey(f.path)], c.pages.Paths[reference.NameKey(f.path)] = f, f
		if f.dialect == octavo.DialectMyST {
			for _, key := range f.readAnchors(fsys).Labels() {
				c.pages.Paths[key] = f
			}
		}
		for _, slug := range slices.Concat(f.former, []string{f.slug}) {
			c.pages.Slugs[slug] = f
		}
	}
	for _, e := range files {
		c.others[reference.PathKey(e.Path)] = true
	}
	parts := map[*file][]*file{}
	for _, f := range p.files {
		parts[f] = p.addParts(fsys, f)
	}
	for _, f := range p.files {
		dead, texts := 0, []string(nil)
		read := sync.OnceValue(func() string {
			text, _ := f.again(fsys) // on failure the page is refused later
			return text
		})
		note := func(href, format string, args ...any) {
			if dead++; dead > maxDead {
				return // finding its line takes time
			}
			if texts == nil {
				texts = []string{include.WithoutCode(read()), read()}
			}
			plain := reference.AsWritten(href)
			f.entry.note(f.line+include.LinesBefore(texts, href, plain), format, slices.Concat([]any{plain}, args)...)
			f.entry.Notes[len(f.entry.Notes)-1].Link = plain
		}
		for _, href := range f.links {
			c.link(f, href, note)
		}
		for _, part := range parts[f] {
			c.part(f, part)
		}
		for _, href := range f.shown {
			meant := reference.ShownFiles(href, f.path, "")
			switch {
			case len(meant) == 0 || c.isAsset(meant) || isTemplate(href):
			case reference.IsText(href) && slices.ContainsFunc(meant, func(file string) bool { return c.pages.Paths[reference.PathKey(file)] != nil }):
				note(href, "%s is a page of its own, so its text is not shown here")
			case slices.ContainsFunc(meant, func(file string) bool { return c.others[reference.PathKey(file)] }):
				note(href, "the file %s, which the page shows, is not imported")
			default:
				note(href, "the file %s, which the page shows, is not in the tree")
			}
		}
		if shown := include.Texts(f.shown); len(shown) > 0 {
			for _, n := range include.Incomplete(fsys, f.path, read(), f.format(read()), f.front, shown) {
				f.entry.note(f.line-1+n.Line, "%s", n.Text)
			}
		}
		if dead > maxDead {
			f.entry.note(1, "%d links and files of the page lead nowhere; only the first %d are named", dead, maxDead)
		}
	}
}

// link notes a broken link.
func (c *linkCheck) link(f *file, href string, note func(href, format string, args ...any)) {
	targets := reference.Targets(href, f.path, "")
	to, found := c.pages.Find(targets)
	fragment := reference.Fragment(href)
	switch {
	case reference.Local(href), !found && len(targets) == 1 && targets[0].Path == reference.LabelKey(fragment) && f.readAnchors(c.fsys).Find(fragment) != "": // in a file that the page shows
		to = f
	case found:
	case len(targets) == 0 || targets[0].PageID != "" || isTemplate(href) || c.isAsset(reference.Files(href, f.path, "")):
		return
	case slices.ContainsFunc(targets, func(t reference.Target) bool { return c.others[t.Path] }):
		note(href, "the link to %s leads to a file that is not imported")
		return
	default:
		note(href, "the link to %s leads to no page")
		return
	}
	if fragment == "" || to == c.known {
		return
	}
	switch anchor := to.readAnchors(c.fsys).Find(fragment); {
	case reference.Meets(href, fragment, anchor):
	case anchor == "":
		note(href, "the link to %s leads to no heading of %s", to.path)
	default:
		note(href, "the link to %s leads to no heading of %s; resolved to the similar #%s", to.path, anchor)
	}
}

// readAnchors returns the anchors of the file. Files without links have not read them
// before.
func (f *file) readAnchors(fsys fs.FS) *reference.Anchors {
	if f.anchors == nil {
		content, _ := f.again(fsys) // on failure the page is refused later
		f.anchors = markdown.Anchors(content, f.format(content), f.front)
	}
	return f.anchors
}

func (c *linkCheck) isAsset(files []string) bool {
	return slices.ContainsFunc(files, func(file string) bool {
		_, found := slices.BinarySearch(c.assets, file)
		return found || c.named[file]
	})
}

// isTemplate reports whether an address has a template tag, noted elsewhere, but no link of Hugo.
func isTemplate(href string) bool { return strings.Contains(href, "%7B%7B") && !reference.IsRef(href) }
