package format

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/book"
	"github.com/octavo-docs/octavo/internal/importer"
)

// Markdown is the format of a zip with the original files. Folders are the
// tree, assets are beside the pages, and importing it again gives the same
// pages. Files are stored uncompressed.
type Markdown struct{ reader importer.Reader }

// NewMarkdown returns the format.
func NewMarkdown() Markdown { return Markdown{importer.NewReader()} }

// File implements Format.
func (Markdown) File() (suffix, mediaType string) { return ".zip", "application/zip" }

// zipTime is the time of all files in an archive, so that the same book
// gives the same bytes: the oldest time of a zip.
func zipTime() time.Time { return time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC) }

// Write implements Format.
func (m Markdown) Write(ctx context.Context, out io.Writer, b *book.Book, done func()) error {
	archive := zip.NewWriter(out)
	at := newArchiveNames()
	names := m.fileNames(b, at)
	var l lost
	for text, err := range b.Texts(ctx) {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if !kept(b, text) {
			continue
		}
		file := m.file(b, text, names[text.ID], &l)
		w, err := archive.CreateHeader(&zip.FileHeader{Name: names[text.ID], Modified: zipTime()})
		if err == nil {
			_, err = w.Write(file)
		}
		if err != nil {
			return fmt.Errorf("write page %s: %w", text.ID, err)
		}
		done()
	}
	l.warn(b)
	if b.Request.Rendering.EmbedAssets {
		if err := writeAssets(ctx, archive, b, at); err != nil {
			return err
		}
	}
	err := archive.Close()
	return octavo.Wrapf(err, "end the archive")
}

// fileNames gives each page the name of its file, by id: the imported one, or
// else one below its parent's.
func (m Markdown) fileNames(b *book.Book, at *archiveNames) map[octavo.ID]string {
	names := make(map[octavo.ID]string, len(b.Pages))
	for _, p := range b.Pages {
		if p.Path != "" && importer.IsPage(p.Path) && safeName(p.Path) && at.free(p.Path) {
			names[p.ID] = at.take(p.Path)
		}
	}
	for _, p := range b.Pages {
		if names[p.ID] == "" {
			names[p.ID] = at.take(m.ownPlace(p, names))
			if importer.IsPage(p.Path) {
				b.Warn(octavo.ExportWarning{Page: p.ID, Message: fmt.Sprintf("Its file is %s: the archive cannot have it at the path of its import.", names[p.ID])})
			}
		}
	}
	return names
}

// ownPlace returns the file name of a page without an imported one: its
// slug, without a prefix of the parent's slug, in the parent's folder.
func (m Markdown) ownPlace(p *book.Page, names map[octavo.ID]string) string {
	dir, name := "", p.Slug
	if p.Parent != nil {
		dir = folderOf(names[p.Parent.ID])
		if rest, ok := strings.CutPrefix(p.Slug, p.Parent.Slug+"-"); ok {
			name = rest
		}
	}
	if len(name) > maxPart/2 {
		name = strings.TrimRight(name[:maxPart/2], "-")
	}
	if isDevice(name) || name == "index" || name == "readme" {
		name += "-page"
	}
	if m.reader.Read(name+".md", nil).Position != nil {
		name = "page-" + name // a leading number would mean a position among siblings
	}
	if len(p.Children) > 0 {
		return path.Join(dir, name, "index.md")
	}
	return path.Join(dir, name+".md")
}

func folderOf(file string) string {
	base := strings.TrimSuffix(path.Base(file), path.Ext(file))
	if slices.Contains([]string{"index", "_index", "readme"}, strings.ToLower(base)) {
		return path.Dir(file)
	}
	return path.Join(path.Dir(file), base)
}

// writeAssets writes the assets: each at its imported path, or in the folder assets.
func writeAssets(ctx context.Context, archive *zip.Writer, b *book.Book, at *archiveNames) error {
	for _, a := range b.Assets {
		if err := ctx.Err(); err != nil {
			return err
		}
		if importer.IsPage(a.Source) && at.files[nameKey(a.Source)] {
			continue // the file of a page, which others show
		}
		file, err := b.Open(ctx, a)
		if book.Gone(err) {
			b.Warn(octavo.ExportWarning{Message: fmt.Sprintf("The bytes of the asset %s are missing, so it is left out.", a.ID)})
			continue
		}
		if err != nil {
			return err
		}
		name := a.Source
		if name == "" || !safeName(name) || importer.IsPage(name) && !b.Refers(a) {
			name = "assets/" + a.Name
			if !safeName(name) {
				name = "assets/" + string(a.ID) + path.Ext(a.Name)
			}
		}
		w, err := archive.CreateHeader(&zip.FileHeader{Name: at.take(name), Modified: zipTime()})
		if err == nil {
			_, err = io.Copy(w, file)
		}
		if closed := file.Close(); err == nil {
			err = closed
		}
		if err != nil {
			return fmt.Errorf("write asset %s: %w", a.ID, err)
		}
	}
	return nil
}
