package importer

import (
	"html"
	"io/fs"
	"net/url"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/markdown"
)

// checkLinks notes the links that mean a page and lead to none, neither of
// the tree nor of the target. They are kept as they are written. Where a link
// may lead is decided as the server does, by package markdown; files are those
// that make neither a page nor one of the assets.
func (p *plan) checkLinks(fsys fs.FS, files []Entry, assets []string) {
	paths, slugs, others := map[string]bool{}, map[string]bool{}, map[string]bool{}
	isAsset := func(file string) bool {
		_, found := slices.BinarySearch(assets, file)
		return found
	}
	for _, f := range p.files {
		paths[markdown.PathKey(f.path)] = true
		slugs[f.slug] = true
		for _, slug := range f.former {
			slugs[slug] = true
		}
	}
	for source := range p.known.bySource {
		paths[markdown.PathKey(source)] = true
	}
	for slug := range p.known.bySlug {
		slugs[slug] = true
	}
	for _, e := range files {
		others[markdown.PathKey(e.Path)] = true
	}
	leads := func(t markdown.Target) bool {
		slug, _ := p.slugs.Join(addressParts(t.Path))
		return t.PageID != "" || paths[t.Path] || slugs[slug]
	}
	for _, f := range p.files {
		content, read := "", false
		for _, href := range f.links {
			targets := markdown.Targets(href, f.path, "")
			// A template tag in an address is noted as such.
			if len(targets) == 0 || slices.ContainsFunc(targets, leads) || strings.Contains(href, "%7B%7B") ||
				slices.ContainsFunc(markdown.Files(href, f.path, ""), isAsset) {
				continue
			}
			what := "no page"
			if slices.ContainsFunc(targets, func(t markdown.Target) bool { return others[t.Path] }) {
				what = "a file that is not imported"
			}
			if !read { // few pages have such links
				content, _ = f.again(fsys) // nothing where that fails: the page is refused for it later
				read = true
			}
			f.entry.note(f.lineOfLink(content, href), "the link to %s leads to %s", href, what)
			f.entry.Notes[len(f.entry.Notes)-1].Link = href
		}
		for _, href := range f.shown {
			meant := markdown.ShownFiles(href, f.path, "")
			if len(meant) == 0 || slices.ContainsFunc(meant, isAsset) || strings.Contains(href, "%7B%7B") {
				continue
			}
			if !read {
				content, _ = f.again(fsys)
				read = true
			}
			what := "the file %s, which the page shows, is not in the tree"
			if markdown.IsText(href) && slices.ContainsFunc(meant, func(file string) bool { return paths[markdown.PathKey(file)] }) {
				what = "%s is a page of its own, so its text is not shown here"
			}
			f.entry.note(f.lineOfLink(content, href), what, href)
			f.entry.Notes[len(f.entry.Notes)-1].Link = href
		}
	}
}

// lineOfLink returns the first line of the content that holds an href, as it may
// have been written.
func (f *file) lineOfLink(content, href string) int {
	plain, err := url.PathUnescape(href)
	if err != nil {
		plain = href
	}
	for _, text := range []string{href, plain, html.EscapeString(plain)} {
		if before, _, found := strings.Cut(content, text); found {
			return f.line + strings.Count(before, "\n")
		}
	}
	return f.line
}
