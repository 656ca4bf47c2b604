package reader

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"

	"github.com/maypok86/otter/v2"

	"github.com/octavo-docs/octavo/internal/deflate"
)

// File is a response that is the same for everybody.
type File struct {
	Type   string // media type
	Policy string // Content-Security-Policy, "" if it is not a page
	Packed []byte // the bytes, compressed by gzip
	Size   int    // of the bytes
	Tag    string // their hash
}

// The types of files.
const (
	typeHTML     = "text/html; charset=utf-8"
	typeMarkdown = "text/markdown; charset=utf-8"
	typeText     = "text/plain; charset=utf-8"
	typeJSON     = "application/json"
	typeAtom     = "application/atom+xml; charset=utf-8"
	typeXML      = "application/xml; charset=utf-8"
	typeStyle    = "text/css; charset=utf-8"
	typeScript   = "text/javascript; charset=utf-8"
)

// file makes a response from text.
func (s *Service) file(kind string, text []byte) (*File, error) {
	piece, err := s.pack.Compress(text)
	if err != nil {
		return nil, fmt.Errorf("compress an answer: %w", err)
	}
	stream := deflate.NewStream(nil)
	stream.Add(deflate.Piece{Plain: text, Compressed: piece})
	sum := sha256.Sum256(text)
	return &File{Type: kind, Packed: bytes.Clone(stream.Close()), Size: len(text), Tag: hex.EncodeToString(sum[:10])}, nil
}

// Plain returns the uncompressed bytes.
func (f *File) Plain() ([]byte, error) {
	zip, err := gzip.NewReader(bytes.NewReader(f.Packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(zip)
}

// keptKey is the key of a cache entry.
type keptKey struct {
	name    string // a page's identifier, or a list's name
	members bool
}

// kept is a cache entry.
type kept struct {
	file   *File
	moment moment // of its outline
	term   string // of the addresses in it
	body   *body  // of a page
}

// keptOverhead is the approximate size of an entry beside its bytes.
const keptOverhead = 600

// keeper is the cache.
type keeper struct {
	cache interface { // hides the generic type of otter
		GetIfPresent(key keptKey) (*kept, bool)
		Set(key keptKey, value *kept) (*kept, bool)
		InvalidateAll()
	} // nil keeps nothing
}

func newKeeper(size int64) *keeper {
	if size <= 0 {
		return &keeper{}
	}
	return &keeper{otter.Must(&otter.Options[keptKey, *kept]{
		MaximumWeight: uint64(size),
		Weigher: func(_ keptKey, k *kept) uint32 {
			return uint32(keptOverhead + len(k.file.Packed) + k.body.size()) //nolint:gosec // far below 4 GiB
		},
	})}
}

func (k *keeper) get(key keptKey) *kept {
	if k.cache == nil {
		return nil
	}
	found, _ := k.cache.GetIfPresent(key)
	return found
}

func (k *keeper) set(key keptKey, value *kept) {
	if k.cache != nil {
		k.cache.Set(key, value)
	}
}

func (k *keeper) clear() {
	if k.cache != nil {
		k.cache.InvalidateAll()
	}
}
