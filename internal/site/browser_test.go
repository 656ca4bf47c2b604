package site

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
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
	"github.com/chromedp/chromedp/kb"

	"github.com/octavo-docs/octavo/internal/testenv"
	"github.com/octavo-docs/octavo/internal/testenv/chromium"
)

// unpack makes a site of the documentation in a folder.
func unpack(t *testing.T) (folder string) {
	t.Helper()
	l := documentation(t)
	files, _ := write(t, l.book(), l.options())
	folder = t.TempDir()
	for name, text := range files {
		file := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func TestPagesAreValid(t *testing.T) {
	t.Parallel()
	node := testenv.Node(t)
	testenv.NodePackages(t, "sitetest")
	out, err := exec.CommandContext(t.Context(), node, "sitetest/validate.js", unpack(t)).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestInABrowser opens a site from a disk in a real Chromium, searches in it
// and follows what it finds, and looks at pages narrow and wide, light and dark.
// It fails on anything that is asked of a server, on an error on the console,
// which a violated Content-Security-Policy is as well, on a page that is wider
// than the window, and on what axe finds. With OCTAVO_TEST_PICTURES set to a
// folder the screenshots are kept there.
func TestInABrowser(t *testing.T) {
	t.Parallel()
	allocator := chromium.Allocator(t)
	axe, err := os.ReadFile(filepath.Join(testenv.NodePackages(t, "sitetest"), "axe-core", "axe.min.js"))
	if err != nil {
		t.Fatal(err)
	}
	pictures := os.Getenv("OCTAVO_TEST_PICTURES")
	if pictures == "" {
		pictures = t.TempDir()
	}
	w := &walk{T: t, base: "file://" + unpack(t), pictures: pictures, axe: string(axe)}
	tab, closeTab := chromedp.NewContext(allocator)
	t.Cleanup(closeTab)
	var stop context.CancelFunc
	w.tab, stop = context.WithTimeout(tab, 6*time.Minute)
	t.Cleanup(stop)
	w.must(chromedp.Listen(w.tab, w.note))
	w.must(chromedp.Do(w.tab, chromedp.EmulateViewport(1440, 900)))

	w.searches()
	w.switchesColours()
	for page, widths := range map[string][]int64{"index": {1440, 390}, "concepts-showcase": {1440, 1100, 390}, "configuration": {390}} {
		w.open(page + ".html")
		w.look(page, widths...)
	}
	w.open("old-overview.html")
	w.until(`location.pathname.endsWith("/overview.html")`)
	w.opensMenu()
	w.printsOnWhite()
	for _, fault := range w.faults {
		t.Error(fault)
	}
}

// walk is a way through the pages in one tab.
type walk struct {
	*testing.T
	tab                 context.Context
	base, pictures, axe string
	mu                  sync.Mutex
	faults              []string
}

func (w *walk) note(event any) {
	fault := ""
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, w.base+"/") && !strings.HasPrefix(e.Request.URL, "data:") {
			fault = "asks for " + e.Request.URL
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
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

func (w *walk) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

func (w *walk) open(file string) {
	w.Helper()
	w.must(chromedp.Do(w.tab, chromedp.Navigate(w.base+"/"+file)))
	w.until(`document.readyState === "complete"`)
}

func (w *walk) until(condition string) {
	w.Helper()
	_, err := chromedp.Run(w.tab, chromedp.Poll[bool](condition, chromedp.WithPollingTimeout(time.Minute)))
	for try := 0; err != nil && strings.Contains(err.Error(), "context") && try < 5; try++ { // another page has come
		_, err = chromedp.Run(w.tab, chromedp.Poll[bool](condition, chromedp.WithPollingTimeout(time.Minute)))
	}
	if err != nil {
		shown, _ := chromedp.Run(w.tab, chromedp.Evaluate[string]("location.href + ' ' + document.body.innerText.slice(0, 500)"))
		w.Fatalf("%s does not come true: %v\n%s", condition, err, shown)
	}
}

func (w *walk) text(expression string) string {
	w.Helper()
	text, err := chromedp.Run(w.tab, chromedp.Evaluate[string](expression))
	w.must(err)
	return text
}

// ask types a query and waits for its results.
func (w *walk) ask(query string) {
	w.Helper()
	w.until(`document.querySelector(".site-opener") !== null`)
	_, err := chromedp.Run(w.tab, chromedp.Evaluate[string](`document.querySelector(".site-dialog").open || document.querySelector(".site-opener").click(); document.querySelector(".site-query").value = ""`))
	w.must(err)
	w.must(chromedp.Do(w.tab, chromedp.Click(".site-query"), chromedp.SendKeys(".site-query", query)))
	w.until(`(() => { const s = document.querySelector(".site-status"); return s.textContent !== "" && !s.textContent.startsWith("Loading") && document.querySelector(".site-query").value === ` + strconv.Quote(query) + ` && s.dataset.query === ` + strconv.Quote(query) + ` })()`)
}

// searches holds what is found for words that somebody would look for.
func (w *walk) searches() {
	w.open("index.html")
	for _, c := range []struct{ query, want string }{
		{"idempotency", "Idempotency"},
		{"IDEMPOTÉNCY", "Idempotency"},
		{"webhooks", "Webhooks"},
		{"rate limit", "Rate limits"},
		{"postgresql", "PostgreSQL"},
		{"backup", "Backup"},
		{"if-match", "Conditional"},
		{"slug redirect", "Slugs"},
		{"who sees drafts", "Visibility"},
		{"refresh token", "Signing people in"},
		{"restore revision", "Revisions"},
		{"OCTAVO_SECRET_KEY", ""},
		{"idempotancy", "Idempotency"}, // mistyped
		{"webhoks", "Webhooks"},
		{"zzzzqqq", "Nothing found."},
	} {
		w.ask(c.query)
		have := w.text(`document.querySelector(".site-result")?.textContent ?? document.querySelector(".site-status").textContent`)
		if !strings.Contains(strings.ToLower(have), strings.ToLower(c.want)) {
			w.Errorf("search for %q: the first result is %q, want %q", c.query, have, c.want)
		}
	}
	w.ask("expired cursor")
	w.picture("search")
	want := w.text(`document.querySelector(".site-results a").href`)
	w.must(chromedp.Do(w.tab, chromedp.KeyEvent(kb.ArrowDown)))
	w.until(`document.activeElement.href === ` + strconv.Quote(want))
	w.must(chromedp.Do(w.tab, chromedp.Click(".site-results a")))
	w.until(`location.href === ` + strconv.Quote(want) + ` && document.readyState === "complete"`)
	if u, err := url.Parse(want); err != nil || !strings.Contains(w.text("document.body.innerText"), "cursor") || u.Fragment != "" && w.text("document.getElementById(decodeURIComponent(location.hash.slice(1)))?.tagName ?? ''") == "" {
		w.Errorf("the result leads to %s, where nothing is: %v", want, err)
	}
	w.ask("tree")
	w.must(chromedp.Do(w.tab, chromedp.KeyEvent(kb.Escape)))
	w.until(`!document.querySelector(".site-dialog").open && document.activeElement.matches(".site-opener")`)
}

func (w *walk) switchesColours() {
	w.open("overview.html")
	background := `getComputedStyle(document.documentElement).backgroundColor`
	light := w.text(background)
	w.must(chromedp.Do(w.tab, chromedp.Click(".site-theme")))
	dark := w.text(background)
	w.open("api.html")
	if again := w.text(background); light == dark || again != dark {
		w.Errorf("colours: %s, then %s, and %s on the next page; want the second to stay", light, dark, again)
	}
	w.must(chromedp.Do(w.tab, chromedp.Click(".site-theme")))
	_, err := chromedp.Run(w.tab, chromedp.Evaluate[bool](`localStorage.clear(), true`))
	w.must(err)
}

func (w *walk) opensMenu() {
	w.must(chromedp.Do(w.tab, chromedp.EmulateViewport(390, 800)))
	w.must(chromedp.Do(w.tab, chromedp.Click(".site-menu")))
	w.until(`document.querySelector(".site-pages").offsetHeight > 0`)
	w.picture("menu")
	w.judge("menu")
	w.must(chromedp.Do(w.tab, chromedp.KeyEvent(kb.Escape)))
	w.until(`document.querySelector(".site-pages").offsetHeight === 0`)
}

// printsOnWhite holds that paper is light for readers whose screen is dark.
func (w *walk) printsOnWhite() {
	dark := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}
	for media, want := range map[string]string{"screen": "rgb(20, 23, 28) block", "print": "rgb(255, 255, 255) none"} {
		_, err := chromedp.Call(w.tab, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media, Features: dark})
		w.must(err)
		have := w.text(`getComputedStyle(document.documentElement).backgroundColor + " " + getComputedStyle(document.querySelector(".site-header")).display.replace("flex", "block")`)
		if have != want {
			w.Errorf("%s: have %s, want %s", media, have, want)
		}
	}
}

// look takes pictures of a page in both colour schemes and several widths.
func (w *walk) look(name string, widths ...int64) {
	w.Helper()
	for _, scheme := range []string{"light", "dark"} {
		media := emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}}
		_, err := chromedp.Call(w.tab, emulation.SetEmulatedMedia, media)
		w.must(err)
		for _, width := range widths {
			w.must(chromedp.Do(w.tab, chromedp.EmulateViewport(width, 900)))
			shot := fmt.Sprintf("%s-%s-%d", name, scheme, width)
			over, err := chromedp.Run(w.tab, chromedp.Evaluate[int]("document.documentElement.scrollWidth - innerWidth"))
			if err != nil || over > 0 {
				w.Errorf("%s: %d pixels wider than the window (%v)", shot, over, err)
			}
			w.picture(shot)
			w.judge(shot)
		}
	}
	w.must(chromedp.Do(w.tab, chromedp.EmulateViewport(1440, 900)))
}

func (w *walk) picture(name string) {
	w.Helper()
	take := chromedp.CaptureScreenshot()
	if strings.Contains(name, "showcase") || strings.Contains(name, "index") {
		take = chromedp.FullScreenshot(100)
	}
	picture, err := chromedp.Run(w.tab, take)
	w.must(err)
	w.must(os.WriteFile(filepath.Join(w.pictures, name+".png"), picture, 0o600))
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
