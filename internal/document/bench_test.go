package document

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/octavo-docs/octavo/internal/frontmatter"
)

var corpus = flag.String("corpus", "../../docs", "folder of Markdown that benchmarks parse")

// pages returns the content of the pages in the corpus.
func pages(b *testing.B) (contents []string, size int64) {
	b.Helper()
	err := filepath.WalkDir(*corpus, func(path string, entry fs.DirEntry, err error) error {
		if ext := filepath.Ext(path); err != nil || entry.IsDir() || ext != ".md" && ext != ".mdx" {
			return err
		}
		file, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		_, body, _, _ := frontmatter.Split(file)
		contents = append(contents, string(body))
		size += int64(len(body))
		return nil
	})
	if err != nil || size == 0 {
		b.Fatalf("read %s: %v", *corpus, err)
	}
	return contents, size
}

func BenchmarkParse(b *testing.B) {
	contents, size := pages(b)
	run := func(name string, parse func(string)) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for _, content := range contents {
					parse(content)
				}
			}
		})
	}
	run("markdown", func(s string) { Parse(s, Options{}) })
	run("mdx", func(s string) { Parse(s, Options{MDX: true}) })
}
