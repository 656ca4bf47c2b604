package portal

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/octavo-docs/octavo/api"
	"github.com/octavo-docs/octavo/internal/testenv/chromium"
)

// TestPagesInABrowser opens the pages in a real Chromium, narrow and wide, light and
// dark, and searches in the reference, which needs no server for that.
func TestPagesInABrowser(t *testing.T) {
	t.Parallel()
	w := chromium.Open(t, serveAll(t).URL+"/")
	for _, c := range []struct{ name, path, visible string }{
		{"start", "", "A documentation server"},
		{"reference", "reference", "/examples/basic-request"},
		{"problems", "problems", "slug-taken"},
		{"operation", "reference#/operation/listPages", "List pages"},
		{"problem", "problems/invalid-request", "must not be empty"},
	} {
		if w.Packages = "../site/sitetest"; strings.HasPrefix(c.path, "reference") {
			w.Packages = "" // Redoc is not ours
		}
		w.Go(c.path)
		// Redoc is ready when its search is; until then it says that it is loading.
		w.Until(`document.body.innerText.includes(` + strconv.Quote(c.visible) + `) && !document.querySelector("[data-testid=search-trigger]")?.innerText.includes("Loading")`)
		w.Look(c.name, 390, 1280)
		if w.Packages == "" {
			w.Do(chromedp.Click("[data-testid=search-trigger]"), chromedp.SendKeys("[data-testid=search-dialog] input", "backlinks"))
			w.Until(`document.querySelector("[data-testid=search-dialog]").innerText.includes("List the pages that link to a page")`)
		}
	}
}

// serveAll serves the portal together with the document it leads to.
func serveAll(t *testing.T) *httptest.Server {
	t.Helper()
	_, document, err := api.Render(api.Addresses{
		Base: "http://127.0.0.1:8080", Search: "http://127.0.0.1:8080/search", Auth: "http://127.0.0.1:8080",
		Versions: []string{"v1", "v2"}, Regions: []string{"us"},
	})
	if err != nil {
		t.Fatal(err)
	}
	mux := http.NewServeMux()
	for path, h := range sample(t, "http://127.0.0.1:8080").Handlers() {
		if path == "/" {
			path = "/{$}" // this path alone, not all below it
		}
		mux.Handle(path, h)
	}
	mux.HandleFunc("/openapi.json", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if _, err := w.Write(document); err != nil {
			t.Error(err)
		}
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}
