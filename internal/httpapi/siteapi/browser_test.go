package siteapi_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/testenv"
	"github.com/octavo-docs/octavo/internal/testenv/chromium"
)

// published makes a site of one page with everything, some beside it, one that is
// read from right to left, and a level that is longer than what is shown at once. It
// returns a page to change too.
func published(t *testing.T) (r *rig, leaf octavo.ID) {
	t.Helper()
	r = start(t, octavotest.Options{}, true)
	r.token = r.Server.Token(t, auth.Grant{Scopes: octavo.ScopeAdmin})
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
	r.page("wide-title", "x", "parentId", home, "title", strings.Repeat("W", 120)) // beside right, and in all lists
	r.fill(210, r.page("long", "", "parentId", home))
	r.api(http.MethodPatch, "/site", object{"banner": object{"text": "News", "href": "/docs/branch", "kind": "warning"}})
	r.must(r.Search.Await(t.Context()))
	return r, leaf
}

func pagesOfAllKinds() map[string]string {
	return map[string]string{
		"home": "/docs", "showcase": "/docs/showcase", "branch": "/docs/branch", "right": "/docs/right", "search": "/docs/-/search?q=zebra",
		"nothing": "/docs/-/search?q=qqqqzzzz", "missing": "/docs/zebra/none", "links": "/docs/-/links?to=showcase", "list": "/docs/-/pages?under=home",
		"folder": "/docs/long", "long": "/docs/page-205", "picture": "/docs/picture",
	}
}

// TestValidLivePages has a validator read pages of all kinds, and checks that their
// policy lets no script make markup.
func TestValidLivePages(t *testing.T) {
	t.Parallel()
	node := testenv.Node(t)
	testenv.NodePackages(t, "../../site/sitetest")
	r, _ := published(t)
	folder := t.TempDir()
	for name, path := range pagesOfAllKinds() {
		resp, text := r.get(path)
		if policy := resp.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "require-trusted-types-for 'script'; trusted-types 'none'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: the policy is %q", path, policy)
		}
		r.must(os.WriteFile(filepath.Join(folder, name+".html"), []byte(text), 0o600))
	}
	if out, err := exec.CommandContext(t.Context(), node, "../../site/sitetest/validate.js", folder).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestLiveInABrowser looks at pages of all kinds in a real Chromium: narrow and wide,
// light and dark, from left to right and from right to left.
func TestLiveInABrowser(t *testing.T) {
	t.Parallel()
	r, leaf := published(t)
	w := walk{chromium.Open(t, r.URL, "404 (Not Found) "+r.URL+"/docs/zebra/none"), r}
	w.Packages = "../../site/sitetest"
	for _, language := range []string{"ar", "en"} {
		r.api("PATCH", "/site", object{"language": language})
		for name, path := range pagesOfAllKinds() {
			w.Go(path)
			w.Look("live-"+language+"-"+name, 360, 768, 1440)
		}
	}
	w.Media("")
	w.findsByKeys()
	w.walksByKeys()
	w.readsWithoutScripts()
	w.readsLargeText()
	w.printsAndRests()
	w.usesPage()

	// A page that is looked at says when it has changed.
	w.Go("/docs/leaf")
	w.Until(`performance.getEntriesByType("resource").some((e) => e.name === location.href)`)
	w.api("PATCH", "/pages/"+string(leaf), object{"content": "Changed"})
	w.Text(`document.dispatchEvent(new Event("visibilitychange")), ""`)
	w.Until(`document.querySelector(".site-news") !== null`)
}

// walk is a way through the pages of a server in one tab.
type walk struct {
	*chromium.Tab
	*rig
}

// The keys that walks press.
const (
	tabKey, enter, escape, arrowDown = '\t', '\r', '\u001b', '\u0301'
)

