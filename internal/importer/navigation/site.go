package navigation

import (
	"cmp"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/script"
)

// Site is the detected generator of a tree.
type Site struct {
	System string // "" if not detected
	Dir    string // folder of the configuration
	Root   string // folder of the pages
	Config string // configuration file, or the file with the order
	Title  string

	Language string // of pages without a language folder; "" for none, and for English, a template default

	said   script.Node // content of Config
	spaces []Site      // of GitBook and mdBook, if several
	docs   []docs      // of Docusaurus
}

// Has reports whether a file belongs to the site.
func (s Site) Has(file string) bool {
	in := func(dir string) bool { return dir == "." || strings.HasPrefix(file, dir+"/") }
	return in(s.Dir) || in(s.Root) || slices.ContainsFunc(s.spaces, func(s Site) bool { return s.Has(file) }) ||
		slices.ContainsFunc(s.docs, func(d docs) bool { return in(d.root) })
}

// isRepository matches files at the root of a repository, which has other texts besides
// those of its site.
var isRepository = regexp.MustCompile(`^(\.git|\.github|LICENSE.*|package\.json|go\.mod|Cargo\.toml|pyproject\.toml)$`)

// Outside returns a function that reports whether a file of a repository is in no folder of
// which a generator makes pages, as far as that is known. names are the files of the tree.
func (s Site) Outside(fsys fs.FS, names []string) func(file string) bool {
	roots, known := []string{s.Root}, slices.ContainsFunc(names, isRepository.MatchString)
	switch s.System {
	case "mkdocs", "vitepress", "mdbook", "gitbook", "nuxt":
		for _, space := range s.spaces {
			roots = append(roots, space.Root)
		}
	case "astro":
		roots = append(roots, path.Join(s.Dir, "src"))
	case "nextra":
		roots = nil
		for _, name := range names {
			for _, dir := range []string{"content", "src/content", "pages", "src/pages", "app", "src/app"} {
				if strings.HasPrefix(path.Base(name), "next.config.") {
					roots = append(roots, path.Join(path.Dir(name), dir))
				}
			}
		}
		known = known && len(roots) > 0
	case "docusaurus":
		for _, dir := range []string{"blog", "src/pages", "i18n", "versioned_docs"} {
			roots = append(roots, path.Join(s.Dir, dir))
		}
		for _, dir := range pathsOf(s.said) {
			roots = append(roots, path.Join(s.Dir, dir))
		}
	default: // files of Docsify are a site if there is its page
		known = known && s.System == Files && s.Dir != "." && slices.Contains(names, path.Join(s.Dir, "index.html"))
	}
	if !known {
		return func(string) bool { return false }
	}
	for _, name := range names {
		for other, system := range systems {
			if base := path.Base(name); path.Dir(name) != s.Dir && system.signs.MatchString(base) && !weak.MatchString(base) {
				if site, ok := configured(fsys, other, name, names); ok {
					roots = append(roots, site.Dir, site.Root)
				}
			}
		}
	}
	return func(file string) bool {
		part := s.System == "nextra" && !strings.HasPrefix(path.Base(file), "page.") // of a page in the folder app
		return !strings.Contains(file, "_versioned_docs/") && !slices.ContainsFunc(roots, func(dir string) bool {
			return dir == "." || strings.HasPrefix(file, dir+"/") && !(part && path.Base(dir) == "app")
		})
	}
}

// Route is the address of a folder of pages on the site.
type Route struct {
	Root string   // folder of the pages
	At   []string // addresses of that folder
}

// Routes returns the addresses that differ from the file paths.
func (s Site) Routes() (all []Route) {
	for _, d := range s.docs {
		all = append(all, Route{d.root, []string{path.Join("/", d.route), path.Join("/", s.said.Get("baseUrl").Text, d.route)}})
	}
	if s.Root != "." && s.System != "docusaurus" {
		all = append(all, Route{s.Root, []string{"/"}})
	}
	if s.System == "hugo" { // perhaps with a folder for each language
		all = append(all, Route{path.Join(s.Root, cmp.Or(s.said.Get("defaultContentLanguage").Text, "en")), []string{"/"}})
	}
	if s.System == "docusaurus" {
		all = append(all, Route{path.Join(s.Dir, "blog"), []string{"/blog"}}, Route{path.Join(s.Dir, "src/pages"), []string{"/"}})
	}
	return all
}

