package siteapi_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/testenv"
	"github.com/octavo-docs/octavo/internal/testenv/chromium"
)

// published makes a site of one page with everything, some beside it, and one that
// is read from right to left. It returns a page to change too.
func published(t *testing.T) (r *rig, leaf octavo.ID) {
	t.Helper()
	r = start(t, octavotest.Options{}, true)
	showcase, err := os.ReadFile("../../site/testdata/showcase.mdx")
	r.must(err)
	home := r.page("home", "# The manual\n\nA first page.\n", "title", "The manual")
	r.page("showcase", string(showcase), "parentId", home, "frontmatter", object{"format": "mdx", "description": "One of everything"})
	r.upload("square.png", "\x89PNG\r\n\x1a\n")
	r.upload("wide.svg", `<svg xmlns="http://www.w3.org/2000/svg" width="4000" height="1000"><rect width="4000" height="1000" fill="teal"/></svg>`)
	r.page("picture", "![A wide one](wide.svg)\n", "parentId", home)
	branch := r.page("branch", "## Zebras\n\nA zebra is here.\n\n## Others\n\nNone.\n", "parentId", home)
	leaf = r.page("leaf", "Another zebra\n", "parentId", branch)
	r.page("right", "## عنوان\n\nنص من اليمين إلى اليسار\n", "parentId", home, "title", "صفحة", "frontmatter", object{"language": "ar"})
	r.must(r.Search.Await(t.Context()))
	return r, leaf
}

func pagesOfAllKinds() map[string]string {
	return map[string]string{
		"home": "/docs", "showcase": "/docs/showcase", "branch": "/docs/branch", "right": "/docs/right", "search": "/docs/-/search?q=zebra",
		"nothing": "/docs/-/search?q=qqqqzzzz", "missing": "/docs/zebra/none", "links": "/docs/-/links?to=showcase", "list": "/docs/-/pages?under=home",
		"picture": "/docs/picture",
	}
}

// TestLivePagesAreValid has a validator read pages of all kinds.
func TestLivePagesAreValid(t *testing.T) {
	t.Parallel()
	node := testenv.Node(t)
	testenv.NodePackages(t, "../../site/sitetest")
	r, _ := published(t)
	folder := t.TempDir()
	for name, path := range pagesOfAllKinds() {
		_, text := r.get(path)
		r.must(os.WriteFile(filepath.Join(folder, name+".html"), []byte(text), 0o600))
	}
	if out, err := exec.CommandContext(t.Context(), node, "../../site/sitetest/validate.js", folder).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestLiveInABrowser looks at pages of all kinds in a real Chromium, narrow and
// wide, light and dark. It fails on anything that is asked of another server, on an
// error on the console, which a violated policy is as well, on a page that is wider
// than the window, and on what axe finds. With OCTAVO_TEST_PICTURES set to a folder
// the screenshots are kept there.
func TestLiveInABrowser(t *testing.T) {
	t.Parallel()
	allocator := chromium.Allocator(t)
	axe, err := os.ReadFile(filepath.Join(testenv.NodePackages(t, "../../site/sitetest"), "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	r, leaf := published(t)
	w := &walk{rig: r, pictures: os.Getenv("OCTAVO_TEST_PICTURES"), axe: string(axe)}
	tab, closeTab := chromedp.NewContext(allocator)
	t.Cleanup(closeTab)
	var stop context.CancelFunc
	w.tab, stop = context.WithTimeout(tab, 6*time.Minute)
	t.Cleanup(stop)
	w.must(chromedp.Listen(w.tab, w.note))
	w.must(chromedp.Do(w.tab, chromedp.EmulateViewport(1440, 900)))
	for name, path := range pagesOfAllKinds() {
		w.open(path)
		w.look(name)
	}
	w.open("/docs/branch")
	w.must(chromedp.Do(w.tab, chromedp.EmulateViewport(1440, 900), chromedp.KeyEvent("k", chromedp.KeyModifiers(2)), chromedp.WaitVisible(".site-query"), chromedp.SendKeys(".site-query", "zebr")))
	w.until(`document.querySelectorAll(".site-results li mark").length > 1`)
	w.picture("panel")
	w.must(chromedp.Do(w.tab, chromedp.KeyEvent(kb.ArrowDown)))
	w.until(`document.activeElement.closest(".site-results") !== null`)
	w.must(chromedp.Do(w.tab, chromedp.KeyEvent(kb.Escape)))
	w.until(`!document.querySelector(".site-dialog").open`)
	w.must(chromedp.Do(w.tab, chromedp.Click(".site-opener"), chromedp.KeyEvent(kb.Enter)))
	w.until(`location.search === "?q=zebr" && document.querySelectorAll(".site-found li").length > 1`)
	w.must(chromedp.Do(w.tab, chromedp.Click(".site-opener")))
	w.until(`document.querySelector(".site-recent").textContent === "zebr"`)
	w.picture("recent")
	w.must(chromedp.Do(w.tab, chromedp.KeyEvent(kb.Escape)))
	w.until(`document.activeElement.matches(".site-opener")`)
	w.must(chromedp.Do(w.tab, chromedp.Click(".site-opener"), chromedp.Click(".site-forget")))
	w.until(`document.querySelector(".site-results").hidden && localStorage.getItem("octavo-recent") === "[]"`)

	// A picture that is shown smaller than it is can be enlarged.
	w.open("/docs/picture")
	w.until(`document.querySelector('article button img[width="4000"][height="1000"]') !== null`)
	w.must(chromedp.Do(w.tab, chromedp.Click(".site-enlarge")))
	w.until(`document.querySelector(".site-picture img").clientWidth === 4000`)
	w.picture("enlarged")
	w.must(chromedp.Do(w.tab, chromedp.KeyEvent(kb.Escape)))
	w.until(`document.querySelector(".site-picture") === null && document.activeElement.matches(".site-enlarge")`)

	// A page is copied as it was written.
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		_, err = chromedp.CallBrowser(w.tab, cdpbrowser.SetPermission, cdpbrowser.SetPermissionParams{Permission: &cdpbrowser.PermissionDescriptor{Name: name}, Setting: "granted"})
		w.must(err)
	}
	w.must(chromedp.Do(w.tab, chromedp.Click(".site-tools button")))
	w.until(`document.querySelector(".site-tools button").textContent === "Copied"`)
	copied, err := chromedp.Run(w.tab, chromedp.Evaluate[string]("navigator.clipboard.readText()", chromedp.EvalAwaitPromise))
	w.must(err)
	if copied != "![A wide one](wide.svg)\n" {
		t.Errorf("copied %q", copied)
	}

	// A reader says what they think without leaving the page.
	w.must(chromedp.Do(w.tab, chromedp.Click(".site-feedback summary"), chromedp.SendKeys(".site-feedback textarea", "Too wide"), chromedp.Click(`.site-feedback [value="no"]`)))
	w.until(`document.querySelector(".site-thanks").textContent === "Thank you." && document.activeElement.matches(".site-thanks") && location.pathname === "/docs/picture"`)
	w.picture("thanks")

	// A page that is looked at says when it has changed.
	w.open("/docs/leaf")
	w.until(`performance.getEntriesByType("resource").some((e) => e.name === location.href)`)
	w.api("PATCH", "/pages/"+string(leaf), object{"content": "Changed"})
	_, err = chromedp.Run(w.tab, chromedp.Evaluate[bool](`document.dispatchEvent(new Event("visibilitychange"))`))
	w.must(err)
	w.until(`document.querySelector(".site-news") !== null`)
	for _, fault := range w.faults {
		t.Error(fault)
	}
}

// walk is a way through the pages in one tab.
type walk struct {
	*rig
	tab           context.Context
	pictures, axe string
	mu            sync.Mutex
	faults        []string
}

func (w *walk) note(event any) {
	fault := ""
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, w.URL+"/") && !strings.HasPrefix(e.Request.URL, "data:") {
			fault = "asks for " + e.Request.URL
		}
	case *log.EventEntryAdded:
		missing := strings.Contains(e.Entry.Text, "404") && strings.HasSuffix(e.Entry.URL, "/none")
		if !missing && (e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning) {
			fault = "console: " + e.Entry.Text + " " + e.Entry.URL
		}
	case *runtime.EventExceptionThrown:
		fault = "exception: " + e.ExceptionDetails.Text
	}
	if fault != "" {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.faults = append(w.faults, fault)
	}
}

