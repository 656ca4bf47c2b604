package importer

import (
	"html"
	"net/url"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/markdown"
)

// checkLinks notes the links that mean a page and lead to none, neither of
// the tree nor of the target. They are kept as they are written. Where a link
// may lead is decided as the server does, by package markdown; files are those
// that make neither a page nor one of the assets.
func (p *plan) checkLinks(files []Entry, assets []string) {
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
		for _, l := range f.links {
			targets := markdown.Targets(l.Href, f.path, "")
			// A template tag in an address is noted as such.
			if len(targets) == 0 || slices.ContainsFunc(targets, leads) || strings.Contains(l.Href, "%7B%7B") ||
				slices.ContainsFunc(markdown.Files(l.Href, f.path, ""), isAsset) {
				continue
			}
			what := "no page"
			if slices.ContainsFunc(targets, func(t markdown.Target) bool { return others[t.Path] }) {
				what = "a file that is not imported"
			}
			f.entry.note(f.lineOfLink(l.Href), "the link to %s leads to %s", l.Href, what)
			f.entry.Notes[len(f.entry.Notes)-1].Link = strings.Clone(l.Href)
		}
	}
}

// lineOfLink returns the first line that holds an href, as it may have been
// written.
func (f *file) lineOfLink(href string) int {
	plain, err := url.PathUnescape(href)
	if err != nil {
		plain = href
	}
	for _, text := range []string{href, plain, html.EscapeString(plain)} {
		if before, _, found := strings.Cut(f.content, text); found {
			return f.line + strings.Count(before, "\n")
		}
	}
	return f.line
}
