package pages

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
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
	include = func(file string) (text string, mdx, found bool) {
		if !asked { // hardly any page imports one
			asked = true
			meant, problem = uses()
		}
		for _, use := range meant {
			if problem == nil && markdown.Names(use.Href, file) {
				text, mdx, found, problem = s.part(ctx, aud, use.Asset)
				break
			}
		}
		return text, mdx, found
	}
	return include, func() error { return problem }
}

// part reads an asset that pages include.
func (s *Service) part(ctx context.Context, aud octavo.Audience, id octavo.ID) (text string, mdx, found bool, err error) {
	files, err := s.assets.FilesByID(ctx, aud, []octavo.ID{id})
	if err != nil || len(files) == 0 {
		return "", false, false, err
	}
	file, err := s.OpenBlob(ctx, files[id].Blob)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, false, nil
	}
	if err != nil {
		return "", false, false, fmt.Errorf("open the bytes of asset %s: %w", id, err)
	}
	text, mdx, err = markdown.Part(file, files[id].Source)
	return text, mdx, err == nil, errors.Join(err, file.Close())
}
