package live

import (
	"context"
	"hash/fnv"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// A page is indexed with the link texts of other pages. The pages with these
// links, each with a hash of the texts, are stored with it as its origins.
// When a page has changed, its links are compared with the origins of the
// pages that they lead to or led to. Only if the two differ, a page is read
// again. Further origins are its former slugs, which another page may take,
// and one that says that more pages link to it than are read.

func linkOrigin(from octavo.ID) string { return "link " + string(from) }
func slugOrigin(slug string) string    { return "slug " + slug }
func fullOrigin(id octavo.ID) string   { return "full " + string(id) }

// addLink adds a link to the hash of the links from one page to another.
func addLink(hash uint32, text string) uint32 {
	h := fnv.New32a()
	_, _ = h.Write([]byte{byte(hash), byte(hash >> 8), byte(hash >> 16), byte(hash >> 24)}) // it never fails
	_, _ = h.Write([]byte(text))                                                            // as above
	return h.Sum32()
}

// linkTexts adds the link texts of pages, by page, and the resulting origins.
func (s *Service) linkTexts(ctx context.Context, aud octavo.Audience, ids []octavo.ID, into map[octavo.ID]*linked) error {
	if len(ids) == 0 {
		return nil
	}
	links, err := s.Store.Index.LinkTexts(ctx, aud, ids)
	if err != nil {
		return err
	}
	for _, l := range links {
		page := into[l.To]
		if page == nil {
			page = &linked{from: map[octavo.ID]uint32{}}
			into[l.To] = page
		}
		page.texts = append(page.texts, l.Text)
		page.from[l.From] = addLink(page.from[l.From], l.Text)
	}
	return nil
}

// linked has the link texts of a page.
type linked struct {
	texts []string
	from  map[octavo.ID]uint32
}

// origins returns what a page's document is made from, for storing in the index.
func origins(id octavo.ID, names pagestore.Names, links *linked) []search.Origin {
	var origins []search.Origin
	for _, slug := range names.Redirecting {
		origins = append(origins, search.Origin{Key: slugOrigin(slug)})
	}
	if links != nil {
		for from, state := range links.from {
			origins = append(origins, search.Origin{Key: linkOrigin(from), State: state})
		}
		if len(links.from) >= pagestore.LinkTextPages {
			origins = append(origins, search.Origin{Key: fullOrigin(id)})
		}
	}
	return origins
}

// putLinked indexes the pages again whose link texts from some changed pages
// differ from the index.
func (s *Service) putLinked(ctx context.Context, index *search.Index, changed []octavo.ID) error {
	var differ []octavo.ID
	for chunk := range slices.Chunk(changed, pageBatch) {
		found, err := relinked(ctx, s.Store, index, chunk)
		if err != nil {
			return err
		}
		differ = append(differ, found...)
	}
	slices.Sort(differ)
	return s.put(ctx, index, slices.Compact(differ), nil)
}

// relinked returns the pages whose link texts from some pages differ from the index.
func relinked(ctx context.Context, st *store.Store, index *search.Index, changed []octavo.ID) ([]octavo.ID, error) {
	links, err := st.Index.LinkTextsOn(ctx, changed)
	if err != nil {
		return nil, err
	}
	type pair struct{ from, to octavo.ID }
	now := make(map[pair]uint32, len(links))
	for _, l := range links {
		now[pair{l.From, l.To}] = addLink(now[pair{l.From, l.To}], l.Text)
	}
	var differ []octavo.ID
	for _, from := range changed {
		for to, state := range index.MadeFrom(linkOrigin(from)) {
			p := pair{from, octavo.ID(to)}
			if present, leads := now[p]; !leads || present != state {
				differ = append(differ, p.to)
			}
			delete(now, p)
		}
	}
	for p := range now {
		if len(index.MadeFrom(fullOrigin(p.to))) == 0 {
			differ = append(differ, p.to)
		}
	}
	return differ, nil
}

// putRivals indexes the pages again that links may have led to before, or
// may lead to now, because some pages were created, removed or renamed.
func (s *Service) putRivals(ctx context.Context, index *search.Index, renamed []octavo.ID, slugs []string) error {
	var rivals []octavo.ID
	for chunk := range slices.Chunk(renamed, pageBatch) {
		found, err := s.Store.Index.LinkRivals(ctx, chunk)
		if err != nil {
			return err
		}
		rivals = append(rivals, found...)
	}
	for _, slug := range slugs {
		for id := range index.MadeFrom(slugOrigin(slug)) {
			rivals = append(rivals, octavo.ID(id))
		}
	}
	slices.Sort(rivals)
	return s.put(ctx, index, slices.Compact(rivals), nil)
}
