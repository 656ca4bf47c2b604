package importer

import (
	"context"
	"fmt"
	"io/fs"
	"iter"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/octavo-docs/octavo"
)

// changing is a tree in which files say something else from a time on that they
// are opened.
type changing struct {
	fstest.MapFS
	later fstest.MapFS // nil as a file: it is gone
	mu    sync.Mutex
	times map[string]int
}

func (c *changing) Open(name string) (fs.File, error) {
	c.mu.Lock()
	c.times[name]++
	again := c.times[name] > 1
	c.mu.Unlock()
	if _, ok := c.later[name]; ok && again {
		return c.later.Open(name)
	}
	return c.MapFS.Open(name)
}

// TestFilesChangeDuringImport refuses files that changed after the plan was made, and
// imports the others.
func TestFilesChangeDuringImport(t *testing.T) {
	t.Parallel()
	front := "---\ntitle: Before\n---\n"
	for _, c := range []struct{ name, before, after, want string }{
		{"same", front + "text", front + "text", ""},
		{"text", front + "text", front + "other", "changed while"},
		{"text without front matter", "text", "other", "changed while"},
		{"front matter", front + "text", "---\ntitle: After\n---\ntext", "changed while"},
		{"front matter that comes", "text", front + "text", "changed while"},
		{"front matter that goes", front + "text", "text", "changed while"},
		{"a link that leads nowhere", front + "[x](gone.md)", front + "", "changed while"},
		{"too large now", "text", strings.Repeat("x", maxFile+10), "changed while"},
	} {
		fsys := &changing{folder("a.md", c.before, "b.md", "# B"), folder("a.md", c.after), sync.Mutex{}, map[string]int{}}
		target := newMemory()
		report, err := Run(t.Context(), fsys, target, Options{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		said := ""
		for _, n := range report[0].Notes {
			said += n.Message + "\n"
		}
		made := target.bySource("a.md") != nil
		if (c.want == "") != made || report[0].Failed == made || !strings.Contains(said, c.want) || report[1].Action != Created {
			t.Errorf("%s: have the page %t, the report %+v; want %q", c.name, made, report, c.want)
		}
	}
}

func TestBatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ count, size, want int }{
		{0, 10, 0}, {1, 3 * maxBatch, 1}, {3, 3 * maxBatch, 3}, {4, maxBatch / 2, 2}, {octavo.MaxBulk, 0, 1}, {octavo.MaxBulk + 1, 0, 2},
	} {
		var files []*file
		for range c.count {
			files = append(files, &file{size: c.size})
		}
		have, total := 0, 0
		for batch := range batches(files) {
			have++
			total += len(batch)
		}
		if have != c.want || total != c.count {
			t.Errorf("%d files of %d bytes: have %d batches of %d files in all, want %d", c.count, c.size, have, total, c.want)
		}
	}
}

// scale is a target that keeps nothing, and looks at the memory that is taken.
type scale struct {
	pages int
	most  uint64
}

func (s *scale) Pages(context.Context) iter.Seq2[octavo.Page, error] {
	return func(func(octavo.Page, error) bool) {}
}

func (s *scale) Page(context.Context, octavo.ID) (octavo.Page, error) {
	return octavo.Page{}, octavo.Errorf(octavo.NotFound, "nothing is kept")
}

func (s *scale) Apply(_ context.Context, operations []octavo.BulkOperation) ([]Result, error) {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	s.most = max(s.most, m.HeapAlloc)
	results := make([]Result, len(operations))
	for i := range results {
		s.pages++
		results[i].ID = octavo.ID(fmt.Sprint("page_", s.pages))
	}
	return results, nil
}

// TestMemoryOfManyPages imports a tree whose texts are far larger than one batch.
func TestMemoryOfManyPages(t *testing.T) {
	text := []byte("---\ntags: [a]\n---\n# Heading of the page\n\nSee [another](page-1.md) and ![this](x.png). " + strings.Repeat("word ", 10_000))
	const count = 1200 // of 50 kB
	tree := fstest.MapFS{}
	for i := range count {
		tree[fmt.Sprintf("page-%d.md", i)] = &fstest.MapFile{Data: text}
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	target := &scale{}
	if _, err := Run(t.Context(), tree, target, Options{Workers: 2}); err != nil || target.pages != count {
		t.Fatalf("have %d pages, %v", target.pages, err)
	}
	if most := uint64(maxBatch + 8<<20); target.most > m.HeapAlloc+most {
		t.Errorf("%d KiB of memory were taken, want %d at most", (target.most-m.HeapAlloc)>>10, most>>10)
	}
}
