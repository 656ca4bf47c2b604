package importer

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/octavo-docs/octavo"
)

var update = flag.Bool("update", false, "write the wanted output into the archives")

// wantFile is the part of an archive that is not of the tree: the report and
// the pages it wants.
const wantFile = "WANT"

func TestTrees(t *testing.T) {
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("archives: have %v, %v", archives, err)
	}
	for _, name := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) { runArchive(t, name) })
	}
}

func runArchive(t *testing.T, name string) {
	archive, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	tree, want := fstest.MapFS{}, ""
	for _, f := range archive.Files {
		if f.Name == wantFile {
			want = string(f.Data)
		} else {
			tree[f.Name] = &fstest.MapFile{Data: f.Data}
		}
	}
	target := newMemory()
	report := mustRun(t, tree, target, Options{Status: octavo.Published})
	have := show(report, target)
	if *update {
		archive.Files = append(archive.Files[:len(tree)], txtar.File{Name: wantFile, Data: []byte(have)})
		if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if have != want {
		t.Errorf("have:\n%s\nwant:\n%s", have, want)
	}

	calls := target.calls
	for _, e := range mustRun(t, tree, target, Options{Status: octavo.Published}) {
		if e.Action != Unchanged && e.Action != Skipped {
			t.Errorf("second run: %s: have %s, want unchanged", e.Path, e.Action)
		}
	}
	if target.calls != calls {
		t.Errorf("second run: have %d calls, want none", target.calls-calls)
	}
	for _, f := range archive.Files {
		if p := target.bySource(f.Name); p != nil && !bytes.HasSuffix(f.Data, []byte(p.Content)) {
			t.Errorf("%s: the content is not what the file ends with: %q", f.Name, p.Content)
		}
	}
}

func mustRun(t *testing.T, tree fstest.MapFS, target Target, opts Options) Report {
	t.Helper()
	if opts.Now.IsZero() {
		opts.Now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	}
	report, err := Run(context.Background(), tree, target, opts)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// show writes a report and its pages for people to compare.
func show(report Report, target *memory) string {
	var b strings.Builder
	for _, e := range report {
		fmt.Fprintf(&b, "%s %s\n", e.Action, e.Path)
		for _, n := range e.Notes {
			fmt.Fprintf(&b, "\t%d: %s\n", n.Line, n.Message)
		}
		p := target.pages[e.ID]
		if p == nil {
			continue
		}
		fmt.Fprintf(&b, "\t= %s %q %s", p.Slug, p.Title, p.Status)
		if parent := target.pages[p.ParentID]; parent != nil {
			fmt.Fprintf(&b, " under %s", parent.Slug)
		}
		if p.PublishAt != nil {
			fmt.Fprintf(&b, " from %s", p.PublishAt.Format(time.RFC3339))
		}
		if p.UnpublishAt != nil {
			fmt.Fprintf(&b, " until %s", p.UnpublishAt.Format(time.RFC3339))
		}
		if p.Position != nil {
			fmt.Fprintf(&b, " at %d", *p.Position)
		}
		if former := target.formerOf(p.ID); len(former) > 0 {
			fmt.Fprintf(&b, " formerly %s", strings.Join(former, ", "))
		}
		if p.Frontmatter != nil {
			fmt.Fprintf(&b, " with %s", p.Frontmatter)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