// Permalink returns Hugo's address pattern for the pages of a section, "" for none.
func (s Site) Permalink(section string) string {
	all := s.said.Get("permalinks")
	return cmp.Or(all.Get("page").Get(section).Text, all.Get(section).Text)
}

// Files is the system of a tree without a generator: names, folders and front matter count.
const Files = "files"

type system struct {
	rank    int            // the lowest of a folder wins
	signs   *regexp.Regexp // base name of the file by which to detect the generator
	deep    int            // maximal number of folders above that file
	root    []string       // possible page folders
	dialect string         // of its pages; "" for none
	whole   bool           // pages missing from the navigation are noted
	read    func(r *reader) []*Item
}

var systems = map[string]system{
	"mkdocs":     {0, regexp.MustCompile(`^mkdocs\.ya?ml$`), 2, []string{"docs"}, "mkdocs", true, (*reader).mkdocs},
	"docusaurus": {1, regexp.MustCompile(`^(docusaurus\.config|sidebars)\.(js|ts|cjs|mjs|cts|mts|json)$`), 2, []string{"docs", "."}, "docusaurus", true, (*reader).docusaurus},
	"vitepress":  {2, regexp.MustCompile(`^\.(vite|vue)press$`), 2, []string{"."}, "vitepress", true, (*reader).vitepress},
	"astro":      {3, regexp.MustCompile(`^astro\.config\.(js|ts|cjs|mjs|cts|mts)$`), 2, []string{"src/content/docs", "src/content", "."}, "", true, (*reader).starlight},
	"mdbook":     {4, regexp.MustCompile(`^book\.toml$`), 2, []string{"src", "."}, "mdbook", false, (*reader).summary},
	"gitbook":    {5, regexp.MustCompile(`^(\.gitbook\.ya?ml|SUMMARY\.md|book\.json)$`), 1, []string{"."}, "gitbook", false, (*reader).summary},
	"mintlify":   {6, regexp.MustCompile(`^(docs|mint)\.json$`), 2, []string{"."}, "", false, (*reader).mintlify},
	"hugo":       {7, regexp.MustCompile(`^(hugo|config)\.(toml|ya?ml|json)$`), 2, []string{"content"}, "hugo", false, nil},
	"nextra":     {8, regexp.MustCompile(`^_meta(\.global)?\.(js|ts|jsx|tsx|json)$`), 4, []string{"."}, "", true, (*reader).nextra},
	"myst":       {9, regexp.MustCompile(`^(myst\.yml|_toc\.ya?ml|conf\.py)$`), 2, []string{"."}, "myst", true, (*reader).myst},
	"jekyll":     {10, regexp.MustCompile(`^_config\.ya?ml$`), 2, []string{"."}, "jekyll", false, (*reader).jekyll},
	"obsidian":   {11, regexp.MustCompile(`^(\.obsidian|site-options\.json)$`), 1, []string{"."}, "obsidian", false, (*reader).obsidian},
	"nuxt":       {12, regexp.MustCompile(`^(nuxt\.config\.(js|ts|mjs)|\.navigation\.yml)$`), 2, []string{"content", "."}, "vitepress", false, (*reader).nuxt},
	Files:        {13, regexp.MustCompile(`^_sidebar\.md$`), 1, []string{"."}, "", true, (*reader).summary},
}

// weak matches names that other programs use too; they count less.
var weak = regexp.MustCompile(`^(_?config\..*|SUMMARY\.md|book\.json|sidebars\..*|_meta\..*|_toc\..*|conf\.py|_sidebar\.md)$`)

// ofHugo is the settings folder of a Hugo site, next to its page folder.
const ofHugo = "config/_default/"

// Systems returns the names of the generators, the values of --from.
func Systems() []string { return slices.Sorted(maps.Keys(systems)) }

// Dialect returns the dialect of a generator's pages, "" for none.
func Dialect(name string) string { return systems[name].dialect }

// Whole reports whether the navigation should be complete.
func (s Site) Whole() bool { return systems[s.System].whole }

