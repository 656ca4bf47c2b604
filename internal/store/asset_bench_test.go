package store_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/store/storetest"
)

// BenchmarkAssetList reads 20 assets at several places of a store of many:
//
//	go test ./internal/store/ -run - -bench AssetList -benchtime 20x -list-pages 100000
//
// Every hundredth is a GIF, all have one tag and every hundredth another, and
// published pages use the first half of them.
func BenchmarkAssetList(b *testing.B) {
	for name, open := range map[string]func(testing.TB, store.Options) *store.Store{"sqlite": storetest.OpenSQLite, "postgres": storetest.OpenPostgres} {
		b.Run(name, func(b *testing.B) { benchAssetLists(b, open) })
	}
}

func benchAssetLists(b *testing.B, open func(testing.TB, store.Options) *store.Store) {
	o := storetest.Options(time.Now)
	o.Derive = func(src pagestore.Source) (d pagestore.Derived) {
		var from, to int
		if _, err := fmt.Sscanf(src.Content, "uses %d to %d", &from, &to); err != nil {
			b.Error(err)
		}
		for i := from; i < to; i++ {
			d.Assets = append(d.Assets, pagestore.AssetReference{Href: fmt.Sprint(i), Targets: []string{assetstore.Target(fmt.Sprint("key", i))}})
		}
		return d
	}
	st := open(b, o)
	defer st.Close()
	ids := fillAssets(b, st, *listPages)
	storetest.Analyze(b, st)
	yes, no := true, false
	for _, list := range []struct {
		name  string
		query assetstore.Query
	}{
		{"any", assetstore.Query{}},
		{"kind", assetstore.Query{ContentType: "image/*"}},
		{"type", assetstore.Query{ContentType: "image/png"}},
		{"rareType", assetstore.Query{ContentType: "image/gif"}},
		{"noType", assetstore.Query{ContentType: "video/mp4"}},
		{"tag", assetstore.Query{Tag: "all"}},
		{"rareTag", assetstore.Query{Tag: "rare"}},
		{"tagRareType", assetstore.Query{Tag: "all", ContentType: "image/gif"}},
		{"tagNoType", assetstore.Query{Tag: "all", ContentType: "video/mp4"}},
		{"used", assetstore.Query{Unused: &no}},
		{"unused", assetstore.Query{Unused: &yes}},
	} {
		for place, after := range map[string]octavo.ID{"start": "", "middle": ids[len(ids)/2], "deep": ids[len(ids)*9/10]} {
			list.query.After, list.query.Limit = after, 20
			for audience, aud := range map[string]octavo.Audience{"all": {}, "published": {PublishedOnly: true}} {
				b.Run(fmt.Sprint(audience, "/", list.name, "/", place), func(b *testing.B) { benchAssetList(b, st, aud, list.query) })
			}
		}
	}
}

func benchAssetList(b *testing.B, st *store.Store, aud octavo.Audience, q assetstore.Query) {
	var took []time.Duration
	rows := 0
	for b.Loop() {
		started := time.Now()
		assets, _, err := st.Assets.List(b.Context(), aud, q)
		if err != nil {
			b.Fatal(err)
		}
		took, rows = append(took, time.Since(started)), len(assets)
	}
	// A list takes about 100 µs, of which few say little.
	for enough := time.Now().Add(300 * time.Millisecond); len(took) < 1000 && time.Now().Before(enough); {
		started := time.Now()
		if _, _, err := st.Assets.List(b.Context(), aud, q); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(started))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms-median")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "ms-max")
	b.ReportMetric(float64(rows), "rows")
}

func fillAssets(b *testing.B, st *store.Store, count int) (ids []octavo.ID) {
	b.Helper()
	write := func(fn func(tx *sqldb.Tx) error) {
		b.Helper()
		if err := st.DB.Write(b.Context(), sqldb.Cause{}, fn); err != nil {
			b.Fatal(err)
		}
	}
	for len(ids) < count {
		done := len(ids)
		write(func(tx *sqldb.Tx) error {
			ids = ids[:done]
			for range min(1000, count-done) {
				i := len(ids)
				key := fmt.Sprint("key", i)
				n := assetstore.NewAsset{
					Key: key, Name: key, ContentType: "image/png", Metadata: octavo.AssetMetadata{Tags: []string{"all"}},
					Blob: assetstore.Blob{Key: "blob" + key, Hash: sha256.Sum256([]byte(key)), Size: 1},
				}
				if i%100 == 51 {
					n.ContentType, n.Metadata.Tags = "image/gif", []string{"all", "rare"}
				}
				a, _, err := st.Assets.Create(tx, n)
				if err != nil {
					return err
				}
				ids = append(ids, a.ID)
			}
			return nil
		})
	}
	const each = 500 // assets that a page uses
	for from := 0; from < count/2; from += each {
		write(func(tx *sqldb.Tx) error {
			n := storetest.NewPage(fmt.Sprint("p", from))
			n.Content, n.Status = fmt.Sprintf("uses %d to %d", from, min(from+each, count/2)), octavo.Published
			_, err := st.Pages.Create(tx, n)
			return err
		})
	}
	return ids
}
