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

// archive is the zip being written. All files have the same time, so that equal sites have equal bytes.
//
// Files consist of separately compressed pieces, so that the piece of a page can be cached while its
// surroundings change. Assets are compressed while streaming.
type archive struct {
	*zip.Writer
	time  time.Time
	cache *Cache // of pieces; nil disables it

	flate *flate.Writer // for all pieces
	out   bytes.Buffer  // of flate
}

// level is the compression level; higher ones cost more time than they save.
const level = 5

func newArchive(out io.Writer, cache *Cache) *archive {
	begin := time.Date(1980, time.January, 1, 0, 0, 0, 0, time.UTC) // the earliest time in a zip
	a := &archive{Writer: zip.NewWriter(out), time: begin, cache: cache}
	var one *flate.Writer // shared by all assets, which are written one by one
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

// piece is a compressed part of a file, see package deflate.
type piece struct {
	compressed []byte
	size       int64 // of the text
	crc        uint32
}

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

// piece returns the cached piece of a text, or makes it.
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

// zipVersion is version 2.0, which includes deflate.
const zipVersion = 20

// join adds a file made of pieces.
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

// dosDate returns the date of a time for zips.
func dosDate(t time.Time) uint16 { return uint16((t.Year()-1980)<<9 | int(t.Month())<<5 | t.Day()) }

// create begins a file, which ends when the next begins. Compressed formats are stored.
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
