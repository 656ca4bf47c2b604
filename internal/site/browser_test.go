package site

import (
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

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

func TestValidPages(t *testing.T) {
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
// It fails on anything that is asked of a server, and on what Judge finds.
func TestInABrowser(t *testing.T) {
	t.Parallel()
	w := walk{chromium.Open(t, "file://"+unpack(t)+"/")}
	w.Packages = "sitetest"
	w.Do(chromedp.EmulateViewport(1440, 900))

	w.searches()
	w.switchesColours()
	for page, widths := range map[string][]int64{"index": {1440, 390}, "concepts-showcase": {1440, 1100, 390}, "configuration": {390}} {
		w.Go(page + ".html")
		w.Look(page, widths...)
	}
	w.Do(chromedp.EmulateViewport(1440, 900))
	w.Go("old-overview.html")
	w.Until(`location.pathname.endsWith("/overview.html")`)
	w.opensMenu()
	w.printsOnWhite()
}

// walk is a way through the pages in one tab.
type walk struct{ *chromium.Tab }

// ask types a query and waits for its results.
func (w *walk) ask(query string) {
	w.Helper()
	w.Until(`document.querySelector(".site-opener") !== null`)
	w.Text(`document.querySelector(".site-dialog").open || document.querySelector(".site-opener").click(); document.querySelector(".site-query").value = ""`)
	w.Do(chromedp.Click(".site-query"), chromedp.SendKeys(".site-query", query))
	w.Until(`(() => { const s = document.querySelector(".site-status"); return s.textContent !== "" && !s.textContent.startsWith("Loading") && document.querySelector(".site-query").value === ` + strconv.Quote(query) + ` && s.dataset.query === ` + strconv.Quote(query) + ` })()`)
}

// searches holds what is found for words that somebody would look for.
func (w *walk) searches() {
	w.Go("index.html")
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
		have := w.Text(`document.querySelector(".site-result")?.textContent ?? document.querySelector(".site-status").textContent`)
		if !strings.Contains(strings.ToLower(have), strings.ToLower(c.want)) {
			w.Errorf("search for %q: the first result is %q, want %q", c.query, have, c.want)
		}
	}
	w.ask("expired cursor")
	w.Picture("search")
	want := w.Text(`document.querySelector(".site-results a").href`)
	w.Do(chromedp.KeyEvent(kb.ArrowDown))
	w.Until(`document.activeElement.href === ` + strconv.Quote(want))
	w.Do(chromedp.Click(".site-results a"))
	w.Until(`location.href === ` + strconv.Quote(want) + ` && document.readyState === "complete"`)
	if u, err := url.Parse(want); err != nil || !strings.Contains(w.Text("document.body.innerText"), "cursor") || u.Fragment != "" && w.Text("document.getElementById(decodeURIComponent(location.hash.slice(1)))?.tagName ?? ''") == "" {
		w.Errorf("the result leads to %s, where nothing is: %v", want, err)
	}
	w.ask("tree")
	w.Do(chromedp.KeyEvent(kb.Escape))
	w.Until(`!document.querySelector(".site-dialog").open && document.activeElement.matches(".site-opener")`)
}

func (w *walk) switchesColours() {
	w.Go("overview.html")
	background := `getComputedStyle(document.documentElement).backgroundColor`
	light := w.Text(background)
	w.Do(chromedp.Click(".site-theme"))
	dark := w.Text(background)
	w.Go("api.html")
	if again := w.Text(background); light == dark || again != dark {
		w.Errorf("colours: %s, then %s, and %s on the next page; want the second to stay", light, dark, again)
	}
	if have, want := w.Text(imagesOfModes), "#gh-dark-mode-only #only-dark"; have != want {
		w.Errorf("dark: have the images %s, want %s", have, want)
	}
	w.Do(chromedp.Click(".site-theme"))
	if have, want := w.Text(imagesOfModes), "#gh-light-mode-only #only-light"; have != want {
		w.Errorf("light: have the images %s, want %s", have, want)
	}
	w.Text(`localStorage.clear(), ""`)
}

// imagesOfModes adds an image for each mode and tells which of them are shown.
const imagesOfModes = `(() => { const main = document.querySelector("main")
	main.insertAdjacentHTML("beforeend", ["#gh-light-mode-only", "#gh-dark-mode-only", "#only-light", "#only-dark"].map(f => '<img class="mode" alt="" src="data:,' + f + '">').join(""))
	const shown = [...main.querySelectorAll("img.mode")].filter(i => getComputedStyle(i).display !== "none").map(i => i.getAttribute("src").slice(6)).join(" ")
	main.querySelectorAll("img.mode").forEach(i => i.remove())
	return shown })()`

func (w *walk) opensMenu() {
	w.Do(chromedp.EmulateViewport(390, 800))
	w.Do(chromedp.Click(".site-menu"))
	w.Until(`document.querySelector(".site-pages").offsetHeight > 0`)
	w.Judge("menu")
	w.Do(chromedp.KeyEvent(kb.Escape))
	w.Until(`document.querySelector(".site-pages").offsetHeight === 0`)
}

// printsOnWhite checks that paper is light for readers whose screen is dark.
func (w *walk) printsOnWhite() {
	for media, want := range map[string]string{"screen": "rgb(20, 23, 28) block", "print": "rgb(255, 255, 255) none"} {
		w.Media(media, "prefers-color-scheme", "dark")
		have := w.Text(`getComputedStyle(document.documentElement).backgroundColor + " " + getComputedStyle(document.querySelector(".site-header")).display.replace("flex", "block")`)
		if have != want {
			w.Errorf("%s: have %s, want %s", media, have, want)
		}
		mode := map[string]string{"screen": "#gh-dark-mode-only #only-dark", "print": "#gh-light-mode-only #only-light"}[media]
		if have := w.Text(imagesOfModes); have != mode {
			w.Errorf("%s: have the images %s, want %s", media, have, mode)
		}
	}
}
