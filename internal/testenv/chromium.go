package testenv

import (
	"os/exec"
	"testing"
)

// Chromium returns the path of a Chromium or Chrome that can run headless.
func Chromium(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	missing(t, "chromium", "scripts/test-deps installs it")
	return ""
}
