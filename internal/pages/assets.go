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

// includeAssets adds the assets that pages refer to.
func (s *Service) includeAssets(ctx context.Context, aud octavo.Audience, list []*octavo.Page, ids []octavo.ID) error {
	assets, err := s.assets.OfPages(ctx, aud, ids)
	if err != nil {
		return err
	}
	for _, p := range list {
		found := assets[p.ID]
		if ambiguous(found) {
			if found, err = s.onlyMeant(ctx, aud, *p, found); err != nil {
				return err
			}
		}
		p.Assets = []json.RawMessage{}
		for _, a := range found {
			a.URL = s.AssetURL(a)
			p.Assets = append(p.Assets, a.AppendJSON(nil))
		}
	}
	return nil
}

// ambiguous reports whether a reference of a page matches several of its assets.
func ambiguous(assets []octavo.Asset) bool {
	seen := map[string]bool{}
	for _, a := range assets {
		for _, href := range a.References {
			if seen[href] {
				return true
			}
			seen[href] = true
		}
	}
	return false
}

// onlyMeant keeps the assets that a page actually refers to, each with its references.
func (s *Service) onlyMeant(ctx context.Context, aud octavo.Audience, page octavo.Page, assets []octavo.Asset) (left []octavo.Asset, err error) {
	uses, err := s.meant(ctx, aud, page)
	if err != nil {
		return nil, err
	}
	asset := make(map[string]octavo.ID, len(uses))
	for _, use := range uses {
		asset[use.Href] = use.Asset
	}
	for _, a := range assets {
		a.References = slices.DeleteFunc(a.References, func(href string) bool { return asset[href] != a.ID })
		if len(a.References) > 0 {
			left = append(left, a)
		}
	}
	return left, nil
}

// meant returns the asset of each of a page's references.
func (s *Service) meant(ctx context.Context, aud octavo.Audience, page octavo.Page) ([]assetstore.Use, error) {
	uses, err := s.assets.Uses(ctx, aud, []octavo.ID{page.ID})
	if err != nil {
		return nil, err
	}
	return assetstore.Meant(uses[page.ID], func(href string, targets []string) int {
		return reference.FirstFile(targets, href, page.Source, s.PublicURL)
	}), nil
}
