package site

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"strings"

	"github.com/octavo-docs/octavo/internal/document/reference"
)

// queued is an asset to be written.
type queued struct {
	asset Asset
	file  string
}

// resolver resolves the addresses on one page.
type resolver struct {
	*builder
	page   Page
	remote bool // the page shows external images
}

func (r *resolver) link(href string) (to string, found bool) {
	if r.options.Link != nil {
		if target, ok := r.options.Link(r.page, href); ok {
			return r.address(target)
		}
	}
	if to, found = r.asset(href); found {
		return reference.WithFragment(to, href), true
	}
	href = reference.Plain(href)
	return href, isWeb(href) // other sites are linked as written
}

func (r *resolver) address(t Target) (to string, found bool) {
	it := r.byKey[t.Key]
	if it == nil || t.Key == "" {
		return t.Address, t.Address != ""
	}
	if t.Fragment == "" {
		return it.Href, true
	}
	return it.Href + (&url.URL{Fragment: t.Fragment}).String(), true
}

func (r *resolver) image(src string) (to string, found bool) {
	to, found = r.asset(src)
	to = reference.WithFragment(to, src)
	r.remote = r.remote || found && isWeb(to)
	return to, found
}

// asset returns the address of an asset; on first use it gets a file.
func (r *resolver) asset(href string) (to string, found bool) {
	if r.options.Asset == nil {
		return "", false
	}
	asset, found := r.options.Asset(r.page, href)
	if !found {
		return "", false
	}
	if asset.Open == nil {
		return asset.Address, asset.Address != ""
	}
	return r.assetFile(asset), true
}

// assetFile returns the file of an asset; on first use it is queued for writing.
func (b *builder) assetFile(asset Asset) (file string) {
	file, known := b.assets[asset.Key]
	if !known {
		file = b.taken.assetFile(asset.Name)
		b.assets[asset.Key] = file
		b.queue = append(b.queue, queued{asset, file})
	}
	return file
}

// others writes the assets of the book that no page has shown.
func (b *builder) others(ctx context.Context) error {
	for _, asset := range b.book.Assets {
		b.assetFile(asset)
	}
	return b.writeAssets(ctx)
}

func (b *builder) writeAssets(ctx context.Context) error {
	for _, q := range b.queue {
		if err := b.writeAsset(ctx, q); err != nil {
			return fmt.Errorf("asset %s: %w", q.asset.Key, err)
		}
	}
	b.queue = b.queue[:0]
	return nil
}

func (b *builder) writeAsset(ctx context.Context, q queued) error {
	content, err := q.asset.Open(ctx)
	if errors.Is(err, fs.ErrNotExist) {
		b.warn("the file %s no longer exists; its text is shown instead", q.asset.Name)
		return nil
	}
	if err != nil {
		return err
	}
	defer content.Close()
	file, err := b.zip.create(q.file)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	return err
}

func isWeb(href string) bool {
	lower := strings.ToLower(href)
	return strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://") || strings.HasPrefix(lower, "//")
}
