package testenv

import (
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// PostgresProgram returns the path of a program that comes with the server of
// OCTAVO_TEST_POSTGRES, such as pg_dump, which must not be older than it.
func PostgresProgram(t testing.TB, name string) string {
	t.Helper()
	// Where Debian puts them, by version, and scripts/with-postgres looks first.
	all, err := filepath.Glob("/usr/lib/postgresql/*/bin/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if len(all) > 0 {
		return slices.Max(all)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		missing(t, "postgres", "scripts/test-deps installs it")
	}
	return path
}
