package testenv

import (
	"os/exec"
	"path/filepath"
	"testing"
)

// PostgresPrograms returns the folder with the programs of the newest
// PostgreSQL here, for a test that starts and stops a server of its own.
func PostgresPrograms(t testing.TB) string {
	t.Helper()
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/postgres") // sorted
	if err != nil {
		t.Fatal(err)
	}
	if len(found) > 0 {
		return filepath.Dir(found[len(found)-1])
	}
	path, err := exec.LookPath("postgres")
	if err != nil {
		missing(t, "postgres", "scripts/test-deps installs it")
	}
	return filepath.Dir(path)
}
