package live

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/search"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// How much is read from the store at once.
const (
	pageBatch = 500      // pages, at most
	textBatch = 16 << 20 // bytes of their text, unless a single page has more
)

// maxText limits how many bytes of a page's content are indexed. A longer
// page would keep all others waiting.
const maxText = 4 << 20

// put updates pages in the index from the store. note, if non-nil, is called
// for each page that exists.
func (s *Service) put(ctx context.Context, index *search.Index, ids []octavo.ID, note func(octavo.Page, pagestore.Names)) error {
	for size := pageBatch; len(ids) > 0; {
		chunk := ids[:min(size, len(ids))]
		changes, err := s.read(ctx, chunk, note)
		if errors.Is(err, errLarge) {
			size = max(1, len(chunk)/4)
			continue
		}
		if err != nil {
			return err
		}
		if err := index.Apply(ctx, 0, changes); err != nil {
			return err
		}
		ids = ids[len(chunk):]
		size = min(2*size, pageBatch)
	}
	return nil
}

// errLarge ends the reading of pages with too much text together.
var errLarge = errors.New("the pages have much text")

// read returns the present states of pages.
func (s *Service) read(ctx context.Context, ids []octavo.ID, note func(octavo.Page, pagestore.Names)) ([]search.Change, error) {
	rows, total := 0, 0
	metered := sqldb.MeterRows(ctx, func(bytes int) error {
		if rows, total = rows+1, total+bytes; total > textBatch && len(ids) > 1 {
			return errLarge
		}
		return nil
	})
	pages, err := s.Store.Pages.ByID(metered, octavo.Audience{}, ids)
	if err != nil {
		return nil, err
	}
	// Names that the audience of the page's segment may know.
	var published, others []octavo.ID
	for _, p := range pages {
		if p.Status == octavo.Published {
			published = append(published, p.ID)
		} else {
			others = append(others, p.ID)
		}
	}
	shown, err := s.names(ctx, octavo.Audience{PublishedOnly: true}, published)
	if err != nil {
		return nil, err
	}
	hidden, err := s.names(ctx, octavo.Audience{}, others)
	if err != nil {
		return nil, err
	}
	links := make(map[octavo.ID]*linked, len(pages))
	err = errors.Join(
		s.linkTexts(ctx, octavo.Audience{PublishedOnly: true}, published, links),
		s.linkTexts(ctx, octavo.Audience{}, others, links),
	)
	if err != nil {
		return nil, err
	}
	found := make(map[octavo.ID]*search.Document, len(pages))
	for _, p := range pages {
		names, ok := shown[p.ID]
		if !ok {
			names = hidden[p.ID]
		}
		if found[p.ID], err = s.document(ctx, p, names, links[p.ID]); err != nil {
			return nil, err
		}
		if note != nil {
			note(p, names)
		}
	}
	changes := make([]search.Change, len(ids))
	for i, id := range ids {
		changes[i] = search.Change{ID: string(id), Document: found[id]}
	}
	return changes, nil
}

func (s *Service) names(ctx context.Context, aud octavo.Audience, ids []octavo.ID) (map[octavo.ID]pagestore.Names, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return s.Store.Index.Names(ctx, aud, ids)
}

// document is the indexed form of a page.
func (s *Service) document(ctx context.Context, p octavo.Page, names pagestore.Names, links *linked) (*search.Document, error) {
	include, failed := func(string) (string, bool, bool) { return "", false, false }, func() error { return nil }
	if s.Include != nil {
		include, failed = s.Include(ctx, octavo.Audience{PublishedOnly: p.Status == octavo.Published}, p)
	}
	d := &search.Document{
		ID: string(p.ID), Title: p.Title, Slug: p.Slug, Description: octavo.FrontText(p.Frontmatter, "description"), Tags: octavo.Tags(p.Frontmatter), Language: p.Language,
		FormerSlugs: names.FormerSlugs, Ancestors: names.Ancestors, UpdatedAt: p.UpdatedAt, Published: p.Status == octavo.Published,
		Origins: origins(p.ID, names, links),
	}
	d.Sections, d.Labels = search.Sections(beginning(p.Content), s.Format(p), p.Frontmatter, include)
	if links != nil {
		d.LinkTexts = links.texts
	}
	return d, failed()
}

// beginning returns the part of a page's content that is indexed: whole
// lines, if it has any.
func beginning(content string) string {
	if len(content) <= maxText {
		return content
	}
	end := strings.LastIndexByte(content[:maxText], '\n') + 1
	if end == 0 {
		for end = maxText; end > 0 && !utf8.RuneStart(content[end]); end-- {
		}
	}
	return content[:end]
}
