package assets

import (
	"github.com/maypok86/otter/v2"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// addresses keeps what is behind the addresses that are asked for most, so that
// a file which is read again costs no look at the database. What it holds may be
// out of date; the store tells before it is used.
type addresses struct {
	cache addressCache
}

// addressCache hides otter's generic type, which each package that imports this
// one would otherwise compile again.
type addressCache interface {
	GetIfPresent(key string) (address, bool)
	Set(key string, a address) (address, bool)
	Invalidate(key string) (address, bool)
}

type address struct {
	file  assetstore.File // without its metadata, which no answer with bytes has
	stamp sqldb.Stamp
}

// keptAddresses bounds them: 4 MB with names of usual length.
const keptAddresses = 8 << 10

func newAddresses() *addresses {
	return &addresses{otter.Must(&otter.Options[string, address]{MaximumSize: keptAddresses})}
}

// get returns what the store would find under the key.
func (a *addresses) get(stamps *sqldb.Stamps, key string) (assetstore.File, bool) {
	kept, ok := a.cache.GetIfPresent(key)
	return kept.file, ok && stamps.HoldsFile(key, kept.stamp)
}

// set keeps what was found after the stamp was given, under the key that the
// store gave: one from a request would keep the whole of its first line.
func (a *addresses) set(file assetstore.File, stamp sqldb.Stamp) {
	file.Metadata = octavo.AssetMetadata{}
	a.cache.Set(file.Key, address{file, stamp})
}

// drop forgets what the blob store has no bytes for.
func (a *addresses) drop(key string) { a.cache.Invalidate(key) }
