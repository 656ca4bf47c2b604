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

// Nginx returns the path of nginx, which Debian keeps outside of PATH.
func Nginx(t testing.TB) string {
	t.Helper()
	if program := "/usr/sbin/nginx"; isFile(program) {
		return program
	}
	return tool(t, "nginx", "nginx")
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
