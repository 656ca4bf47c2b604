package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// assetReferences returns the addresses on a page, of pictures (shown) and
// other links, that may be assets: addresses of assets on this server,
// absolute or from the root, and paths of imported files.
func assetReferences(shown, others []string, source, baseURL string) []pagestore.AssetReference {
	var list []pagestore.AssetReference
	seen, rows := make(map[string]bool, len(shown)+len(others)), 0
	for i, href := range slices.Concat(shown, others) {
		if seen[href] || rows >= maxTargets {
			continue
		}
		seen[href] = true
		files := reference.Files
		if i < len(shown) {
			files = reference.ShownFiles
		}
		targets := files(href, source, baseURL)
		if key := assetKey(href, baseURL); key != "" {
			targets = []string{assetstore.Target(key)}
		}
		if rows += len(targets); len(targets) > 0 {
			list = append(list, pagestore.AssetReference{Href: href, Targets: targets})
		}
	}
	return list
}

// assetKey returns the key in the address of an asset on this server, or "".
func assetKey(href, baseURL string) string {
	for _, u := range reference.Read(href, baseURL) {
		if key := octavo.AssetKey(u.Path); key != "" {
			return key
		}
	}
	return ""
}

// Limits for the front matter.
const (
	maxFrontAddress   = 2 << 10 // bytes of one string
	maxFrontAddresses = 1000
)

// frontAddresses returns the strings of front matter that may be addresses,
// at any depth.
func frontAddresses(frontmatter []byte) []string {
	if bytes.IndexByte(frontmatter, '.') < 0 && bytes.IndexByte(frontmatter, '/') < 0 {
		return nil // most have none
	}
	v, err := octavo.ValueOf(frontmatter)
	if err != nil {
		return nil
	}
	var list []string
	var walk func(octavo.Value)
	walk = func(v octavo.Value) {
		if v.Kind == octavo.KindString && len(v.Str) <= maxFrontAddress && len(list) < maxFrontAddresses &&
			(strings.ContainsRune(v.Str, '.') || octavo.AssetKey(v.Str) != "") && !strings.ContainsAny(v.Str, " \t\r\n") {
			list = append(list, v.Str)
		}
		for _, item := range v.Items {
			walk(item)
		}
		for _, m := range v.Members {
			walk(m.Value)
		}
	}
	walk(v)
	return list
}

// includeAssets adds the assets that pages refer to. A path may match several; only the
// one that is meant counts.
func (s *Service) includeAssets(ctx context.Context, aud octavo.Audience, list []*octavo.Page, ids []octavo.ID) error {
	assets, err := s.assets.OfPages(ctx, aud, ids)
	if err != nil {
		return err
	}
	uses, err := s.assets.Uses(ctx, aud, ids)
	if err != nil {
		return err
	}
	for _, p := range list {
		meant := map[string]octavo.ID{}
		for _, use := range s.meant(uses[p.ID], p.Source) {
			meant[use.Href] = use.Asset
		}
		p.Assets = []json.RawMessage{}
		for _, a := range assets[p.ID] {
			a.References = slices.DeleteFunc(a.References, func(href string) bool { return meant[href] != a.ID })
			if len(a.References) > 0 {
				a.URL = s.AssetURL(a)
				p.Assets = append(p.Assets, a.AppendJSON(nil))
			}
		}
	}
	return nil
}

// usesOf returns the asset of each of a page's references.
func (s *Service) usesOf(ctx context.Context, aud octavo.Audience, page octavo.Page) ([]assetstore.Use, error) {
	uses, err := s.assets.Uses(ctx, aud, []octavo.ID{page.ID})
	return s.meant(uses[page.ID], page.Source), err
}

// meant keeps the asset that each reference means in the file at a path, or "".
func (s *Service) meant(uses []assetstore.Use, source string) []assetstore.Use {
	return assetstore.Meant(uses, func(href string, targets []string) int {
		return reference.FirstFile(targets, href, source, s.PublicURL)
	})
}
