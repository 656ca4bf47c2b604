package pages

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestPicturesWithMuchToSay exports many pages that show one picture with a description
// too long to repeat in every response.
func TestPicturesWithMuchToSay(t *testing.T) {
	onEachStore(t, func(t *testing.T, st *store.Store) {
		service := New(st.DB, st.Pages, st.Assets, 0)
		service.AssetURL = func(a octavo.Asset) string { return "/at/" + a.Key }
		long := strings.Repeat("字", octavo.MaxAssetText)
		var content strings.Builder
		pictures := 1 + sqldb.MaxSlice/(2*len(long))
		if err := st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			for i := range pictures {
				key := fmt.Sprintf("k%025d", i)
				_, _, err := st.Assets.Create(tx, assetstore.NewAsset{
					Blob: assetstore.Blob{Key: key, Hash: [32]byte{byte(i), byte(i >> 8)}, Size: 1}, Key: key, Name: "p.png", ContentType: "image/png",
					Metadata: octavo.AssetMetadata{Alt: &long, Caption: &long}, Source: fmt.Sprintf("p%d.png", i),
				})
				if err != nil {
					return err
				}
				fmt.Fprintf(&content, "![](/p%d.png)\n", i)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		page, err := service.Create(t.Context(), sqldb.Cause{}, octavo.PageCreate{Title: "t", Slug: "s", Content: content.String()}, nil)
		if err != nil {
			t.Fatal(err)
		}
		shown, err := service.Render(t.Context(), octavo.Audience{}, page.ID, View{Link: func(octavo.ID, string) string { return "" }})
		if err != nil {
			t.Fatal(err)
		}
		if have := bytes.Count(shown.HTML, []byte(`<img src="/at/`)); have != pictures {
			t.Errorf("have %d pictures, want %d", have, pictures)
		}
	})
}
