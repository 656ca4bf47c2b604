package pages

import (
	"context"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// BrokenLinks lists the links that lead nowhere for the audience, see
// [pagestore.Links.Broken], with their lines.
func (s *Service) BrokenLinks(ctx context.Context, aud octavo.Audience, after sqldb.Cursor, limit int) (links []octavo.BrokenLink, next sqldb.Cursor, more bool, err error) {
	if links, next, more, err = pagestore.NewLinks(s.db).Broken(ctx, aud, after, limit); err != nil {
		return nil, next, false, err
	}
	for begin := 0; begin < len(links); {
		end := begin + 1
		for end < len(links) && links[end].PageID == links[begin].PageID {
			end++
		}
		page, err := s.pages.Get(ctx, aud, links[begin].PageID)
		if err != nil && !octavo.IsType(err, octavo.NotFound) { // it may have been deleted
			return nil, next, false, err
		}
		lines := linesOf(page)
		for i := range links[begin:end] {
			links[begin+i].Line = lines[links[begin+i].Href]
		}
		begin = end
	}
	return links, next, more, nil
}

// linesOf returns the line of the first link to each address on a page.
func linesOf(page octavo.Page) map[string]int {
	d, lines := parse(page, nil), map[string]int{}
	d.Walk(func(n document.Node) bool {
		if link, ok := n.(*document.Link); ok {
			if href, ok := reference.URI(link.Href); ok && lines[href] == 0 {
				lines[href] = d.Position(link.Pos()).Line
			}
		}
		return true
	})
	return lines
}
