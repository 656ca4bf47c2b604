package testenv

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// FileTemplate is a file that copies are made of, such as a database with its
// schema. Its zero value is ready; it may be used at once from many tests.
type FileTemplate struct {
	once    sync.Once
	content []byte
}

// Copy returns the path of a copy in a folder that goes with the test, of the
// name that is given. What is copied is made by prepare at the first call, at a
// path of that name; it must have closed it.
func (f *FileTemplate) Copy(t testing.TB, name string, prepare func(path string) error) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	f.once.Do(func() {
		if err := prepare(path); err != nil {
			t.Fatal(err)
		}
		content, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f.content = content
	})
	if f.content == nil {
		t.Fatal("the file that copies are made of could not be prepared")
	}
	if err := os.WriteFile(path, f.content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
