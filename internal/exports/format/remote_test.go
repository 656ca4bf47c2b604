package format_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
)

// TestExportsSendNoRequests: whatever addresses pages, pictures and requests have in
// them, making a file of them connects to nobody.
func TestExportsSendNoRequests(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	t.Cleanup(server.Close)
	at := server.URL
	r := newRig(t)
	drawing := r.asset("drawing.svg", `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY x SYSTEM "`+at+`/entity">]><?xml-stylesheet href="`+at+`/style.css"?>`+
		`<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"><style>@import url(`+at+`/import.css)</style>`+
		`<image xlink:href="`+at+`/a.png" href="`+at+`/b.png" width="9" height="9"/><use href="`+at+`/c.svg#x"/><rect width="9" height="9" fill="url(`+at+`/d.svg#x)"/></svg>`)
	r.page(exporttest.Published("remote", strings.ReplaceAll(strings.Join([]string{
		"# ![](AT/heading.png)", "![alone](AT/alone.png)", "text ![within](AT/within.png) text", "| ![](AT/cell.png) |\n|---|\n| <img src=\"AT/html.png\"> |",
		"[![](AT/linked.png)](AT/link)", "![](//" + strings.TrimPrefix(at, "http://") + "/relative.png)", "![](" + octavo.AssetPath(drawing.Key, drawing.Name) + ")",
		"<Frame><Image src=\"AT/mdx.png\" /></Frame>", "<video src=\"AT/video.mp4\" poster=\"AT/poster.png\"></video>", "<link rel=\"stylesheet\" href=\"AT/style.css\">",
		"```mermaid\ngraph AT/graph\n```",
	}, "\n\n"), "AT", at)))
	for _, format := range []octavo.ExportFormat{octavo.ExportMarkdown, octavo.ExportHTML, octavo.ExportPDF} {
		for _, embed := range []bool{true, false} {
			var out bytes.Buffer
			_, err := r.Render(t.Context(), octavo.ExportRequest{
				Format: format, Scope: octavo.ExportSite, CallbackURL: at + "/callback", Selection: octavo.ExportSelection{Mode: octavo.SelectAll},
				Rendering: octavo.ExportRendering{EmbedAssets: embed, Theme: octavo.ExportTheme{Name: at, Tokens: map[string]string{"background": "url(" + at + "/theme.png)"}}},
			}, &out, func(int, int) {})
			exporttest.Must(t, err)
			if out.Len() == 0 {
				t.Errorf("%s: nothing was made", format)
			}
			if n := asked.Swap(0); n > 0 {
				t.Errorf("%s, embed %t: the server was asked %d times", format, embed, n)
			}
		}
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, at, nil)
	exporttest.Must(t, err)
	resp, err := server.Client().Do(req)
	exporttest.Must(t, err)
	exporttest.Must(t, resp.Body.Close())
	if asked.Load() != 1 {
		t.Error("the server does not notice that it is asked: the test shows nothing")
	}
}
