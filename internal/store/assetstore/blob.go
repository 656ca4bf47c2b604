package assetstore

import (
	"context"
	"fmt"
	"iter"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// KnownBlobs returns those of the keys that assets, exports or imports use.
// At most 1,000 keys.
func (s *Assets) KnownBlobs(ctx context.Context, keys []string) (map[string]bool, error) {
	var a sqldb.Args
	known := map[string]bool{}
	err := s.read.Query(ctx, func(row sqldb.Scanner) error {
		var key string
		if err := row.Scan(&key); err != nil {
			return err
		}
		known[key] = true
		return nil
	}, `SELECT b.key FROM blobs b WHERE b.key IN `+sqldb.List(&a, keys)+`
		UNION ALL SELECT x.blob FROM exports x WHERE x.blob <> '' AND x.blob IN `+sqldb.List(&a, keys)+`
		UNION ALL SELECT i.blob FROM imports i WHERE i.blob <> '' AND i.blob IN `+sqldb.List(&a, keys), a...)
	return known, octavo.Wrapf(err, "look up %d blobs", len(keys))
}

// BlobUse is a blob and the number of assets that have it.
type BlobUse struct {
	Key    string
	SHA256 string // in hexadecimal
	Size   int64
	Uses   int64
}

// Blobs iterates over all blobs in use, by key. An error ends it.
func (s *Assets) Blobs(ctx context.Context) iter.Seq2[BlobUse, error] {
	const slice = 1000
	return func(yield func(BlobUse, error) bool) {
		after := ""
		for {
			blobs, err := sqldb.Collect(ctx, s.read, func(row sqldb.Scanner) (b BlobUse, err error) {
				err = row.Scan(&b.Key, &b.SHA256, &b.Size, &b.Uses)
				return b, err
			}, `SELECT b.key, b.hash, b.size, b.uses FROM blobs b WHERE b.key > $1 ORDER BY b.key LIMIT $2`, after, slice)
			if err != nil {
				yield(BlobUse{}, fmt.Errorf("list the blobs: %w", err))
				return
			}
			for _, b := range blobs {
				if !yield(b, nil) {
					return
				}
				after = b.Key
			}
			if len(blobs) < slice {
				return
			}
		}
	}
}

// JobFile is the result of an export that is ready, or the file of an import that has
// not ended.
type JobFile struct {
	ID     octavo.ID
	Key    string
	SHA256 string // in hexadecimal
	Size   int64
}

// JobFiles returns the files of exports, then those of imports.
func (s *Assets) JobFiles(ctx context.Context) ([]JobFile, error) {
	list, err := sqldb.Collect(ctx, s.db.Slow(), func(row sqldb.Scanner) (f JobFile, err error) {
		err = row.Scan(&f.ID, &f.Key, &f.SHA256, &f.Size)
		return f, err
	}, `SELECT x.id, x.blob, x.sha256, x.size FROM exports x WHERE x.blob <> '' AND x.status = 'ready'
		UNION ALL SELECT i.id, i.blob, i.sha256, i.size FROM imports i WHERE i.blob <> '' ORDER BY 1`)
	return list, octavo.Wrapf(err, "list the files of exports and imports")
}
