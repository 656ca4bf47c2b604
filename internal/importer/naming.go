package importer

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/importer/filename"
	"github.com/octavo-docs/octavo/internal/importer/moment"
	"github.com/octavo-docs/octavo/internal/importer/navigation"
	"github.com/octavo-docs/octavo/internal/importer/settings"
	"github.com/octavo-docs/octavo/internal/slugify"
)

// name assigns slugs and former slugs. Pages that already have their slug come first,
// then those with a numbered one, so that a second run changes nothing; then files come
// before sections, and then it goes by path.
func (p *plan) name() {
	wanted := map[*file]string{}
	rounds := make([][]*file, 4)
	for _, f := range p.files {
		slug, exact := p.slugs.Join(p.address(f))
		if !exact {
			f.entry.note(1, "the path does not fit a slug, so %q contains a hash instead", slug)
		}
		wanted[f] = slug
		round := 2
		switch {
		case f.known == nil && f.made:
			round = 3
		case f.known == nil:
		case f.known.last.Slug == slug:
			round = 0
		case slugify.HasNumber(f.known.last.Slug, slug):
			round = 1
		}
		rounds[round] = append(rounds[round], f)
	}
	meant := map[string]*file{} // pages by the slugs of their addresses on the old site
	for _, f := range p.files {
		for _, a := range f.meta.aliases {
			if !f.made {
				meant[p.formerSlug(f, a)] = f
			}
		}
	}
	for _, f := range slices.Concat(rounds...) {
		slug := wanted[f]
		first := meant[slug]
		if !f.made || f.known != nil && f.known.last.Slug == slug {
			first = nil // only new sections make way
		}
		f.slug = p.freeSlug(f, slug, first)
		p.owners[f.slug] = f
		f.entry.Slug = f.slug
		if f.slug != slug {
			f.entry.note(1, "the slug %q belongs to %s; this page has %q", slug, p.slugOwner(slug, first), f.slug)
		}
	}
	former := map[string]*file{}
	for _, f := range p.files {
		for _, a := range f.meta.aliases {
			p.addFormer(f, a, former)
		}
	}
}

// address returns the parts of the path at which the page should be.
func (p *plan) address(f *file) []string {
	if f.meta.address != "" {
		return filename.AddressParts(f.meta.address)
	}
	parts := filename.PathParts(f.path)
	if p.speaks(f) && !f.linked && len(parts) > 1 {
		parts = parts[:len(parts)-1]
		if f.meta.byID {
			return parts
		}
	}
	if f.meta.last != "" {
		parts[len(parts)-1] = f.meta.last
	}
	return parts
}

// addRoutes makes pages available at the addresses of their old site, if these differ
// from the file paths.
func (p *plan) addRoutes(site navigation.Site) {
	for _, r := range append(site.Routes(), p.linkedRoute(site.Root)) {
		for _, f := range p.files {
			if f.made || !below(r.Root)(f.path) {
				continue
			}
			for _, at := range slices.Compact(r.At) {
				if at = path.Join(at, p.addressIn(r.Root, f)); at != "/" && at != "/"+reference.PathKey(f.path) {
					f.meta.aliases = append(f.meta.aliases, alias{path: at})
				}
			}
		}
	}
}

// addressIn returns the address of a page in the folder root.
func (p *plan) addressIn(root string, f *file) string {
	parts := p.address(f)
	switch {
	case f.meta.address != "":
	case f.meta.last == "" && p.speaks(f) && path.Dir(f.path) == root:
		return ""
	case root != ".":
		parts = parts[len(filename.PathParts(root+"/x"))-1:]
	}
	return path.Join(parts...)
}

// linkedRoute returns the address of the folder root according to the links, or of the
// only folder in it.
func (p *plan) linkedRoute(root string) navigation.Route {
	pages, links := map[string]bool{}, []string{}
	only, folders := "", 0
	for _, f := range p.files {
		if below(root)(f.path) {
			pages[p.addressIn(root, f)] = true
			if dir, _, found := strings.Cut(strings.TrimPrefix(f.path, root+"/"), "/"); found && dir != only {
				only, folders = dir, folders+1
			}
		}
		for _, href := range f.links {
			if strings.HasPrefix(href, "/") {
				links = append(links, reference.AsWritten(href))
			}
		}
	}
	switch at := filename.Prefix(pages, links); {
	case at != "":
		return navigation.Route{Root: root, At: []string{at}}
	case folders == 1:
		return p.linkedRoute(path.Join(root, only))
	}
	return navigation.Route{}
}

