package pages

import (
	"fmt"
	"sync/atomic"

	"github.com/maypok86/otter/v2"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/deflate"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Encoding is the JSON form of a page for an audience. Encodings are shared
// and must not be changed.
type Encoding struct {
	Ref      pagestore.Ref
	JSON     []byte
	Deflated []byte // a piece of a compressed response; nil if nobody requested one

	stamp sqldb.Stamp
}

// encodings caches frequently read encoded pages. Entries may be out of
// date; callers check that before they use them.
type encodings struct {
	cache      entryCache[encodingKey, *Encoding] // nil disables it
	compressor deflate.Compressor

	hits, checked, misses atomic.Int64
}

// entryCache hides otter's generic type, which each importing package would
// otherwise compile again.
type entryCache[K, V any] interface {
	GetIfPresent(key K) (V, bool)
	Set(key K, value V) (V, bool)
	WeightedSize() uint64
}

type encodingKey struct {
	id  octavo.ID
	aud octavo.Audience
}

// encodingOverhead is the approximate size of an entry beside its bytes.
const encodingOverhead = 500

func newEncodings(size int64) *encodings {
	if size <= 0 {
		return &encodings{}
	}
	return &encodings{cache: otter.Must(&otter.Options[encodingKey, *Encoding]{
		MaximumWeight: uint64(size),
		Weigher: func(_ encodingKey, e *Encoding) uint32 {
			return uint32(encodingOverhead + cap(e.JSON) + cap(e.Deflated)) //nolint:gosec // far below 4 GiB
		},
	})}
}

func (e *encodings) get(aud octavo.Audience, id octavo.ID) (*Encoding, bool) {
	if e.cache == nil {
		return nil, false
	}
	return e.cache.GetIfPresent(encodingKey{id, aud})
}

// set stores an encoding under the store's copy of the identifier: one from
// a request would keep its whole first line in memory.
func (e *encodings) set(aud octavo.Audience, made *Encoding) {
	if e.cache != nil {
		e.cache.Set(encodingKey{made.Ref.ID, aud}, made)
	}
}

// add stores a page that was read after its stamp was taken.
func (e *encodings) add(aud octavo.Audience, page octavo.Page, stamp sqldb.Stamp) *Encoding {
	made := &Encoding{
		Ref:   pagestore.RefOf(page),
		JSON:  page.AppendJSON(make([]byte, 0, len(page.Content)+len(page.Content)/16+len(page.Links)+len(page.Frontmatter)+512)),
		stamp: stamp,
	}
	e.set(aud, made)
	return made
}

// renew stores an encoding that was found to be still valid after the stamp was taken.
func (e *encodings) renew(aud octavo.Audience, kept *Encoding, stamp sqldb.Stamp) *Encoding {
	renewed := *kept
	renewed.stamp = stamp
	e.set(aud, &renewed)
	return &renewed
}

// complete adds the compressed form if it is requested and missing.
func (e *encodings) complete(aud octavo.Audience, kept *Encoding, compressed bool) (*Encoding, error) {
	if !compressed || kept.Deflated != nil {
		return kept, nil
	}
	piece, err := e.compressor.Compress(kept.JSON)
	if err != nil {
		return nil, fmt.Errorf("page %s: %w", kept.Ref.ID, err)
	}
	completed := *kept
	completed.Deflated = piece
	e.set(aud, &completed)
	return &completed, nil
}