// findsByKeys opens the dialog of the search by each of its keys, finds something, and
// comes back to where it was.
func (w walk) findsByKeys() {
	w.Go("/docs/branch")
	const was = `document.activeElement.matches('.site-pages [href="/docs/showcase"]')`
	w.Text(`document.querySelector('.site-pages [href="/docs/showcase"]').focus(), ""`)
	for _, c := range []struct {
		key  rune
		held []chromedp.Modifier
	}{{'/', nil}, {'k', []chromedp.Modifier{chromedp.ModifierCtrl}}, {'k', []chromedp.Modifier{chromedp.ModifierMeta}}} {
		w.Key(c.key, c.held...)
		w.Until(`document.querySelector(".site-dialog").open && document.activeElement.matches(".site-query")`)
		w.Key(escape)
		w.Until(`!document.querySelector(".site-dialog").open && ` + was)
	}
	w.Key('/')
	w.Do(chromedp.SendKeys(".site-query", "zebr"))
	w.Until(`document.querySelectorAll(".site-results li mark").length > 1`)
	w.Look("live-dialog", 360, 1440)
	w.Key(arrowDown)
	w.Until(`document.activeElement.closest(".site-results") !== null`)
	w.Key(escape)
	w.Until(`!document.querySelector(".site-dialog").open && ` + was)
	w.Do(chromedp.Click(".site-opener"))
	w.Key(enter)
	w.Until(`new URLSearchParams(location.search).get("q") === "zebr" && document.querySelectorAll(".site-found li").length > 1`)
	w.Do(chromedp.Click(".site-opener"))
	w.Until(`document.querySelector(".site-recent").textContent === "zebr"`)
	w.Look("live-recent", 360, 1440)
	w.Key(escape)
	w.Until(`document.activeElement.matches(".site-opener")`)
	w.Do(chromedp.Click(".site-opener"), chromedp.Click(".site-forget"))
	w.Until(`document.querySelector(".site-results").hidden && localStorage.getItem("octavo-recent") === "[]"`)
}

// reached is what is wrong with how the element shows that has the focus, "end" where
// none has it.
const reached = `(() => {
	const at = document.activeElement;
	if (at === document.body || at.seen) return "end";
	at.seen = true;
	const style = getComputedStyle(at), box = at.getBoundingClientRect(), under = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
	const shown = style.outlineStyle !== "none" && style.outlineWidth !== "0px" || style.boxShadow !== "none" || at.querySelector("img");
	const inside = box.width > 0 && box.top >= 0 && box.left >= 0 && box.right <= innerWidth && (box.bottom <= innerHeight + 1 || box.height > innerHeight);
	const faults = [shown ? "" : " has no ring", inside ? "" : " is outside the window", !under || at.contains(under) || under.contains(at) ? "" : " lies below " + under.outerHTML.slice(0, 80)].join("");
	return faults && at.outerHTML.slice(0, 120) + faults;
})()`

// walksByKeys goes through everything on a page that takes the focus, leaves out what
// the first link leaves out, opens the tree and chooses a tab.
func (w walk) walksByKeys() {
	w.Media("", "prefers-reduced-motion", "reduce") // else it is still scrolling
	for _, width := range []int64{1440, 360} {
		w.Do(chromedp.EmulateViewport(width, 900))
		w.Go("/docs/showcase")
		stops := 0
		for w.Key(tabKey); ; w.Key(tabKey) {
			fault := w.Text(reached)
			if fault == "end" {
				break
			}
			if stops++; fault != "" {
				w.Errorf("%d wide, stop %d: %s", width, stops, fault)
			}
		}
		if stops < 30 {
			w.Errorf("%d wide: %d elements take the focus, want most of the page", width, stops)
		}
	}
	w.Go("/docs/showcase")
	w.Key(tabKey)
	w.Key(enter)
	w.Until(`document.activeElement.id === "Content"`)
	w.Text(`document.querySelector(".site-menu").focus(), ""`)
	w.Key(enter)
	w.Key(tabKey)
	w.Until(`document.activeElement.closest("dialog, .site-opener, .site-pages, .site-name") !== null && document.querySelector(".site-pages").offsetHeight > 0`)
	w.Judge("live-menu")
	w.Key(escape)
	w.Until(`document.activeElement.matches(".site-menu") && document.querySelector(".site-pages").offsetHeight === 0`)

	const second = `document.querySelector(".oct-tabs > details:nth-of-type(2)")`
	w.Text(second + `.querySelector("summary").focus(), ""`)
	w.Key(enter)
	w.Until(second + `.open && !document.querySelector(".oct-tabs > details").open`)
	w.Go("/docs/showcase")
	w.Until(second + ".open")
}

