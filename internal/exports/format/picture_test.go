package format_test

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/blob"
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

// TestPicturesThatCannotBeRead shows that no file stays open, whatever becomes
// of it.
func TestPicturesThatCannotBeRead(t *testing.T) {
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
