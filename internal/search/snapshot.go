package search

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/search/analysis"
	"github.com/octavo-docs/octavo/internal/search/segment"
)

// A snapshot is
//
//	8 bytes  "OCTAVOSX"
//	uint32   version of the format
//	uint32   version of the analysis
//	uint64   position of the log
//	uint32   number of parts
//	uint32   checksum of the above
//
// and for each part
//
//	uint8    1 if its documents are published
//	uint32   bytes of the set of dead documents
//	uint64   bytes of the segment
//	uint32   checksum of this head, the set and the segment
//	the set, the segment
//
// with numbers in little-endian order and CRC-32C for checksums.
const (
	snapshotMagic = "OCTAVOSX"
	headerSize    = 32
	partHeadSize  = 17
	formatVersion = 1<<16 | segment.FormatVersion
)

// ErrSnapshot tells that a file is no snapshot of this version, or a damaged
// one. The index is then to be rebuilt from the store.
var ErrSnapshot = errors.New("the snapshot cannot be used")

// Save writes the index as it is at this moment to a file, which it replaces
// at once or not at all. It returns the position of the log that the file
// holds.
func (i *Index) Save(path string) (position int64, err error) {
	i.saving.Lock()
	defer i.saving.Unlock()
	v := i.view.Load()
	f, err := os.OpenFile(path+".new", os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600) // it holds what pages say
	if err != nil {
		return 0, fmt.Errorf("writing the search snapshot: %w", err)
	}
	defer func() {
		if err != nil {
			_ = f.Close()           // the first error is told
			_ = os.Remove(f.Name()) // else the next one overwrites it
			err = fmt.Errorf("writing the search snapshot: %w", err)
		}
	}()
	if err = v.write(f); err != nil {
		return 0, err
	}
	if err = f.Sync(); err != nil {
		return 0, err
	}
	if err = f.Close(); err != nil {
		return 0, err
	}
	if err = os.Rename(f.Name(), path); err != nil {
		return 0, err
	}
	return v.position, syncFolder(filepath.Dir(path))
}

// Snapshot is an index as it was at one moment.
type Snapshot struct{ v *view }

// Snapshot returns the index as it is. It costs nothing until it is written,
// but keeps what the index has at this moment in memory.
func (i *Index) Snapshot() Snapshot { return Snapshot{i.view.Load()} }

// Position is the position of the log that the snapshot holds.
func (s Snapshot) Position() int64 { return s.v.position }

// Write writes the snapshot, for Read. The errors are those of w.
func (s Snapshot) Write(w io.Writer) error {
	err := s.v.write(w)
	return octavo.Wrapf(err, "writing the search snapshot")
}

// Version names the form of the snapshots that this program writes and reads:
// their format, and what counts for a word in them. It has 12 digits and
// letters from a to f.
func Version() string { return fmt.Sprintf("%08x%04x", formatVersion, analysis.Version) }

// syncFolder makes a renaming last.
func syncFolder(path string) error {
	folder, err := os.Open(path)
	if err != nil {
		return err
	}
	return errors.Join(folder.Sync(), folder.Close())
}

func (v *view) write(w io.Writer) error {
	castagnoli := crc32.MakeTable(crc32.Castagnoli)
	b := bufio.NewWriterSize(w, 1<<20)
	header := append(make([]byte, 0, headerSize), snapshotMagic...)
	header = binary.LittleEndian.AppendUint32(header, formatVersion)
	header = binary.LittleEndian.AppendUint32(header, analysis.Version)
	header = binary.LittleEndian.AppendUint64(header, uint64(v.position))
	header = binary.LittleEndian.AppendUint32(header, uint32(len(v.parts)))
	header = binary.LittleEndian.AppendUint32(header, crc32.Checksum(header, castagnoli))
	if _, err := b.Write(header); err != nil {
		return err
	}
	var body []byte
	for _, p := range v.parts {
		body = body[:0]
		for _, word := range p.Dead {
			body = binary.LittleEndian.AppendUint64(body, word)
		}
		dead := len(body)
		body = p.Append(body)
		head := make([]byte, 0, partHeadSize)
		head = append(head, 0)
		if p.published {
			head[0] = 1
		}
		head = binary.LittleEndian.AppendUint32(head, uint32(dead))
		head = binary.LittleEndian.AppendUint64(head, uint64(len(body)-dead))
		head = binary.LittleEndian.AppendUint32(head, crc32.Update(crc32.Checksum(head, castagnoli), castagnoli, body))
		if _, err := b.Write(head); err != nil {
			return err
		}
		if _, err := b.Write(body); err != nil {
			return err
		}
	}
	return b.Flush()
}
