package pages

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// TestPartsOfOneFile shows parts of a file on a page: its bytes are read once.
func TestPartsOfOneFile(t *testing.T) {
	onEachStore(t, func(t *testing.T, st *store.Store) {
		s, kind, opened := New(st.DB, st.Pages, st.Assets, 0), octavo.DialectMkDocs, 0
		s.AssetURL = func(octavo.Asset) string { return "/file" }
		s.OpenBlob = func(context.Context, string) (io.ReadCloser, error) {
			opened++
			return io.NopCloser(strings.NewReader("one\ntwo\n")), nil
		}
		if err := st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
			_, _, err := st.Assets.Create(tx, assetstore.NewAsset{
				Blob: assetstore.Blob{Key: "k", Size: 8}, Key: "k", Name: "f.txt", ContentType: "text/plain", Source: "f.txt",
			})
			return err
		}); err != nil {
			t.Fatal(err)
		}
		page, err := s.Create(t.Context(), sqldb.Cause{}, octavo.PageCreate{
			Title: "t", Slug: "s", Dialect: &kind, Content: strings.Repeat("--8<-- \"f.txt:1:1\"\n\n--8<-- \"f.txt:2:2\"\n\n", 10),
		}, nil)
		if err != nil {
			t.Fatal(err)
		}
		shown, err := s.Render(t.Context(), octavo.Audience{}, page.ID, View{Link: func(octavo.ID, string) string { return "" }})
		if have := strings.Count(string(shown.HTML), ">two<"); err != nil || have != 10 || opened != 1 {
			t.Errorf("have %d parts, %d files read and the error %v, want 10 and 1 in\n%s", have, opened, err, shown.HTML)
		}
	})
}
