package pages

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// Include returns a function, as package document expects it, that finds the
// imported files of a page that the audience may see. failed then returns
// why an existing one could not be read.
func (s *Service) Include(ctx context.Context, aud octavo.Audience, page octavo.Page) (include func(file string) (text string, mdx, found bool), failed func() error) {
	// An audience that sees the page sees the files that it includes.
	return s.including(ctx, octavo.Audience{}, func() ([]assetstore.Use, error) { return s.usesOf(ctx, aud, page) })
}

// including is Include for the files that meant returns, as far as aud sees them.
func (s *Service) including(ctx context.Context, aud octavo.Audience, uses func() ([]assetstore.Use, error)) (include func(file string) (text string, mdx, found bool), failed func() error) {
	var meant []assetstore.Use
	var problem error
	asked := false
	var last struct { // several parts of one file tend to follow one another
		asset      octavo.ID
		text       string
		mdx, found bool
	}
	include = func(file string) (text string, mdx, found bool) {
		if !asked { // hardly any page imports one
			asked = true
			meant, problem = uses()
		}
		for _, use := range meant {
			if problem == nil && markdown.Names(use.Href, file) {
				if last.asset != use.Asset {
					last.asset = use.Asset
					last.text, _, last.mdx, last.found, problem = s.part(ctx, aud, use.Asset)
				}
				return last.text, last.mdx, last.found
			}
		}
		return "", false, false
	}
	return include, func() error { return problem }
}

// part reads an asset that pages include, and the path of its file.
func (s *Service) part(ctx context.Context, aud octavo.Audience, id octavo.ID) (text, source string, mdx, found bool, err error) {
	files, err := s.assets.FilesByID(ctx, aud, []octavo.ID{id})
	if err != nil || len(files) == 0 {
		return "", "", false, false, err
	}
	source = files[id].Source
	file, err := s.OpenBlob(ctx, files[id].Blob)
	if errors.Is(err, fs.ErrNotExist) {
		return "", "", false, false, nil
	}
	if err != nil {
		return "", "", false, false, fmt.Errorf("open the bytes of asset %s: %w", id, err)
	}
	text, mdx, err = markdown.Part(file, source)
	return text, source, mdx, err == nil, errors.Join(err, file.Close())
}

// linkParts adds the addresses of links in the texts that a page includes, as far as aud
// sees these. They are relative to the page, else to the included file.
func (s *Service) linkParts(ctx context.Context, aud, parts octavo.Audience, page octavo.Page, meant []assetstore.Use, a Addresses, v View) error {
	left := document.MaxIncluded
	v.anchors = a.anchors
	for _, use := range meant {
		if !reference.IsText(use.Href) || left < 0 {
			continue // the common case
		}
		text, source, _, found, err := s.part(ctx, parts, use.Asset)
		if err != nil {
			return err
		}
		left -= len(text)
		for _, from := range []string{page.Source, source} {
			if !found || left < 0 {
				continue
			}
			part := Deriver(s.PublicURL)(pagestore.Source{ID: page.ID, Slug: page.Slug, Path: from, Content: text, Dialect: page.Dialect})
			targets, err := s.pages.Resolve(ctx, aud, page.ID, part.Targets)
			if err != nil {
				return err
			}
			at, err := s.lead(ctx, aud, part.Links, targets, v)
			if err != nil {
				return err
			}
			for href, to := range at.Links {
				if _, own := a.Links[href]; !own {
					a.Links[href], a.Titles[href], a.pages[href] = to, at.Titles[href], at.pages[href]
				}
			}
		}
	}
	return nil
}
