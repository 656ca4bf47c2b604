package testenv

import (
	"os/exec"
	"testing"
)

// Strace returns the path of a strace that can trace on this machine.
func Strace(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("strace")
	if err != nil {
		missing(t, "strace", "scripts/test-deps installs it")
	}
	if out, err := exec.CommandContext(t.Context(), path, "-o", "/dev/null", "true").CombinedOutput(); err != nil {
		missing(t, "strace", "this machine does not let processes be traced: "+string(out))
	}
	return path
}
