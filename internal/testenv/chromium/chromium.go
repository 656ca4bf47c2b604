// Package chromium gives tests that look at pages a real browser. It owns how
// Chromium is started; which one, and what happens without one, is decided in
// package testenv.
package chromium

import (
	"context"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/octavo-docs/octavo/internal/testenv"
)

// start is how long Chromium may take to start on a machine that is busy with
// other tests.
const start = time.Minute

// Allocator returns the context in which chromedp.NewContext starts a headless
// Chromium, which ends with the test at the latest.
func Allocator(t testing.TB) context.Context {
	t.Helper()
	allocator, stop := chromedp.NewExecAllocator(t.Context(), append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(testenv.Chromium(t)), chromedp.WSURLReadTimeout(start),
		chromedp.Flag("no-sandbox", true), // which root cannot have
	)...)
	t.Cleanup(stop)
	return allocator
}
