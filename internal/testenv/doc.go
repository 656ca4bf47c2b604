// Package testenv finds what a test needs from the machine: a PostgreSQL
// server, a server of S3, a Chromium, a strace, a small disk, a Node, a Python,
// programs that read PDF, systemd-analyze, promtool, a user whom permissions
// bind. It owns the decision what happens when one is missing and is the only
// package that may skip a test.
//
// OCTAVO_TEST_REQUIRE lists, with commas, what must be there ("postgres",
// "s3", "chromium", "strace", "disk", "node", "python", "pdf", "systemd", "nginx",
// "promtool"): a missing one that is listed fails the test, any other skips it.
// `make test` requires all of them; the disk needs root or user namespaces. Tests
// of a part that needs none never come here.
package testenv

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// missing ends a test that cannot run, as the environment decides.
func missing(t testing.TB, what, remedy string) {
	t.Helper()
	if slices.Contains(strings.Split(os.Getenv("OCTAVO_TEST_REQUIRE"), ","), what) {
		t.Fatalf("%s is required (OCTAVO_TEST_REQUIRE) and not here: %s", what, remedy)
	}
	t.Skipf("no %s: %s", what, remedy)
}