func (w *walk) open(path string) {
	w.Helper()
	w.must(chromedp.Do(w.tab, chromedp.Navigate(w.URL+path)))
	w.until(`document.readyState === "complete"`)
}

func (w *walk) until(condition string) {
	w.Helper()
	_, err := chromedp.Run(w.tab, chromedp.Poll[bool](condition, chromedp.WithPollingTimeout(time.Minute)))
	for try := 0; err != nil && (strings.Contains(err.Error(), "context") || strings.Contains(err.Error(), "navigated")) && try < 5; try++ { // another page has come
		_, err = chromedp.Run(w.tab, chromedp.Poll[bool](condition, chromedp.WithPollingTimeout(time.Minute)))
	}
	if err != nil {
		shown, _ := chromedp.Run(w.tab, chromedp.Evaluate[string]("location.href + ' ' + document.body.innerText.slice(0, 500)"))
		w.Fatalf("%s does not come true: %v\n%s", condition, err, shown)
	}
}

// look takes pictures of a page in both colour schemes and two widths.
func (w *walk) look(name string) {
	w.Helper()
	for _, scheme := range []string{"light", "dark"} {
		media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
		_, err := chromedp.Call(w.tab, emulation.SetEmulatedMedia, media)
		w.must(err)
		for _, width := range []int64{1440, 360} {
			w.must(chromedp.Do(w.tab, chromedp.EmulateViewport(width, 900)))
			shot := name + "-" + scheme + "-" + strconv.FormatInt(width, 10)
			over, err := chromedp.Run(w.tab, chromedp.Evaluate[int]("document.documentElement.scrollWidth - innerWidth"))
			if err != nil || over > 0 {
				w.Errorf("%s: %d pixels wider than the window (%v)", shot, over, err)
			}
			w.picture(shot)
			w.judge(shot)
		}
	}
}

func (w *walk) picture(name string) {
	w.Helper()
	if w.pictures == "" {
		return
	}
	picture, err := chromedp.Run(w.tab, chromedp.CaptureScreenshot())
	w.must(err)
	w.must(os.WriteFile(filepath.Join(w.pictures, "live-"+name+".png"), picture, 0o600))
}

// judge lets axe look for what keeps people out.
func (w *walk) judge(name string) {
	w.Helper()
	_, err := chromedp.Run(w.tab, chromedp.Evaluate[bool](w.axe+"; true"))
	w.must(err)
	found, err := chromedp.Run(w.tab, chromedp.Evaluate[string](`axe.run(document, {preload: false, resultTypes: ["violations"]}).then((r) =>
		r.violations.map((v) => v.id + ": " + v.help + "\n" + v.nodes.slice(0, 4).map((n) => "  " + n.html.slice(0, 200) + " " + n.failureSummary).join("\n")).join("\n"))`, chromedp.EvalAwaitPromise))
	w.must(err)
	if found != "" {
		w.Errorf("%s: axe finds\n%s", name, found)
	}
}
