package testenv

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// PDF returns the path of a program that reads PDF: qpdf, pdfcpu, or one of
// poppler's, such as pdfinfo.
func PDF(t testing.TB, program string) string {
	t.Helper()
	if path, err := exec.LookPath(program); err == nil {
		return path
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; ; dir = filepath.Dir(dir) {
		if path := filepath.Join(dir, ".cache", "bin", program); isFile(path) {
			return path
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	missing(t, "pdf", "scripts/test-deps and scripts/install-pdfcpu install "+program)
	return ""
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}
