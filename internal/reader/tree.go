package reader

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/document/words"
	"github.com/octavo-docs/octavo/internal/outline"
	"github.com/octavo-docs/octavo/internal/site/look"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// tree is all pages without their texts. Its structure never changes. The description
// and date of a page that stays in place may be newer than the tree.
type tree struct {
	base   *outline.Outline
	moment moment

	pages  map[octavo.ID]*page
	slugs  map[string]*page
	paths  map[string]*page // by reference.PathKey of their files; nil if two have the same
	order  []*page          // in reading order
	home   *page            // nil if there are no pages
	look   look.Site
	tongue words.Words
	spoken []string // languages of pages, "" for the site's

	abroad map[string]*look.Site // look for pages in other languages than that of the site

	settings *settings
	custom   *File // the styles of the settings; nil for none
}

// moment identifies the inputs of pages and lists: the last change of pages
// or their files, and the version of the settings.
type moment struct{ change, settings int64 }

// page is a page in the tree.
type page struct {
	*look.Node
	id    octavo.ID
	slug  string
	index int
	said  *outline.Page
}

// lookTime limits how long a request waits for the tree.
const lookTime = 30 * time.Second

// tree returns the present tree. It has everything that was committed before the
// call. Concurrent calls share one refresh.
func (s *Service) tree(ctx context.Context) (*tree, error) {
	base, err := s.Outline.Now(ctx)
	if err != nil {
		return nil, err
	}
	if f := s.current.Load(); f != nil && f.base == base {
		return f, nil
	}
	return s.looks.Share(ctx, struct{}{})
}

// refresh updates the tree. One refresh runs at a time.
func (s *Service) refresh([]struct{}) (*tree, error) {
	ctx := s.Store.DB.Life().Context()
	base, err := s.Outline.Now(ctx)
	if err != nil {
		return nil, err
	}
	last := s.current.Load()
	if last != nil && last.base == base {
		return last, nil
	}
	set, err := s.readSettings(ctx)
	if err != nil {
		return nil, s.Store.DB.Life().Err(err)
	}
	if last == nil || last.base.Loaded != base.Loaded {
		s.kept.clear()
	}
	next := &tree{}
	if last != nil && last.base.For(audience()) == base.For(audience()) && set.isSame(last.settings) {
		*next = *last
		next.base, next.moment.change = base, base.Changed
	} else if next, err = s.arrange(base, set); err != nil {
		return nil, s.Store.DB.Life().Err(err)
	}
	s.current.Store(next)
	return next, nil
}

// arrange builds the tree of the pages.
func (s *Service) arrange(base *outline.Outline, set *settings) (*tree, error) {
	layout := base.For(audience())
	n := len(layout.Pages)
	o := &tree{
		base: base, moment: moment{base.Changed, set.version}, settings: set,
		pages: make(map[octavo.ID]*page, n), slugs: make(map[string]*page, n), paths: make(map[string]*page, n),
	}
	for _, p := range layout.Pages {
		said := p.Load()
		made := &page{Node: look.NewNode(s.At("/"+said.Slug), said.Title), id: said.ID, slug: said.Slug, said: p}
		o.pages[said.ID], o.slugs[said.Slug] = made, made
		if said.Path != "" {
			key := reference.PathKey(said.Path)
			_, claimed := o.paths[key]
			if o.paths[key] = made; claimed {
				o.paths[key] = nil
			}
		}
	}
	o.order = make([]*page, 0, n)
	var add func(above *page, list []*outline.Page)
	add = func(above *page, list []*outline.Page) { // as deep as the tree, at most octavo.MaxDepth
		for _, said := range list {
			p := o.pages[said.Load().ID]
			p.index = len(o.order)
			o.order = append(o.order, p)
			if above == nil {
				o.look.Top = append(o.look.Top, p.Node)
			} else {
				p.Parent = above.Node
				above.Children = append(above.Children, p.Node)
			}
			add(p, layout.Children(p.id))
		}
	}
	add(nil, layout.Children(""))
	return o, s.dress(o)
}

// dress prepares what all pages have in common.
func (s *Service) dress(o *tree) (err error) {
	home := s.At("")
	language := ""
	if len(o.order) > 0 {
		o.home = o.order[0]
		if id := o.settings.Home; id != nil && o.pages[*id] != nil {
			o.home = o.pages[*id]
		}
		o.home.Href = home
		language = o.home.said.Load().Language
	}
	language = cmp.Or(o.settings.Language, language, words.LanguageOf(func(yield func(string) bool) {
		for _, p := range o.order {
			if !yield(p.Name) {
				return
			}
		}
	}), "en")
	for _, p := range o.order {
		if said := p.said.Load().Language; !slices.Contains(o.spoken, said) {
			o.spoken = append(o.spoken, said)
		}
	}
	o.tongue = words.In(language)
	o.look.Title, o.look.Language, o.look.Words = o.tongue.Untitled, language, &o.tongue
	if len(o.look.Top) == 1 {
		o.look.Title = o.look.Top[0].Name
	}
	o.look.Home, o.look.Find = home, s.own+"/search"
	o.look.More = func(above *look.Node) string {
		if above == nil {
			return s.own + "/pages"
		}
		slug := strings.TrimPrefix(above.Href, s.base+"/")
		if above.Href == home {
			slug = o.home.slug
		}
		return s.own + "/pages?under=" + slug
	}
	if o.look.Files, err = s.links(language); err != nil {
		return err
	}
	if err = s.customize(o); err != nil {
		return err
	}
	o.abroad = map[string]*look.Site{}
	for _, spoken := range o.spoken {
		if spoken != "" && spoken != language {
			if o.abroad[spoken], err = s.translate(o, spoken); err != nil {
				return err
			}
		}
	}
	return nil
}

// translate returns what stands around pages in another language. Where that has no
// words of ours, those of the site stay.
func (s *Service) translate(o *tree, language string) (*look.Site, error) {
	site, tongue := o.look, o.tongue
	if spoken := words.Known(language); spoken != "en" || octavo.InLanguage(language, "en") {
		files, err := s.links(spoken)
		if err != nil {
			return nil, err
		}
		tongue = words.In(spoken)
		site.Files = files + o.style(s.own)
	}
	site.Language, site.Words, site.Footer = language, &tongue, s.footer(&tongue, o.settings)
	return &site, nil
}

// around returns what stands around pages in a language.
func (o *tree) around(language string) *look.Site {
	if site := o.abroad[language]; site != nil {
		return site
	}
	return &o.look
}

// ref identifies the state of a page as read here.
func (o *tree) ref(p *page) pagestore.Ref {
	ref := p.said.Load().Ref()
	if o.pages[ref.ParentID] == nil {
		ref.ParentID = ""
	}
	return ref
}

// neighbour returns the page at a distance in reading order, or nil.
func (o *tree) neighbour(p *page, by int) *look.Node {
	if i := p.index + by; 0 <= i && i < len(o.order) {
		return o.order[i].Node
	}
	return nil
}