// readsWithoutScripts checks that everything is there without scripts: text, the tree,
// tabs, the search; and nothing that does nothing then.
func (w walk) readsWithoutScripts() {
	w.Scripts(false)
	defer w.Scripts(true)
	for name, path := range pagesOfAllKinds() {
		w.Go(path)
		idle := w.Text(`[...document.querySelectorAll("button")].filter((b) => b.offsetHeight > 0 && !b.form).map((b) => b.outerHTML).join(" ")`)
		if empty := w.Text(`document.querySelector("main").innerText.trim().length > 9 ? "" : "empty"`); idle+empty != "" {
			w.Errorf("%s without scripts: %s %s", name, empty, idle)
		}
	}
	w.Go("/docs/showcase")
	w.Until(`document.querySelector(".site-pages").offsetHeight > 0`)
	w.Do(chromedp.Click(`.oct-tabs > details:nth-of-type(2) > summary`))
	w.Until(`document.querySelector(".oct-tabs > details:nth-of-type(2)").innerText.includes("yarn add")`)
	w.Do(chromedp.SendKeys(".site-query", "zebra"))
	w.Key(enter)
	w.Until(`new URLSearchParams(location.search).get("q") === "zebra" && document.querySelectorAll(".site-found li").length > 1`)
}

// cut lists what does not show all of its text.
const cut = `[...document.querySelectorAll("body *")].filter((e) => {
	const style = getComputedStyle(e);
	return e.checkVisibility() && style.overflowX === "hidden" && e.scrollWidth > e.clientWidth + 1 || e.closest(".site-header") && e.getBoundingClientRect().bottom > e.closest(".site-header").getBoundingClientRect().bottom + 1;
}).map((e) => e.outerHTML.slice(0, 120)).join("\n")`

// readsLargeText looks at pages whose reader has text twice as large.
func (w walk) readsLargeText() {
	size := func(pixels int64) {
		_, err := chromedp.Call(w.Ctx, page.SetFontSizes, page.SetFontSizesParams{FontSizes: &page.FontSizes{Standard: pixels, Fixed: pixels}})
		w.Must(err)
	}
	defer size(16)
	for _, width := range []int64{1440, 768, 360} {
		w.Do(chromedp.EmulateViewport(width, 900))
		for name, path := range pagesOfAllKinds() {
			size(32) // whenever a page is opened, for a picture takes it back
			w.Go(path)
			shot := fmt.Sprintf("live-large-%s-%d", name, width)
			w.Judge(shot)
			if found := w.Text(cut); found != "" {
				w.Errorf("%s: cut off:\n%s", shot, found)
			}
		}
	}
}

// usesPage enlarges a picture, copies the text of a page and says what a reader thinks,
// none of which leaves the page.
func (w walk) usesPage() {
	w.Go("/docs/picture")
	w.Until(`document.querySelector('article button img[width="4000"][height="1000"]') !== null`)
	w.Text(`document.querySelector(".site-enlarge").focus(), ""`)
	w.Key(enter)
	w.Until(`document.querySelector(".site-picture img").clientWidth === 4000`)
	w.Look("live-enlarged", 360, 1440)
	w.Key(escape)
	w.Until(`document.querySelector(".site-picture") === null && document.activeElement.matches(".site-enlarge")`)
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		_, err := chromedp.CallBrowser(w.Ctx, cdpbrowser.SetPermission, cdpbrowser.SetPermissionParams{Permission: &cdpbrowser.PermissionDescriptor{Name: name}, Setting: "granted"})
		w.Must(err)
	}
	w.Do(chromedp.Click(".site-tools button"))
	w.Until(`document.querySelector(".site-tools button").textContent === "Copied"`)
	if copied := w.Text("navigator.clipboard.readText()"); copied != "![A wide one](wide.svg)\n" {
		w.Errorf("copied %q", copied)
	}
	w.Do(chromedp.Click(".site-feedback summary"), chromedp.SendKeys(".site-feedback textarea", "Too wide"), chromedp.Click(`.site-feedback [value="no"]`))
	w.Until(`document.querySelector(".site-thanks").textContent === "Thank you." && document.activeElement.matches(".site-thanks") && location.pathname === "/docs/picture"`)
}