// addPermalinks adds the addresses of Hugo's permalinks as aliases.
func (p *plan) addPermalinks(site navigation.Site) {
	for _, f := range p.files {
		parts := filename.PathParts(strings.TrimPrefix(f.path, site.Root+"/"))
		if site.Permalink(parts[0]) == "" { // the folder of a language
			parts = parts[1:]
		}
		if len(parts) < 2 || site.Permalink(parts[0]) == "" || parts[len(parts)-1] == "_index" || f.made || f.meta.address != "" {
			continue
		}
		front, _ := octavo.ValueOf(f.front) // empty without front matter
		said, _, _ := member(front, "date")
		dates, _ := moment.Of(settings.Scalar(said))
		dates = append(dates, time.Time{}) // for a page without a date
		title, _ := p.slugs.Join([]string{f.title})
		if at := filename.Permalink(site.Permalink(parts[0]), parts, title, f.meta.last, dates[0]); at != "" {
			f.meta.aliases = append(f.meta.aliases, alias{path: at})
		}
	}
}

// freeSlug returns wanted, or a free slug similar to it. Links of the old site to wanted mean the
// page first, if it is not nil.
func (p *plan) freeSlug(f *file, wanted string, first *file) string {
	if first == nil && p.owners[wanted] == nil && !p.slugBlocked(f, wanted) {
		return wanted // a page that has it now gets another slug
	}
	if f.known != nil && slugify.HasNumber(f.known.last.Slug, wanted) && p.owners[f.known.last.Slug] == nil {
		return f.known.last.Slug
	}
	return p.spareSlug(wanted)
}

// slugBlocked reports whether a page has a slug that f cannot take over: no file makes
// that page, or its slug was assigned in the target.
func (p *plan) slugBlocked(f *file, slug string) bool {
	k := p.known.bySlug[slug]
	return k != nil && (k.file == nil || k.file != f && k.slug != k.last.Slug)
}

// slugOwner names the file or page that has a slug, or else the file that it is kept for.
func (p *plan) slugOwner(slug string, first *file) string {
	if f := cmp.Or(p.owners[slug], first); f != nil {
		return f.path
	}
	return string(p.known.bySlug[slug].id)
}

// formerSlug returns the slug of an alias, "" for the root of the site.
func (p *plan) formerSlug(f *file, a alias) string {
	slug, _ := p.slugs.Join(filename.AddressParts(p.formerPath(f, a)))
	return slug
}

// formerPath returns the whole path of an alias, in Hugo from the address of the page.
func (p *plan) formerPath(f *file, a alias) string {
	page := f.path
	if f.dialect == octavo.DialectHugo && below(p.root)(f.path) {
		page = p.addressIn(p.root, f)
	}
	return filename.Beside(page, a.path)
}

// addFormer makes an alias a former slug of f, unless another page has it.
func (p *plan) addFormer(f *file, a alias, former map[string]*file) {
	slug := p.formerSlug(f, a)
	if slug == "" {
		f.entry.note(a.line, "nothing redirects from %q: it is the root of the site", a.path)
		return
	}
	owner := p.owners[slug]
	switch taken := owner != nil || former[slug] != nil || p.slugBlocked(f, slug); {
	case owner == f || former[slug] == f || taken && a.line == 0:
	case owner != nil || p.slugBlocked(f, slug):
		f.entry.note(a.line, "nothing redirects from %q: %s has the slug %q", a.path, p.slugOwner(slug, nil), slug)
	case former[slug] != nil:
		f.entry.note(a.line, "nothing redirects from %q: %s redirects from there", a.path, former[slug].path)
	default:
		former[slug] = f
		f.former = append(f.former, slug)
	}
}
