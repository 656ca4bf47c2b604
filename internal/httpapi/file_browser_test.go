package httpapi_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/chromedp"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/testenv/chromium"
)

// TestFilesInABrowser shows uploaded files in a real Chromium: pictures are
// seen, on the page of another server too, an SVG runs no script wherever it
// is put, and what may carry script is downloaded. With OCTAVO_TEST_PICTURES
// set to a folder the screenshots are kept there.
func TestFilesInABrowser(t *testing.T) {
	t.Parallel()
	var ran atomic.Int32 // how often the script in the SVG ran
	var body atomic.Value
	// The script would be seen: it makes the green red.
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><rect width="200" height="100" fill="green"/>` +
		`<script>document.querySelector("rect").setAttribute("fill", "red"); new Image().src = %q</script></svg>`
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/ran":
			ran.Add(1)
		case "/inline.svg":
			w.Header().Set("Content-Type", "image/svg+xml")
			fmt.Fprintf(w, svg, "http://"+r.Host+"/ran")
		case "/":
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, body.Load())
		}
	}))
	defer site.Close()
	s := octavotest.Start(t, octavotest.Options{})
	c, err := client.New(s.URL, client.WithToken(s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})))
	if err != nil {
		t.Fatal(err)
	}
	upload := func(name, content string) string {
		asset, err := c.Upload(t.Context(), client.Upload{Name: name, Content: strings.NewReader(content)})
		if err != nil {
			t.Fatal(err)
		}
		return asset.URL
	}
	var picture bytes.Buffer
	if err := png.Encode(&picture, rainbow(300, 200)); err != nil {
		t.Fatal(err)
	}
	pngURL, svgURL := upload("a.png", picture.String()), upload("b.svg", fmt.Sprintf(svg, site.URL+"/ran"))
	htmlURL := upload("c.html", "<!DOCTYPE html><script>new Image().src = '"+site.URL+"/ran'</script>")
	pdfURL := upload("d.pdf", "%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n")

	w := chromium.Open(t, "", "violates the following Content Security Policy directive")
	downloads := t.TempDir()
	_, err = chromedp.CallBrowser(w.Ctx, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: downloads,
	})
	w.Must(err)
	show := func(name, html, until string) {
		t.Helper()
		body.Store("<!DOCTYPE html><title>t</title>" + html)
		w.Go(site.URL + "/")
		w.Until(until)
		w.Picture("file-" + name)
	}
	// The test would notice a script that runs.
	show("svg-not-held-back", `<iframe src="/inline.svg"></iframe>`, "document.readyState === 'complete'")
	for deadline := time.Now().Add(time.Minute); ran.Load() == 0 && time.Now().Before(deadline); {
		if _, err := chromedp.Run(w.Ctx, chromedp.Evaluate[int]("1")); err != nil {
			t.Fatal(err)
		}
	}
	if ran.Swap(0) == 0 {
		t.Fatal("the script of an SVG that nothing holds back did not run")
	}

	show("pictures", fmt.Sprintf(`<img id=a src=%q><img id=b src=%q>`, pngURL, svgURL),
		"a.complete && a.naturalWidth === 300 && b.complete && b.naturalWidth === 200")
	show("svg-framed", fmt.Sprintf(`<iframe src=%q></iframe><object data=%q></object><embed src=%q>`, svgURL, svgURL, svgURL), "document.readyState === 'complete'")
	w.Go(pngURL)
	w.Until("document.images[0].naturalWidth === 300")
	w.Picture("file-itself")
	show("before-downloads", "<p>A link to a file that is downloaded does not leave this page.", "document.readyState === 'complete'")
	for name, address := range map[string]string{"c.html": htmlURL, "d.pdf": pdfURL, "b.svg": svgURL} {
		if err := chromedp.Do(w.Ctx, chromedp.Navigate(address)); err == nil || !strings.Contains(err.Error(), "ERR_ABORTED") {
			t.Errorf("%s: opening it: have %v, want a download, which ends the navigation", name, err)
		}
		for deadline := time.Now().Add(time.Minute); ; {
			if _, err := os.Stat(filepath.Join(downloads, name)); err == nil {
				break
			}
			if time.Now().After(deadline) {
				t.Errorf("%s was not downloaded", name)
				break
			}
			if _, err := chromedp.Run(w.Ctx, chromedp.Evaluate[int]("1")); err != nil {
				t.Fatal(err)
			}
		}
	}
	w.Picture("file-after-downloads")
	if n := ran.Load(); n > 0 {
		t.Errorf("the script of an uploaded file ran %d times", n)
	}
}

// rainbow is a picture of all hues, and none that is grey.
func rainbow(width, height int) image.Image {
	m := image.NewNRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		for y := range height {
			m.SetNRGBA(x, y, color.NRGBA{uint8(255 * x / width), uint8(255 * y / height), uint8(255 - 255*x/width), 255}) //nolint:gosec // below 256
		}
	}
	return m
}
