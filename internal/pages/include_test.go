package pages

import (
	"context"
	"fmt"
	"io"
	"maps"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
	"github.com/octavo-docs/octavo/internal/store/assetstore"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
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

// TestPreviewMeansWhatIsSaved compares a page with a preview of the same text, both for
// readers of published pages: a link or picture whose first meaning is hidden means no other.
func TestPreviewMeansWhatIsSaved(t *testing.T) {
	onEachStore(t, func(t *testing.T, st *store.Store) {
		s, public := New(st.DB, st.Pages, st.Assets, 0), octavo.Audience{PublishedOnly: true}
		s.AssetURL = func(a octavo.Asset) string { return "/at/" + a.Key }
		create := func(path, slug, content string, status octavo.PageStatus) (page octavo.Page) {
			page, err := s.Create(t.Context(), sqldb.Cause{}, octavo.PageCreate{Title: slug, Slug: slug, Content: content, Status: status}, nil)
			if err == nil {
				err = st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) (err error) {
					page, err = st.Pages.Update(tx, page.ID, pagestore.Change{Path: &path}, nil)
					return err
				})
			}
			if err != nil {
				t.Fatal(err)
			}
			return page
		}
		if err := st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) (err error) {
			for i, source := range []string{"pic.png", "guide/pic.png"} {
				_, _, err = st.Assets.Create(tx, assetstore.NewAsset{
					Blob: assetstore.Blob{Key: fmt.Sprint("k", i), Hash: [32]byte{byte(i)}, Size: 8}, Key: fmt.Sprint("k", i), Name: "p.png", ContentType: "image/png", Source: source,
				})
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
		create("plan.md", "plan", "![](/pic.png)", octavo.Published)
		create("guide/plan.md", "guide-plan", "![](pic.png)", octavo.Draft)
		text, page := "[x](plan.md) [y](/plan.md) ![z](pic.png) ![w](/pic.png)", create("guide/a.md", "a", "", octavo.Published)
		view := View{Link: func(_ octavo.ID, slug string) string { return "/" + slug }}
		preview, _, err := s.RenderDraft(t.Context(), public, "", octavo.DraftText{Content: text, PageID: page.ID}, view)
		if err != nil {
			t.Fatal(err)
		}
		if _, err = s.Patch(t.Context(), sqldb.Cause{}, page.ID, octavo.PagePatch{Content: &text}, nil); err != nil {
			t.Fatal(err)
		}
		saved, err := s.Render(t.Context(), public, page.ID, view)
		if err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(preview.Addresses.Links, saved.Addresses.Links) || saved.Addresses.Links["plan.md"] != "" || saved.Addresses.Links["/plan.md"] != "/plan" {
			t.Errorf("have the links %v in a preview and %v when saved, want only that to /plan.md", preview.Addresses.Links, saved.Addresses.Links)
		}
		// What a published page shows is no longer hidden.
		have := fmt.Sprint(preview.Addresses.Files["pic.png"].Address, " ", preview.Addresses.Files["/pic.png"].Address, " ", saved.Addresses.Files["pic.png"].Address)
		if want := " /at/k0 /at/k1"; have != want {
			t.Errorf("have the pictures %q, want %q", have, want)
		}
	})
}

// TestIncludedFilesHideNothing: an included file shows no reader what only drafts refer to, and a
// preview none that is hidden. Its pictures are shown if the page refers to them too.
func TestIncludedFilesHideNothing(t *testing.T) {
	onEachStore(t, func(t *testing.T, st *store.Store) {
		s, kind, public := New(st.DB, st.Pages, st.Assets, 0), octavo.DialectMkDocs, octavo.Audience{PublishedOnly: true}
		s.AssetURL = func(a octavo.Asset) string { return "/at/" + a.Key }
		texts := map[string]string{"part.md": "part ![](secret.png) ![](open.png) [draft](hidden.md) --8<--\n\n--8<-- \"draft.md\"\n", "draft.md": "draft words"}
		s.OpenBlob = func(_ context.Context, key string) (io.ReadCloser, error) {
			return io.NopCloser(strings.NewReader(texts[key])), nil
		}
		if err := st.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) (err error) {
			for i, source := range []string{"part.md", "draft.md", "secret.png", "open.png"} {
				if _, _, err = st.Assets.Create(tx, assetstore.NewAsset{
					Blob: assetstore.Blob{Key: source, Hash: [32]byte{byte(i)}, Size: 8}, Key: source, Name: source, ContentType: "image/png", Source: source,
				}); err != nil {
					return err
				}
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		var open octavo.Page
		for slug, status := range map[string]octavo.PageStatus{"open": octavo.Published, "hidden": octavo.Draft} {
			content := map[string]string{"open": "--8<-- \"part.md\"\n\n![](open.png)", "hidden": "--8<-- \"draft.md\"\n\n![](secret.png)"}[slug]
			page, err := s.Create(t.Context(), sqldb.Cause{}, octavo.PageCreate{Title: slug, Slug: slug, Dialect: &kind, Content: content, Status: status}, nil)
			if err != nil {
				t.Fatal(err)
			}
			if slug == "open" {
				open = page
			}
		}
		view := View{Link: func(_ octavo.ID, slug string) string { return "/" + slug }}
		for _, c := range []struct {
			aud  octavo.Audience
			link bool
		}{{octavo.Audience{}, true}, {public, false}} {
			r, err := s.Render(t.Context(), c.aud, open.ID, view)
			have := string(r.HTML)
			if err != nil || !strings.Contains(have, "part") || strings.Count(have, "/at/open.png") != 2 || strings.Contains(have, "/at/secret.png") || strings.Contains(have, "draft words") || strings.Contains(have, `"/hidden"`) != c.link {
				t.Errorf("%+v: have %v\n%s", c.aud, err, have)
			}
		}
		preview, _, err := s.RenderDraft(t.Context(), public, "", octavo.DraftText{Content: "--8<-- \"draft.md\"\n\n--8<-- \"part.md\"\n\n![](secret.png)", Dialect: &kind}, view)
		if have := string(preview.HTML); err != nil || !strings.Contains(have, "part") || strings.Contains(have, "draft words") || strings.Contains(have, "/at/secret.png") {
			t.Errorf("preview: have %v\n%s", err, have)
		}
	})
}
