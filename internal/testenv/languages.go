package testenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Node returns the path of a Node.js.
func Node(t testing.TB) string {
	t.Helper()
	path, err := exec.LookPath("node")
	if err != nil {
		missing(t, "node", "scripts/test-deps installs it")
	}
	return path
}

// Python returns the path of a Python 3 that has the package cryptography.
func Python(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"python3", "/usr/bin/python3"} {
		path, err := exec.LookPath(name)
		if err == nil && exec.CommandContext(t.Context(), path, "-c", "import cryptography").Run() == nil {
			return path
		}
	}
	missing(t, "python", "scripts/test-deps installs it, with python3-cryptography")
	return ""
}

// NodePackages returns where the npm packages lie that the package.json of a
// folder asks for.
func NodePackages(t testing.TB, folder string) string {
	t.Helper()
	path, err := filepath.Abs(filepath.Join(folder, "node_modules"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		missing(t, "node", "scripts/test-deps installs the packages of "+folder)
	}
	return path
}
