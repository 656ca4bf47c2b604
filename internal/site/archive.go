package site

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"io"
	"path"
	"time"

	"github.com/klauspost/compress/flate"

	"github.com/octavo-docs/octavo/internal/deflate"
)

// archive is the zip that is being written. All its files have one time, so
// that equal sites have equal bytes.
//
// Its files are rows of pieces that are compressed each by itself, so that the
// piece of a page can be kept while what stands around it changes; files of
// assets alone are compressed as they come.
type archive struct {
	*zip.Writer
	time  time.Time
	cache *Cache // of pieces; nil keeps none

	flate *flate.Writer // for all pieces
	out   bytes.Buffer  // of it
}

// level of compression: past it, time grows faster than size shrinks.
const level = 5

func newArchive(out io.Writer, cache *Cache) *archive {
	begin := time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC) // the first that a zip can tell
	a := &archive{Writer: zip.NewWriter(out), time: begin, cache: cache}
	var one *flate.Writer // for all assets, since they come one after another
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

// piece is a part of a file in the form of package deflate.
type piece struct {
	compressed []byte
	size       int64 // of the text
	crc        uint32
}

// compress makes a piece.
func (a *archive) compress(text []byte) (piece, error) {
	if a.flate == nil {
		w, err := flate.NewWriter(io.Discard, level)
		if err != nil {
			return piece{}, fmt.Errorf("make a compressor: %w", err)
		}
		a.flate = w
	}
	a.out.Reset()
	a.flate.Reset(&a.out)
	_, err := a.flate.Write(text)
	if err == nil {
		err = a.flate.Flush()
	}
	if err != nil {
		return piece{}, fmt.Errorf("compress %d bytes: %w", len(text), err)
	}
	return piece{bytes.Clone(a.out.Bytes()), int64(len(text)), crc32.ChecksumIEEE(text)}, nil
}

// piece makes a piece, or finds one that was made of the same text.
func (a *archive) piece(text []byte) (p piece, err error) {
	if a.cache == nil {
		return a.compress(text)
	}
	key := cacheKey{sum: sha256.Sum256(text)}
	if p, ok := a.cache.get(key).(piece); ok {
		return p, nil
	}
	if p, err = a.compress(text); err == nil {
		a.cache.put(key, p, len(p.compressed))
	}
	return p, err
}

func (a *archive) write(name string, content []byte) error {
	p, err := a.piece(content)
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return a.join(name, p)
}

// zipVersion is the version 2.0 of the format, which knows deflate.
const zipVersion = 20

// join adds a file that is made of pieces.
func (a *archive) join(name string, pieces ...piece) error {
	header := &zip.FileHeader{
		Name: name, Method: zip.Deflate, CreatorVersion: zipVersion, ReaderVersion: zipVersion,
		CompressedSize64: uint64(len(deflate.Last)),
	}
	//lint:ignore SA1019 CreateRaw writes this one and not Modified
	header.ModifiedDate = dosDate(a.time)
	for _, p := range pieces {
		header.CRC32 = deflate.JoinCRC(header.CRC32, p.crc, p.size)
		header.CompressedSize64 += uint64(len(p.compressed))
		header.UncompressedSize64 += uint64(p.size)
	}
	w, err := a.CreateRaw(header)
	for _, p := range pieces {
		if err == nil {
			_, err = w.Write(p.compressed)
		}
	}
	if err == nil {
		_, err = io.WriteString(w, deflate.Last)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", name, err)
	}
	return nil
}

// dosDate returns the day of a time as zips have it.
func dosDate(t time.Time) uint16 { return uint16((t.Year()-1980)<<9 | int(t.Month())<<5 | t.Day()) }

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
