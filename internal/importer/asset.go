package importer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/importer/beside"
	"github.com/octavo-docs/octavo/internal/importer/filename"
)

// AssetTarget is a [Target] that also stores files. Pictures, films, sounds, fonts,
// documents and whatever pages refer to become assets, which keep their path: the
// reference ../img/logo.png in a page finds its asset by path.
type AssetTarget interface {
	Target

	// Assets iterates over all assets, in any order.
	Assets(ctx context.Context) iter.Seq2[octavo.Asset, error]

	// PutAsset stores a file as an asset. It replaces the one that an earlier import
	// made of the same file.
	PutAsset(ctx context.Context, source string, content io.ReadSeeker) (octavo.Asset, error)
}

// shownTexts returns the possible paths of texts that pages embed.
func (p *plan) shownTexts() (names []string) {
	for _, f := range p.files {
		for _, href := range f.shown {
			for _, name := range reference.ShownFiles(href, f.path, "") {
				if !filename.IsMedia(name) && (!filename.IsHidden(name) || reference.IsText(name)) {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// chooseAssets divides the files that are not pages into assets and others, which it
// reports. It reads texts that pages embed.
func (p *plan) chooseAssets(fsys beside.FS, names []string, now time.Time, rules []rule) (assets []string) {
	wanted, named := map[string]bool{}, map[string]string{}
	for _, name := range slices.Backward(names) { // of files with equal names the first counts
		named[reference.FileKey(name)] = name
	}
	for _, f := range p.files {
		for _, href := range f.shown {
			for _, file := range reference.ShownFiles(href, f.path, "") {
				wanted[file], wanted[named[file]] = true, true
			}
		}
		for _, href := range f.links {
			for _, file := range reference.Files(href, f.path, "") {
				wanted[file], wanted[named[file]] = true, true
			}
		}
	}
	said, held := map[string]bool{}, map[string]bool{}
	for _, f := range p.files {
		if wanted[f.path] && (f.meta.publication.draft(now) || f.broken) {
			p.draftParts, held[f.path] = append(p.draftParts, f.path), true
		}
	}
	for _, e := range p.entries {
		said[e.Path] = true
	}
	for _, name := range names {
		if held[name] {
			continue // the entry of the page says so
		}
		e, why := Entry{Path: name}, ""
		if octavo.CheckAssetSource(name) != "" && filename.IsHidden(name) {
			e.skip(1, "files in a folder .git are not imported")
			p.entries = append(p.entries, e)
			continue
		}
		if wanted[name] && reference.IsText(name) {
			p.parts[name], why = readPart(fsys, name, now, rules)
		}
		switch {
		case why != "":
			e.skip(p.parts[name].meta.publication.line, "%s", why)
			e.Failed = p.parts[name].entry.Failed
			p.draftParts = append(p.draftParts, name)
			delete(p.parts, name)
		case filename.IsMedia(name) && !filename.IsHidden(name) || wanted[name]:
			assets = append(assets, name)
			if key := reference.FileKey(name); p.parts[name] != nil && p.parts[key] == nil {
				p.parts[key] = p.parts[name]
			}
			continue
		case filename.IsHidden(name) || said[name]:
			continue // the entry of its folder reports it
		case p.read[name], wanted[path.Join(fsys.Folder, name)]: // or named from above the folder
			continue
		case filename.IsNavigation(name):
			e.skip(1, lostOrder)
		case reference.IsText(name):
			e.skip(1, "files and folders of this name contain parts of other pages, not pages")
		case strings.Contains(" .adoc .ipynb .mdown .mkd .mkdn .org .qmd .rmd .rst .textile ", " "+strings.ToLower(path.Ext(name))+" "):
			e.skip(1, "files of this kind are not pages here, though some generators make pages of them")
		default:
			e.skip(1, "no page refers to the file")
		}
		p.entries = append(p.entries, e)
	}
	return assets
}

func (p *plan) applyAssets(ctx context.Context, fsys fs.FS, names []string, target Target, opts Options, progress *progress) error {
	to, ok := target.(AssetTarget)
	entries := make([]Entry, len(names))
	defer func() { p.entries = append(p.entries, entries...) }()
	for i, name := range names {
		if entries[i] = skipped(name, "a proposal takes only pages"); !ok {
			progress.step()
		}
	}
	if !ok || len(names)+len(p.draftParts) == 0 {
		return nil
	}
	known := map[string]octavo.Asset{}
	for asset, err := range to.Assets(ctx) {
		if err != nil {
			return fmt.Errorf("read the assets that are there: %w", err)
		}
		if asset.Source != "" {
			known[asset.Source] = asset
		}
	}
	for _, name := range p.draftParts { // an earlier import may have stored such a file
		if known[name].Size > 0 && !opts.DryRun {
			if _, err := to.PutAsset(ctx, name, strings.NewReader("")); err != nil {
				return fmt.Errorf("empty %s, which is held back: %w", name, err)
			}
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(max(opts.Workers, 1))
	for i, name := range names {
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			e := Entry{Path: name}
			old, found := known[name]
			err := e.putAsset(ctx, fsys, to, old, found, opts.DryRun)
			if e.Action == Updated && p.before == 0 { // the first import of this set
				e.note(1, "another file had this path; pages of other import sets that refer to it show this one from now on")
			}
			entries[i] = e
			progress.step()
			return err
		})
	}
	return group.Wait()
}

// putAsset updates one asset from its file. It notes refusals; the error means that
// the target failed.
func (e *Entry) putAsset(ctx context.Context, fsys fs.FS, to AssetTarget, old octavo.Asset, found, dryRun bool) error {
	if wrong := octavo.CheckAssetSource(e.Path); wrong != "" {
		e.fail("the file was refused: its path %s", wrong)
		return nil
	}
	file, err := fsys.Open(e.Path)
	if err != nil {
		e.fail("open the file: %v", err)
		return nil
	}
	defer file.Close()
	content, ok := file.(io.ReadSeeker)
	if !ok {
		e.fail("the file cannot be read twice")
		return nil
	}
	if found {
		e.ID, e.Action = old.ID, Unchanged
		sum := sha256.New()
		if _, err := io.Copy(sum, content); err != nil {
			e.fail("read the file: %v", err)
			return nil
		}
		if hex.EncodeToString(sum.Sum(nil)) == old.SHA256 {
			return nil
		}
	}
	e.Action = Created
	if found {
		e.Action = Updated
	}
	if dryRun {
		return nil
	}
	if _, err := content.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("read %s again: %w", e.Path, err)
	}
	asset, err := to.PutAsset(ctx, e.Path, content)
	var refused *octavo.Error
	switch {
	case err == nil:
		e.ID = asset.ID
	case errors.As(err, &refused) && refused.Type.Info().Status < 500 && refused.Type != octavo.Unauthorized && refused.Type != octavo.Forbidden:
		e.fail("the file was refused: %s", refusal(err))
	default:
		return fmt.Errorf("import %s: %w", e.Path, err)
	}
	return nil
}
