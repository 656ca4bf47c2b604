package pages

import (
	"context"
	"errors"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/embed"
	"github.com/octavo-docs/octavo/internal/document/reference"
)

// embed adds to a document what its page embeds of pages that the audience sees, and the
// addresses on these to at, which is then unlike [Service.Addresses].
func (s *Service) embed(ctx context.Context, aud octavo.Audience, page octavo.Page, d *document.Document, at Addresses, v View) error {
	if page.Dialect != octavo.DialectObsidian && page.Dialect != octavo.DialectMyST {
		return nil
	}
	var failed error
	v.anchors = at.anchors
	embed.Into(d, string(page.ID), embed.Pages{
		Find: func(href string) (string, bool) {
			id, found := at.pages[href]
			return string(id), found && failed == nil
		},
		Read: func(id string) (size int, parsed func() *document.Document) {
			shown, err := s.pages.Get(ctx, aud, octavo.ID(id))
			if octavo.IsType(err, octavo.NotFound) { // deleted meanwhile
				return 0, nil
			}
			var own Addresses
			if err == nil {
				own, err = s.Addresses(ctx, aud, shown, v)
			}
			if failed = err; err != nil {
				return 0, nil
			}
			return len(shown.Content), func() *document.Document {
				include, unread := s.Include(ctx, aud, shown)
				inner := parse(shown, include)
				failed = errors.Join(failed, unread())
				name(inner, own, v)
				at.add(shown.ID, own, v.Link(shown.ID, shown.Slug))
				return inner
			}
		},
	})
	return failed
}

// add adds the addresses on an embedded page.
func (a Addresses) add(id octavo.ID, own Addresses, page string) {
	a.Links[reference.On(string(id), "#")] = page
	for href, to := range own.Links {
		here := reference.On(string(id), href)
		a.Links[here], a.pages[here] = to, own.pages[href]
	}
	for href, to := range own.Files {
		a.Files[reference.On(string(id), href)] = to
	}
}
