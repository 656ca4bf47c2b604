package format_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
)

// watched is a blob store that counts the files which are open, and changes
// each of them.
type watched struct {
	blob.Store
	open   *atomic.Int64
	change func(blob.File) blob.File
}

func (w watched) Open(ctx context.Context, key string) (blob.File, error) {
	file, err := w.Store.Open(ctx, key)
	if err != nil {
		return nil, err
	}
	w.open.Add(1)
	return watchedFile{w.change(file), w.open}, nil
}

type watchedFile struct {
	blob.File
	open *atomic.Int64
}

func (f watchedFile) Close() error {
	f.open.Add(-1)
	return f.File.Close()
}

// huge says that it has more bytes than are read of an image.
type huge struct{ blob.File }

func (huge) Size() int64 { return 65 << 20 }

// unreadable breaks off.
type unreadable struct{ blob.File }

func (unreadable) Read([]byte) (int, error) { return 0, errors.New("the disk is broken") }

// TestUnreadablePictures shows that no file stays open, whatever becomes
// of it.
func TestUnreadablePictures(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change  func(blob.File) blob.File
		warning string
		err     string
	}{
		"whole":      {func(f blob.File) blob.File { return f }, "", ""},
		"too large":  {func(f blob.File) blob.File { return huge{f} }, "the image is too large", ""},
		"unreadable": {func(f blob.File) blob.File { return unreadable{f} }, "", "the disk is broken"},
	} {
		r := newRig(t)
		r.tree()
		w := watched{r.Blobs, &atomic.Int64{}, c.change}
		r.Blobs = w
		var out bytes.Buffer
		report, err := r.Render(t.Context(), octavo.ExportRequest{
			Format: octavo.ExportPDF, Scope: octavo.ExportPublished, Selection: octavo.ExportSelection{Mode: octavo.SelectAll}, Rendering: octavo.ExportRendering{EmbedAssets: true},
		}, &out, func(int, int) {})
		if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%s: have %v, want %q", name, err, c.err)
		}
		if have := strings.Join(warned(report), "\n"); !strings.Contains(have, c.warning) {
			t.Errorf("%s: have warnings %q, want %q", name, have, c.warning)
		}
		if open := w.open.Load(); open != 0 {
			t.Errorf("%s: %d files are still open", name, open)
		}
	}
}

// TestFilesByAddress shows that what is named by the address of an asset on this server,
// whatever stands behind its question mark, is in sites and books.
func TestFilesByAddress(t *testing.T) {
	t.Parallel()
	var dot bytes.Buffer
	exporttest.Must(t, png.Encode(&dot, image.NewRGBA(image.Rect(0, 0, 2, 2))))
	r := newRig(t)
	a := r.asset("p 1.png", dot.String())
	path := octavo.AssetPath(a.Key, a.Name)
	text := "# T\n\n"
	for _, form := range []string{path, path + "?expires=1&signature=x"} {
		text += "![dot](" + form + ")\n\n[file](" + form + "#x)\n\n"
	}
	r.page(exporttest.Published("t", text))
	in := octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportPublished}
	files, _, report := r.files(in)
	if n, m := strings.Count(files["t.html"], `<img src="assets/`), strings.Count(files["t.html"], `href="assets/`); n != 2 || m != 2 || len(report.Warnings) > 0 || files["assets/p-1.png"] != dot.String() {
		t.Errorf("html: have %d pictures and %d links, %v\n%s", n, m, report.Warnings, files["t.html"])
	}
	in.Format = octavo.ExportPDF
	_, file, report := r.files(in)
	if !bytes.Contains(file, []byte("/Subtype/Image")) || len(report.Warnings) > 0 {
		t.Errorf("pdf: have %v, want a picture", report.Warnings)
	}
}
