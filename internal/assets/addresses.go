package assets

import (
	"github.com/maypok86/otter/v2"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// addresses caches the assets of frequent addresses, so that reading a file
// again needs no database query. Entries may be out of date; stamps of the
// store are checked before use.
type addresses struct {
	cache addressCache
}

// addressCache hides otter's generic type, which each importing package
// would otherwise compile again.
type addressCache interface {
	GetIfPresent(key string) (address, bool)
	Set(key string, a address) (address, bool)
	Invalidate(key string) (address, bool)
}

type address struct {
	file  assetstore.File // without its metadata, which responses with bytes do not have
	stamp sqldb.Stamp
}

// keptAddresses limits the cache: 4 MB with names of usual length.
const keptAddresses = 8 << 10

func newAddresses() *addresses {
	return &addresses{otter.Must(&otter.Options[string, address]{MaximumSize: keptAddresses})}
}

// get returns what the store would find under the key, if cached and valid.
func (a *addresses) get(stamps *sqldb.Stamps, key string) (assetstore.File, bool) {
	kept, ok := a.cache.GetIfPresent(key)
	return kept.file, ok && stamps.HoldsFile(key, kept.stamp)
}

// set caches a result of a query after the stamp was taken, under the store's copy of
// the key: one from a request would keep its whole first line in memory.
func (a *addresses) set(file assetstore.File, stamp sqldb.Stamp) {
	file.Metadata = octavo.AssetMetadata{}
	a.cache.Set(file.Key, address{file, stamp})
}

// drop removes an entry without bytes in the blob store.
func (a *addresses) drop(key string) { a.cache.Invalidate(key) }
