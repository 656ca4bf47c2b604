// Package chromium gives tests a real browser. It owns how Chromium is started, what
// counts as a fault while a page is open, and the checks by axe. Package testenv decides
// which Chromium is used, and what happens without one.
package chromium

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/octavo-docs/octavo/internal/testenv"
)

// Time limits on a machine that is busy with other tests: for the start of Chromium, for
// an expected state of a page, and for a test.
const (
	start    = time.Minute
	patience = 2 * time.Minute
	whole    = 6 * time.Minute
)

// Tab is a tab of a headless Chromium. OCTAVO_TEST_PICTURES names a folder for its
// screenshots.
type Tab struct {
	testing.TB
	Ctx      context.Context
	Packages string // folder of npm packages with axe; "" disables axe
	base     string
	expected []string
	axe      string

	mu     sync.Mutex
	faults []string
}

// Open starts a Chromium with one tab, which ends with the test. The test fails on
// requests outside base, exceptions, and errors or warnings on the console, including
// Content-Security-Policy violations, unless the text contains an expected one.
func Open(t testing.TB, base string, expected ...string) *Tab {
	t.Helper()
	allocator, stop := chromedp.NewExecAllocator(t.Context(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(testenv.Chromium(t)), chromedp.WSURLReadTimeout(start),
		chromedp.Flag("no-sandbox", true), // root cannot have a sandbox
	)...)
	t.Cleanup(stop)
	tab, closeTab := chromedp.NewContext(allocator)
	t.Cleanup(closeTab)
	tab, cancel := context.WithTimeout(tab, whole)
	t.Cleanup(cancel)
	b := &Tab{TB: t, Ctx: tab, base: base, expected: expected}
	b.Must(chromedp.Listen(tab, b.note))
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, fault := range b.faults {
			t.Error(fault)
		}
	})
	return b
}

func (b *Tab) note(event any) {
	fault := ""
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		if !slices.ContainsFunc([]string{b.base, "data:", "blob:"}, func(own string) bool { return strings.HasPrefix(e.Request.URL, own) }) {
			fault = "asks for " + e.Request.URL
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
	if fault != "" && !slices.ContainsFunc(b.expected, func(text string) bool { return strings.Contains(fault, text) }) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.faults = append(b.faults, fault)
	}
}

// Must ends the test if something went wrong.
func (b *Tab) Must(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// Do is chromedp.Do.
func (b *Tab) Do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	b.Must(chromedp.Do(b.Ctx, steps...))
}

// Go opens a page below base and waits until it is loaded.
func (b *Tab) Go(path string) {
	b.Helper()
	b.Do(chromedp.Navigate(b.base + path))
	b.Until(`document.readyState === "complete"`)
}

// Until waits until a condition is true in the current page.
func (b *Tab) Until(condition string) {
	b.Helper()
	deadline, cancel := context.WithTimeout(b.Ctx, patience)
	defer cancel()
	again := time.NewTicker(10 * time.Millisecond) // in Go, since a page without scripts cannot wait
	defer again.Stop()
	for {
		ok, err := chromedp.Run(deadline, chromedp.Evaluate[bool]("Boolean("+condition+")"))
		if err == nil && ok {
			return
		}
		select {
		case <-again.C:
		case <-deadline.Done():
			shown, _ := chromedp.Run(b.Ctx, chromedp.Evaluate[string]("location.href + '\\n' + document.body.innerText.slice(0, 500)"))
			b.Fatalf("%s does not come true: %v\n%s", condition, err, shown)
		}
	}
}

// Text returns the value of an expression, or of its promise.
func (b *Tab) Text(expression string) string {
	b.Helper()
	text, err := chromedp.Run(b.Ctx, chromedp.Evaluate[string](expression, chromedp.EvalAwaitPromise))
	b.Must(err)
	return text
}

// Key presses a key like a person: if the page prevents the default action, no character
// is entered.
func (b *Tab) Key(key rune, held ...chromedp.Modifier) {
	b.Helper()
	events := kb.Encode(key)
	down, up := events[0], events[len(events)-1]
	for _, m := range held {
		down.Modifiers |= int64(m)
	}
	if down.Modifiers == 0 {
		down.Text = events[1].Text // "" for a key without a character
	}
	for _, e := range []*input.DispatchKeyEventParams{down, up} {
		_, err := chromedp.Call(b.Ctx, input.DispatchKeyEvent, *e)
		b.Must(err)
	}
}

// Scripts enables or disables scripts in pages opened afterwards.
func (b *Tab) Scripts(run bool) {
	b.Helper()
	_, err := chromedp.Call(b.Ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: !run})
	b.Must(err)
}

// Media emulates a medium ("" is a screen) with media features, given as alternating names
// and values.
func (b *Tab) Media(medium string, features ...string) {
	b.Helper()
	media := emulation.SetEmulatedMediaParams{Media: medium}
	for i := 0; i < len(features); i += 2 {
		media.Features = append(media.Features, &emulation.MediaFeature{Name: features[i], Value: features[i+1]})
	}
	_, err := chromedp.Call(b.Ctx, emulation.SetEmulatedMedia, media)
	b.Must(err)
}

// Look judges the current page in both colour schemes and all widths.
func (b *Tab) Look(name string, widths ...int64) {
	b.Helper()
	for _, scheme := range []string{"light", "dark"} {
		b.Media("", "prefers-color-scheme", scheme)
		for _, width := range widths {
			b.Do(chromedp.EmulateViewport(width, 900))
			b.Judge(fmt.Sprintf("%s-%s-%d", name, scheme, width))
		}
	}
}

// Picture saves a screenshot of the whole page if OCTAVO_TEST_PICTURES is set.
func (b *Tab) Picture(name string) {
	b.Helper()
	folder := os.Getenv("OCTAVO_TEST_PICTURES")
	if folder == "" {
		return
	}
	take := chromedp.CaptureScreenshot()
	if b.Text("String(document.documentElement.scrollHeight > innerHeight)") == "true" { // of others that run from right to left it shows a part
		take = chromedp.FullScreenshot(100)
	}
	picture, err := chromedp.Run(b.Ctx, take)
	b.Must(err)
	b.Must(os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o600))
}

// accessible runs axe.
const accessible = `axe.run(document, {
	preload: false, resultTypes: ["violations"], rules: {"target-size": {enabled: true}},
	runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
}).then((r) => r.violations.map((v) => v.id + ": " + v.help + "\n" +
	v.nodes.slice(0, 4).map((n) => "  " + n.html.slice(0, 200) + " " + n.failureSummary).join("\n")).join("\n"))`

// Judge takes a screenshot, and checks that the page is not wider than its window and that
// axe finds nothing.
func (b *Tab) Judge(name string) {
	b.Helper()
	defer b.Picture(name)
	over, err := chromedp.Run(b.Ctx, chromedp.Evaluate[int]("document.documentElement.scrollWidth - innerWidth"))
	if err != nil || over > 0 {
		b.Errorf("%s: %d pixels wider than the window (%v)", name, over, err)
	}
	if b.Packages == "" {
		return
	}
	if b.axe == "" {
		axe, err := os.ReadFile(filepath.Join(testenv.NodePackages(b, b.Packages), "axe-core", "axe.min.js"))
		b.Must(err)
		b.axe = string(axe)
	}
	if b.Text("typeof axe") == "undefined" {
		b.Text(b.axe + "; ''")
	}
	if found := b.Text(accessible); found != "" {
		b.Errorf("%s: axe finds\n%s", name, found)
	}
}
