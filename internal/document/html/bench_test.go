package html

import (
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
)

var corpus = flag.String("corpus", "../../../docs", "folder of Markdown that benchmarks render")

func BenchmarkFragment(b *testing.B) {
	var trees []*document.Document
	size := int64(0)
	err := filepath.WalkDir(*corpus, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Ext(path) != ".md" {
			return err
		}
		file, err := os.ReadFile(path)
		trees = append(trees, document.Parse(string(file), document.Options{}))
		size += int64(len(file))
		return err
	})
	if err != nil || size == 0 {
		b.Fatalf("read %s: %v", *corpus, err)
	}
	run := func(name string, r *Renderer, unsanitised bool) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size)
			b.ReportAllocs()
			for b.Loop() {
				for _, tree := range trees {
					w := writer{ctx: b.Context(), renderer: r, doc: tree, colourable: maxColoured, unsanitised: unsanitised}
					w.takeIDs()
					w.blocks(tree.Blocks)
					w.sanitise()
				}
			}
		})
	}
	remembering := New(highlight.New(64 << 20))
	run("first", New(highlight.New(0)), false)
	run("again", remembering, false)
	run("unsanitised", remembering, true)
}
