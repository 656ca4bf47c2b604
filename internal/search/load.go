package search

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/search/analysis"
	"github.com/octavo-docs/octavo/internal/search/query"
	"github.com/octavo-docs/octavo/internal/search/segment"
)

// Load reads the index that Save wrote to a file. The error comes from the file system,
// such as fs.ErrNotExist, or is ErrSnapshot; in each case the index can be rebuilt.
func Load(path string, config Config) (*Index, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("reading the search snapshot: %w", err)
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("reading the search snapshot: %w", err)
	}
	i, err := Read(f, info.Size(), config)
	return i, octavo.Wrapf(err, "reading the search snapshot %s", path)
}

// Read reads the index that Snapshot.Write wrote, of size bytes. The error
// comes from r, or is ErrSnapshot.
func Read(r io.Reader, size int64, config Config) (*Index, error) {
	source := &source{r: r}
	v, err := readView(bufio.NewReaderSize(source, 1<<20), size)
	if source.err != nil {
		return nil, source.err // then a short read is not damage
	}
	if err != nil {
		return nil, err
	}
	i := New(config)
	i.view.Store(v)
	i.grown <- struct{}{}
	return i, nil
}

// source separates errors of a reader from damage of the data.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && err != io.EOF { //nolint:errorlint // a wrapped one does not mean the end
		s.err = err
	}
	return n, err
}

func readView(r io.Reader, size int64) (*view, error) {
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	header := make([]byte, headerSize)
	if _, err := io.ReadFull(r, header); err != nil {
		return nil, fmt.Errorf("%w: it is too short", ErrSnapshot)
	}
	n := binary.LittleEndian
	switch {
	case string(header[:8]) != snapshotMagic:
		return nil, fmt.Errorf("%w: it is something else", ErrSnapshot)
	case n.Uint32(header[28:]) != crc32.Checksum(header[:28], castagnoli):
		return nil, fmt.Errorf("%w: its header is damaged", ErrSnapshot)
	case n.Uint32(header[8:]) != formatVersion || n.Uint32(header[12:]) != analysis.Version:
		return nil, fmt.Errorf("%w: it was written by another version", ErrSnapshot)
	}
	v := &view{position: int64(n.Uint64(header[16:])), replaced: make(chan struct{})}
	size -= headerSize
	for count := n.Uint32(header[24:]); count > 0; count-- {
		p, err := readPart(r, &size, castagnoli)
		if err != nil {
			return nil, fmt.Errorf("part %d: %w", len(v.parts), err)
		}
		v.parts = append(v.parts, p)
	}
	if size != 0 {
		return nil, fmt.Errorf("%w: it is too long", ErrSnapshot)
	}
	return v, nil
}

// readPart reads a part and subtracts its bytes from the rest of the file.
func readPart(r io.Reader, left *int64, castagnoli *crc32.Table) (*part, error) {
	head := make([]byte, partHeadSize)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, fmt.Errorf("%w: it is too short", ErrSnapshot)
	}
	n := binary.LittleEndian
	dead, length := int64(n.Uint32(head[1:])), n.Uint64(head[5:])
	*left -= partHeadSize
	if *left < 0 || length > uint64(*left) || dead > *left-int64(length) {
		return nil, fmt.Errorf("%w: it is too short", ErrSnapshot)
	}
	*left -= dead + int64(length)
	body := make([]byte, dead+int64(length))
	if _, err := io.ReadFull(r, body); err != nil {
		return nil, fmt.Errorf("%w: it is too short", ErrSnapshot)
	}
	if n.Uint32(head[13:]) != crc32.Update(crc32.Checksum(head[:13], castagnoli), castagnoli, body) {
		return nil, fmt.Errorf("%w: its checksum is wrong", ErrSnapshot)
	}
	s, err := segment.Decode(body[dead:])
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSnapshot, err)
	}
	p := &part{
		Source:    query.Source{Source: segment.Source{Segment: s}, Live: s.Docs(), Lengths: s.FieldLengths()},
		published: head[0] == 1,
	}
	if words := (s.Docs() + 63) / 64; dead != 0 && dead != int64(8*words) {
		return nil, fmt.Errorf("%w: its set of dead documents does not fit", ErrSnapshot)
	}
	var gone []uint32
	for doc := range uint32(s.Docs()) {
		if dead > 0 && n.Uint64(body[8*(doc/64):])>>(doc%64)&1 == 1 {
			gone = append(gone, doc)
		}
	}
	return p.without(gone), nil
}
