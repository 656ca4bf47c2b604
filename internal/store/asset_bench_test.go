package store_test

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

// BenchmarkAssetList reads 20 assets at several places of a store of many:
//
//	go test ./internal/store/ -run - -bench AssetList -benchtime 20x -list-pages 100000
//
// Every hundredth is a GIF, all have one tag and every hundredth another, and
// published pages use the first half of them.
func BenchmarkAssetList(b *testing.B) {
	for name, open := range map[string]func(testing.TB, store.Options) *store.Store{"sqlite": openSQLite, "postgres": openPostgres} {
		b.Run(name, func(b *testing.B) { benchAssetLists(b, open) })
	}
}

func benchAssetLists(b *testing.B, open func(testing.TB, store.Options) *store.Store) {
	o := options()
	o.Derive = func(src store.Source) (d store.Derived) {
		var from, to int
		if _, err := fmt.Sscanf(src.Content, "uses %d to %d", &from, &to); err != nil {
			b.Error(err)
		}
		for i := from; i < to; i++ {
			d.Assets = append(d.Assets, store.AssetReference{Href: fmt.Sprint(i), Targets: []string{store.AssetTarget(fmt.Sprint("key", i))}})
		}
		return d
	}
	st := open(b, o)
	defer st.Close()
	ids := fillAssets(b, st, *listPages)
	store.Analyze(b, st)
	yes, no := true, false
	for _, list := range []struct {
		name  string
		query store.AssetQuery
	}{
		{"any", store.AssetQuery{}},
		{"kind", store.AssetQuery{ContentType: "image/*"}},
		{"type", store.AssetQuery{ContentType: "image/png"}},
		{"rareType", store.AssetQuery{ContentType: "image/gif"}},
		{"noType", store.AssetQuery{ContentType: "video/mp4"}},
		{"tag", store.AssetQuery{Tag: "all"}},
		{"rareTag", store.AssetQuery{Tag: "rare"}},
		{"tagRareType", store.AssetQuery{Tag: "all", ContentType: "image/gif"}},
		{"tagNoType", store.AssetQuery{Tag: "all", ContentType: "video/mp4"}},
		{"used", store.AssetQuery{Unused: &no}},
		{"unused", store.AssetQuery{Unused: &yes}},
	} {
		for place, after := range map[string]octavo.ID{"start": "", "middle": ids[len(ids)/2], "deep": ids[len(ids)*9/10]} {
			list.query.After, list.query.Limit = after, 20
			for audience, aud := range map[string]octavo.Audience{"all": {}, "published": {PublishedOnly: true}} {
				b.Run(fmt.Sprint(audience, "/", list.name, "/", place), func(b *testing.B) { benchAssetList(b, st, aud, list.query) })
			}
		}
	}
}

func benchAssetList(b *testing.B, st *store.Store, aud octavo.Audience, q store.AssetQuery) {
	var took []time.Duration
	rows := 0
	for b.Loop() {
		started := time.Now()
		assets, _, err := st.ListAssets(b.Context(), aud, q)
		if err != nil {
			b.Fatal(err)
		}
		took, rows = append(took, time.Since(started)), len(assets)
	}
	// A list takes about 100 µs, of which few say little.
	for enough := time.Now().Add(300 * time.Millisecond); len(took) < 1000 && time.Now().Before(enough); {
		started := time.Now()
		if _, _, err := st.ListAssets(b.Context(), aud, q); err != nil {
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
	write := func(fn func(tx *store.Tx) error) {
		b.Helper()
		if err := st.Write(b.Context(), store.Cause{}, fn); err != nil {
			b.Fatal(err)
		}
	}
	for len(ids) < count {
		done := len(ids)
		write(func(tx *store.Tx) error {
			ids = ids[:done]
			for range min(1000, count-done) {
				i := len(ids)
				key := fmt.Sprint("key", i)
				n := store.NewAsset{
					Key: key, Name: key, ContentType: "image/png", Metadata: octavo.AssetMetadata{Tags: []string{"all"}},
					Blob: store.Blob{Key: "blob" + key, Hash: sha256.Sum256([]byte(key)), Size: 1},
				}
				if i%100 == 51 {
					n.ContentType, n.Metadata.Tags = "image/gif", []string{"all", "rare"}
				}
				a, _, err := tx.CreateAsset(n)
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
		write(func(tx *store.Tx) error {
			n := newPage(fmt.Sprint("p", from))
			n.Content, n.Status = fmt.Sprintf("uses %d to %d", from, min(from+each, count/2)), octavo.Published
			_, err := tx.CreatePage(n)
			return err
		})
	}
	return ids
}
