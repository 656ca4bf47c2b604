package reading

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/octavo-docs/octavo/bench/internal/corpus"
	"github.com/octavo-docs/octavo/bench/internal/figure"
	"github.com/octavo-docs/octavo/bench/internal/served"
)

// A slow telephone: a quarter of the processor, 1.6 Mbit/s, 150 ms.
const (
	slowdown = 4
	bytesIn  = 1.6e6 / 8
	bytesOut = 0.75e6 / 8
	latency  = 150 // ms
)

// settled is how long a page is watched after it was loaded.
const settled = 1500 * time.Millisecond

// observe measures what a page costs a browser.
const observe = `(() => {
	window.seen = { paint: 0, shift: 0, blocked: 0 };
	new PerformanceObserver((list) => { for (const e of list.getEntries()) seen.paint = e.startTime; }).observe({ type: "largest-contentful-paint", buffered: true });
	new PerformanceObserver((list) => { for (const e of list.getEntries()) if (!e.hadRecentInput) seen.shift += e.value; }).observe({ type: "layout-shift", buffered: true });
	new PerformanceObserver((list) => { for (const e of list.getEntries()) seen.blocked += Math.max(0, e.duration - 50); }).observe({ type: "longtask", buffered: true });
})()`

// open opens the dialog of the search by its key, and returns the milliseconds until
// it is painted; find types into it, and returns those until results are painted.
const (
	painted = `const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));`
	open    = `(async () => {` + painted + `
		const began = performance.now();
		document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "k", ctrlKey: true, bubbles: true, cancelable: true }));
		while (!document.activeElement.matches("input")) await painted();
		await painted();
		return performance.now() - began;
	})()`
	find = `(async () => {` + painted + `
		const input = document.activeElement;
		const began = performance.now();
		input.value = %q;
		input.dispatchEvent(new InputEvent("input", { bubbles: true }));
		while (!document.querySelector(".site-results li")) await painted();
		await painted();
		return performance.now() - began;
	})()`
)

// browse looks at pages in Chromium: for the first time, then at another one.
func (s Settings) browse(ctx context.Context, server *served.Server, list *figure.List) error {
	turns := 5
	if s.Short {
		turns = 1
	}
	ctx, cancel := chromedp.NewExecAllocator(ctx, append(chromedp.DefaultExecAllocatorOptions[:], chromedp.Flag("no-sandbox", true))...)
	defer cancel()
	for range turns {
		if err := visit(ctx, server.URL, list); err != nil {
			return fmt.Errorf("look at pages in Chromium: %w", err)
		}
	}
	return nil
}

// seen is what observe notes.
type seen struct{ Paint, Shift, Blocked float64 }

// visit looks at two pages in a new browser, and searches.
func visit(ctx context.Context, site string, list *figure.List) error {
	ctx, cancel := chromedp.NewContext(ctx)
	defer cancel()
	ctx, stop := context.WithTimeout(ctx, time.Minute)
	defer stop()
	_, err := chromedp.Call(ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: observe})
	if err := errors.Join(err, slow(ctx, slowdown, network.Conditions{Latency: latency, DownloadThroughput: bytesIn, UploadThroughput: bytesOut})); err != nil {
		return err
	}
	for i, name := range []string{figure.FirstVisit, figure.NextPage} {
		if err := chromedp.Do(ctx, chromedp.EmulateViewport(390, 844), chromedp.Navigate(fmt.Sprintf("%s/docs/small-page-04%d", site, i)), chromedp.Sleep(settled)); err != nil {
			return err
		}
		found, err := chromedp.Run(ctx, chromedp.Evaluate[seen]("seen"))
		if err != nil {
			return err
		}
		list.Add(figure.Octavo, name, figure.Paint, found.Paint)
		list.Add(figure.Octavo, name, figure.Shift, found.Shift)
		list.Add(figure.Octavo, name, figure.Blocked, found.Blocked)
	}
	if err := errors.Join(slow(ctx, 1, network.Conditions{DownloadThroughput: -1, UploadThroughput: -1}), chromedp.Do(ctx, chromedp.EmulateViewport(1440, 900))); err != nil {
		return err
	}
	for _, c := range []struct{ name, script string }{{figure.Dialog, open}, {figure.Results, fmt.Sprintf(find, strings.Fields(corpus.Of(0).Title)[0])}} {
		took, err := chromedp.Run(ctx, chromedp.Evaluate[float64](c.script, chromedp.EvalAwaitPromise))
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		list.Add(figure.Octavo, c.name, figure.Took, took)
	}
	return nil
}

// slow makes the processor so many times slower, and the network as it says.
func slow(ctx context.Context, times float64, conditions network.Conditions) error {
	_, err := chromedp.Call(ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: times})
	_, err2 := chromedp.Call(ctx, network.Enable, network.EnableParams{})
	_, err3 := chromedp.Call(ctx, network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{MatchedNetworkConditions: []*network.Conditions{&conditions}})
	return errors.Join(err, err2, err3)
}