// Find returns the generator with the topmost configuration in a tree, or the one named
// by from. Of several in one folder, an unambiguous name wins.
func Find(fsys fs.FS, names []string, from string) Site {
	best := Site{System: from, Dir: ".", Root: "."}
	if from == Files {
		return best
	}
	rank := [2]int{1000, 0}
	for _, file := range names {
		depth := strings.Count(strings.Replace(file, ofHugo, "", 1), "/")
		for name, s := range systems {
			have := [2]int{depth, s.rank}
			if weak.MatchString(path.Base(file)) {
				have[0]++
			}
			if from != "" && from != name || depth > s.deep || slices.Compare(have[:], rank[:]) >= 0 || !s.signs.MatchString(path.Base(file)) {
				continue
			}
			if site, ok := configured(fsys, name, file, names); ok {
				best, rank = site, have
			}
		}
	}
	if best.System == "gitbook" || best.System == "mdbook" {
		best.spaces = spaces(fsys, best.System, names)
	}
	return best
}

// spaces returns the spaces of a tree, nil for a single one.
func spaces(fsys fs.FS, name string, names []string) (all []Site) {
	for _, file := range names {
		if !systems[name].signs.MatchString(path.Base(file)) {
			continue
		}
		site, ok := configured(fsys, name, file, names)
		if ok && !slices.ContainsFunc(all, func(s Site) bool { return s.Root == site.Root }) {
			all = append(all, site)
		}
	}
	if len(all) < 2 {
		return nil
	}
	return all
}

// configured returns the site configured by a file, if any.
func configured(fsys fs.FS, name, file string, names []string) (Site, bool) {
	s := Site{System: name, Dir: path.Dir(strings.Replace(file, ofHugo, "", 1)), Config: file}
	if path.Base(file) == ".navigation.yml" { // in a folder of the pages
		s.Dir = "."
	}
	r := &reader{FS: fsys, names: names, site: s}
	said, _ := r.parse(file) // errors are reported where it is used
	isFolder := func(dir string) bool {
		return slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, path.Clean(dir)+"/") })
	}
	switch {
	case name == "mintlify" && said.Get("navigation").Kind == script.Null,
		name == "hugo" && strings.HasPrefix(path.Base(file), "config") && !isFolder(path.Join(s.Dir, "content")),
		name == "jekyll" && r.first(s.Dir, "_toc.yml", "_toc.yaml") != "",
		name == "gitbook" && r.summaryFile(said, path.Join(s.Dir, said.Get("root").Text)) == "":
		return s, false
	case name == "vitepress":
		s.Config = r.first(file, "config.ts", "config.mts", "config.js", "config.mjs", "config/index.ts", "config/index.mts", "config/index.js")
		if s.Config != "" {
			said, _ = r.parse(s.Config)
		}
	}
	if base := said.Get("INHERIT").Text; name == "mkdocs" && base != "" {
		inherited, _ := r.parse(path.Join(s.Dir, base)) // as above
		said.Members = slices.Concat(inherited.Members, said.Members)
	}
	s.said = said
	named := said.First("title", "site_name", "name", "siteName")
	for _, in := range []script.Node{said.Get("book"), said.Get("project"), said.Get("site")} {
		if named.Text == "" {
			named = in.First("title", "name")
		}
	}
	s.Title = strings.Join(strings.Fields(named.Text), " ")
	s.Language = languageOf(said)
	roots := systems[name].root
	for _, member := range []script.Node{said.Get("docs_dir"), said.Get("root"), said.Get("contentDir"), said.Get("srcDir"), said.Get("book").Get("src")} {
		if member.Text != "" {
			roots = []string{member.Text}
		}
	}
	for _, root := range slices.Backward(roots) {
		if at := path.Join(s.Dir, root); at == "." || isFolder(at) {
			s.Root = at
		}
	}
	s.Root = cmp.Or(s.Root, s.Dir)
	if name == "docusaurus" {
		if s.docs = docsOf(said, s.Dir); isFolder(s.docs[0].root) {
			s.Root = s.docs[0].root
		}
	}
	return s, true
}

// languageOf returns the language in a configuration.
func languageOf(said script.Node) string {
	theme, book, root, starlight := said.Get("theme"), said.Get("book"), said.Get("locales").Get("root"), starlightOptions(said)
	for _, n := range []script.Node{
		said.Get("i18n").Get("defaultLocale"), root.Get("lang"), theme.Get("language"), book.Get("language"), starlight.Get("locales").Get("root").Get("lang"), starlight.Get("defaultLocale"),
		said.First("lang", "language", "locale", "defaultContentLanguage", "languageCode"),
	} {
		tag := strings.ReplaceAll(n.Text, "_", "-")
		if tag != "root" && octavo.CheckLanguage(tag) == "" && !octavo.InLanguage(tag, "en") {
			return tag
		}
	}
	return ""
}