// printsAndRests checks that a printed page is white without navigation, and that nothing
// moves with prefers-reduced-motion.
func (w walk) printsAndRests() {
	w.Do(chromedp.EmulateViewport(1440, 900))
	w.Go("/docs/showcase")
	w.Media("", "prefers-reduced-motion", "reduce")
	if moves := w.Text(`[document.documentElement, ...document.querySelectorAll("body *")].filter((e) => {
		const style = getComputedStyle(e);
		return style.transitionDuration.split(", ").some((d) => d !== "0s") || style.animationName !== "none" || style.scrollBehavior === "smooth";
	}).map((e) => e.outerHTML.slice(0, 80)).join("\n")`); moves != "" {
		w.Errorf("moves for who asked that nothing does:\n%s", moves)
	}
	w.Media("print", "prefers-color-scheme", "dark")
	w.Picture("live-print")
	have := w.Text(`getComputedStyle(document.documentElement).backgroundColor + [...document.querySelectorAll("body *")]
		.filter((e) => e.checkVisibility() && (e.matches("button, form, nav") || getComputedStyle(e).position === "sticky")).map((e) => " " + e.outerHTML.slice(0, 99)).join("")`)
	if have != "rgb(255, 255, 255)" {
		w.Errorf("on paper: have %s, want white and nothing to click at", have)
	}
	w.Media("")
}

// TestMembersInABrowser signs a browser in on its way to a page.
func TestMembersInABrowser(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{}, false)
	r.page("home", "A first page\n")
	r.page("secret", "For members\n")
	r.signUp()
	w := walk{chromium.Open(t, r.URL), r}
	w.Packages = "../../site/sitetest"
	w.Go("/docs/secret")
	w.Until(`location.pathname === "/login"`)
	w.Look("live-login", 360, 768, 1440)
	w.Do(chromedp.SendKeys("#email", "ann@example.com"), chromedp.SendKeys("#password", "correct horse battery"))
	w.Key(enter)
	w.Until(`location.pathname === "/docs/secret" && document.querySelector("article").innerText.includes("For members")`)
	w.Look("live-member", 360, 768, 1440)
}

// Only a person who may propose changes gets from a page to Studio, in the language of the
// site.
func TestEditInABrowser(t *testing.T) {
	t.Parallel()
	r := start(t, octavotest.Options{}, true)
	r.token = r.Server.Token(t, auth.Grant{Scopes: octavo.ScopeAdmin})
	id := r.page("home", "A first page\n")
	r.api("PATCH", "/site", object{"language": "de"})
	link := r.SetupURL(t)
	w := walk{chromium.Open(t, r.URL), r}
	asked := `performance.getEntriesByType("resource").some((e) => e.name.includes("/docs/-/me"))`
	tools := `document.querySelector(".site-tools").innerText`
	w.Go("/docs")
	w.Until(asked)
	if have := w.Text(tools); strings.Contains(have, "bearbeiten") {
		t.Errorf("anybody is shown %q", have)
	}
	w.Text(`sessionStorage.clear(), ""`)

	w.Do(chromedp.Navigate(link))
	w.Do(chromedp.SendKeys("#name", "Ann"), chromedp.SendKeys("#email", "ann@example.com"), chromedp.SendKeys("#password", "correct horse battery"))
	w.Key(enter)
	w.Until(`location.pathname === "/studio"`)
	w.Do(chromedp.Navigate(r.URL + "/account"))
	w.Until(`document.querySelector('a[href="/studio"]').innerText === "Write in Studio"`)
	w.Go("/docs")
	w.Until(tools + `.startsWith("Seite bearbeiten")`)
	w.Do(chromedp.Click(`.site-tools a[href^="/studio/"]`))
	w.Until(`location.pathname === "/studio/pages/` + string(id) + `"`)
}
