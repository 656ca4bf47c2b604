package httpapi_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
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
	"github.com/octavo-docs/octavo/internal/testenv"
)

// TestFilesInABrowser shows uploaded files in a real Chromium: pictures are
// seen, on the page of another server too, an SVG runs no script wherever it
// is put, and what may carry script is downloaded.
func TestFilesInABrowser(t *testing.T) {
	t.Parallel()
	chromium := testenv.Chromium(t)
	var ran atomic.Int32 // how often the script in the SVG ran
	var body atomic.Value
	const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><rect width="20" height="10"/><script>new Image().src = %q</script></svg>`
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
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	pngURL, svgURL := upload("a.png", picture.String()), upload("b.svg", fmt.Sprintf(svg, site.URL+"/ran"))
	htmlURL := upload("c.html", "<!DOCTYPE html><script>new Image().src = '"+site.URL+"/ran'</script>")
	pdfURL := upload("d.pdf", "%PDF-1.7\n1 0 obj<<>>endobj\ntrailer<<>>\n%%EOF\n")

	allocator, stop := chromedp.NewExecAllocator(t.Context(),
		append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium), chromedp.Flag("no-sandbox", true))...)
	defer stop()
	tab, closeTab := chromedp.NewContext(allocator)
	defer closeTab()
	tab, cancel := context.WithTimeout(tab, 2*time.Minute)
	defer cancel()
	downloads := t.TempDir()
	if _, err := chromedp.CallBrowser(tab, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorAllow, DownloadPath: downloads,
	}); err != nil {
		t.Fatal(err)
	}
	show := func(html, until string) {
		t.Helper()
		body.Store("<!DOCTYPE html><title>t</title>" + html)
		if err := chromedp.Do(tab, chromedp.Navigate(site.URL+"/")); err != nil {
			t.Fatal(err)
		}
		if _, err := chromedp.Run(tab, chromedp.Poll[bool](until)); err != nil {
			t.Errorf("%s: does not come to %s: %v", html, until, err)
		}
	}
	// The test would notice a script that runs.
	show(`<iframe src="/inline.svg"></iframe>`, "document.readyState === 'complete'")
	for deadline := time.Now().Add(time.Minute); ran.Load() == 0 && time.Now().Before(deadline); {
		if _, err := chromedp.Run(tab, chromedp.Evaluate[int]("1")); err != nil {
			t.Fatal(err)
		}
	}
	if ran.Swap(0) == 0 {
		t.Fatal("the script of an SVG that nothing holds back did not run")
	}

	show(fmt.Sprintf(`<img id=a src=%q><img id=b src=%q>`, pngURL, svgURL),
		"a.complete && a.naturalWidth === 30 && b.complete && b.naturalWidth === 20")
	show(fmt.Sprintf(`<iframe src=%q></iframe><object data=%q></object><embed src=%q>`, svgURL, svgURL, svgURL), "document.readyState === 'complete'")
	if err := chromedp.Do(tab, chromedp.Navigate(pngURL)); err != nil {
		t.Errorf("open the picture itself: %v", err)
	}
	if width, err := chromedp.Run(tab, chromedp.Evaluate[int]("document.images[0].naturalWidth")); err != nil || width != 30 {
		t.Errorf("the picture itself: have a width of %d, %v; want 30", width, err)
	}
	for name, address := range map[string]string{"c.html": htmlURL, "d.pdf": pdfURL, "b.svg": svgURL} {
		if err := chromedp.Do(tab, chromedp.Navigate(address)); err == nil || !strings.Contains(err.Error(), "ERR_ABORTED") {
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
			if _, err := chromedp.Run(tab, chromedp.Evaluate[int]("1")); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := ran.Load(); n > 0 {
		t.Errorf("the script of an uploaded file ran %d times", n)
	}
}
