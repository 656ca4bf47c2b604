package format_test

import (
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
	"github.com/octavo-docs/octavo/internal/pages"
)

// TestAmbiguousReference shows what an author means by a reference that
// fits two files, whichever of them is older: the one beside the page rather than
// one in a folder of its name, and one at the root rather than one that is served
// there. Exports and reads agree.
func TestAmbiguousReference(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		to := target{r, r.uploads()}
		for _, source := range []string{"docs/guide/a.png", "docs/a.png", "b.png", "static/b.png"} { // from the oldest on
			if _, err := to.PutAsset(t.Context(), source, strings.NewReader("bytes of "+source)); err != nil {
				t.Fatal(err)
			}
		}
		guide := exporttest.Published("guide", "![a](a.png) ![b](/b.png)")
		guide.Path = "docs/guide.md"
		id := r.page(guide).ID

		files, _, report := r.files(octavo.ExportRequest{Format: octavo.ExportHTML, Scope: octavo.ExportSite})
		if len(report.Warnings) > 0 {
			t.Error(report.Warnings)
		}
		var exported []string
		for _, m := range regexp.MustCompile(`<img src="([^"]*)"`).FindAllStringSubmatch(files["guide.html"], -1) {
			exported = append(exported, strings.TrimPrefix(files[path.Clean(m[1])], "bytes of "))
		}
		read := pages.New(r.Store.DB, r.Store.Pages, r.Store.Assets, 0)
		read.AssetURL = func(a octavo.Asset) string { return "/at/" + a.Source }
		rendering, err := read.Render(t.Context(), octavo.Audience{}, id, pages.View{Link: func(octavo.ID, string) string { return "" }})
		exporttest.Must(t, err)
		var shown []string
		for _, m := range regexp.MustCompile(`<img src="/at/([^"]*)"`).FindAllSubmatch(rendering.HTML, -1) {
			shown = append(shown, string(m[1]))
		}
		page, err := read.Get(t.Context(), octavo.Audience{}, id, pages.Include{Assets: true})
		exporttest.Must(t, err)
		var told []string
		for _, text := range page.Assets {
			var a octavo.Asset
			exporttest.Must(t, json.Unmarshal(text, &a))
			told = append(told, a.Source)
		}
		want := fmt.Sprint([]string{"docs/a.png", "b.png"})
		if have := fmt.Sprint(exported); have != want {
			t.Errorf("an export shows %s, want %s", have, want)
		}
		if have := fmt.Sprint(told); have != want {
			t.Errorf("what is included is %s, want %s", have, want)
		}
		if have := fmt.Sprint(shown); have != want {
			t.Errorf("a read shows %s, want %s", have, want)
		}
	})
}
