package testenv

import (
	"os/exec"
	"testing"
)

// SystemdAnalyze returns the path of systemd-analyze.
func SystemdAnalyze(t testing.TB) string {
	t.Helper()
	return tool(t, "systemd-analyze", "systemd")
}

// Promtool returns the path of promtool, of Prometheus.
func Promtool(t testing.TB) string {
	t.Helper()
	return tool(t, "promtool", "promtool")
}

func tool(t testing.TB, program, what string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		missing(t, what, "scripts/test-deps installs it")
	}
	return path
}
