package site

import (
	"archive/zip"
	"fmt"
	"io"
	"path"
	"time"

	"github.com/klauspost/compress/flate"
)

// archive is the zip that is being written. All its files have one time, so
// that equal sites have equal bytes.
type archive struct {
	*zip.Writer
	time time.Time
}

// level of compression: past it, time grows faster than size shrinks.
const level = 5

func newArchive(out io.Writer) *archive {
	begin := time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC) // the first that a zip can tell
	a := &archive{Writer: zip.NewWriter(out), time: begin}
	var one *flate.Writer // for all files, since they come one after another
	a.RegisterCompressor(zip.Deflate, func(w io.Writer) (_ io.WriteCloser, err error) {
		if one == nil {
			one, err = flate.NewWriter(w, level)
			return one, err
		}
		one.Reset(w)
		return one, nil
	})
	return a
}

// write adds a file.
func (a *archive) write(name string, content []byte) error {
	w, err := a.create(name)
	if err == nil {
		_, err = w.Write(content)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// create begins a file, which ends with the next. What is compressed already
// is stored as it is.
func (a *archive) create(name string) (io.Writer, error) {
	method := zip.Deflate
	switch path.Ext(name) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".zip", ".gz", ".7z", ".mp3", ".mp4", ".webm", ".ogg", ".woff", ".woff2", ".docx", ".xlsx", ".pptx":
		method = zip.Store
	}
	return a.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: a.time})
}

func (a *archive) close() error {
	if err := a.Close(); err != nil {
		return fmt.Errorf("finish the zip: %w", err)
	}
	return nil
}
