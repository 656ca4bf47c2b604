package portal

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/octavo-docs/octavo/api"
	"github.com/octavo-docs/octavo/internal/testenv/chromium"
)

// TestPagesInABrowser opens the pages in a real Chromium, narrow and wide,
// light and dark. It fails on a request to another server, on an error on the
// console, which a violated Content-Security-Policy is as well, and on a page
// that is wider than the window. With OCTAVO_TEST_PICTURES set to a folder the
// screenshots are kept there.
func TestPagesInABrowser(t *testing.T) {
	t.Parallel()
	allocator := chromium.Allocator(t)
	server := serveAll(t)
	pictures := os.Getenv("OCTAVO_TEST_PICTURES")
	if pictures == "" {
		pictures = t.TempDir()
	}
	tabs, closeAll := chromedp.NewContext(allocator)
	t.Cleanup(closeAll)
	if err := chromedp.Do(tabs, chromedp.Navigate("about:blank")); err != nil { // starts it, once for all tabs
		t.Fatalf("start Chromium: %v", err)
	}
	for _, c := range []struct{ name, path, visible string }{
		{"start", "/", "A documentation server"},
		{"reference", "/reference", "/examples/basic-request"},
		{"operation", "/reference#/operation/listPages", "List pages"},
		{"problems", "/problems", "slug-taken"},
		{"problem", "/problems/invalid-request", "must not be empty"},
	} {
		for _, scheme := range []string{"light", "dark"} {
			t.Run(c.name+"-"+scheme, func(t *testing.T) {
				file := filepath.Join(pictures, c.name+"-"+scheme)
				visit(t, tabs, server.URL, c.path, c.visible, scheme, file)
			})
		}
	}
}

// patience is how long a page may take: Redoc draws all operations, on a machine
// that is busy with other tests.
const patience = 4 * time.Minute

// visit opens a page in a tab of its own, waits until text is to be seen, and
// takes pictures of it.
func visit(t *testing.T, tabs context.Context, base, path, text, scheme, file string) {
	t.Helper()
	tab, closeTab := chromedp.NewContext(tabs)
	defer closeTab()
	tab, cancel := context.WithTimeout(tab, patience)
	defer cancel()

	var faults faults
	if err := chromedp.Listen(tab, func(event any) { faults.note(base, event) }); err != nil {
		t.Fatal(err)
	}
	media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
	if _, err := chromedp.Call(tab, emulation.SetEmulatedMedia, media); err != nil {
		t.Fatal(err)
	}
	if err := chromedp.Do(tab, chromedp.EmulateViewport(1280, 900), chromedp.Navigate(base+path)); err != nil {
		t.Fatalf("open %s: %v", path, err)
	}
	// Redoc is ready when its search is; until then it says that it is loading.
	seen := "document.readyState === 'complete' && document.body.innerText.includes(" + strconv.Quote(text) + ")" +
		" && !document.querySelector('[data-testid=search-trigger]')?.innerText.includes('Loading')"
	if _, err := chromedp.Run(tab, chromedp.Poll[bool](seen, chromedp.WithPollingTimeout(patience/2))); err != nil {
		t.Errorf("%s: %q is not to be seen: %v", path, text, err)
	}
	for width, name := range map[int64]string{1280: "wide", 390: "narrow"} {
		if err := chromedp.Do(tab, chromedp.EmulateViewport(width, 900)); err != nil {
			t.Fatal(err)
		}
		over, err := chromedp.Run(tab, chromedp.Evaluate[int]("document.documentElement.scrollWidth - innerWidth"))
		if err != nil || over > 0 {
			t.Errorf("%s: is %d pixels wider than the window of %d (%v)", path, over, width, err)
		}
		picture, err := chromedp.Run(tab, chromedp.CaptureScreenshot())
		if err != nil {
			t.Fatalf("take a picture of %s: %v", path, err)
		}
		if err := os.WriteFile(file+"-"+name+".png", picture, 0o600); err != nil {
			t.Error(err)
		}
	}
	if strings.HasPrefix(path, "/reference") {
		search(t, tab, "backlinks", "List the pages that link to a page")
	}
	for _, fault := range faults.all() {
		t.Errorf("%s: %s", path, fault)
	}
}

// search looks for something in the reference, which finds it without a server.
func search(t *testing.T, tab context.Context, query, want string) {
	t.Helper()
	err := chromedp.Do(tab, chromedp.EmulateViewport(1280, 900),
		chromedp.Click("[data-testid=search-trigger]"), chromedp.SendKeys("[data-testid=search-dialog] input", query))
	if err != nil {
		t.Errorf("search for %q: %v", query, err)
		return
	}
	found := "document.querySelector('[data-testid=search-dialog]').innerText.includes(" + strconv.Quote(want) + ")"
	if _, err := chromedp.Run(tab, chromedp.Poll[bool](found, chromedp.WithPollingTimeout(patience/2))); err != nil {
		t.Errorf("search for %q: does not find %q: %v", query, want, err)
	}
}

// faults gathers what must not happen while a page is open.
type faults struct {
	mu   sync.Mutex
	list []string
}

func (f *faults) note(base string, event any) {
	fault := ""
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		own := strings.HasPrefix(e.Request.URL, base+"/") || strings.HasPrefix(e.Request.URL, "data:") || strings.HasPrefix(e.Request.URL, "blob:")
		if !own {
			fault = "asks another server: " + e.Request.URL
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			fault = "console: " + e.Entry.Text + " " + e.Entry.URL
		}
	case *runtime.EventExceptionThrown:
		fault = "exception: " + e.ExceptionDetails.Text
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError {
			fault = "console.error"
			for _, arg := range e.Args {
				fault += " " + string(arg.Value) + arg.Description
			}
		}
	}
	if fault != "" {
		f.mu.Lock()
		defer f.mu.Unlock()
		f.list = append(f.list, fault)
	}
}

func (f *faults) all() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.list
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
