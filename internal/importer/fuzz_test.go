package importer

import (
	"bytes"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/octavo-docs/octavo"
)

// FuzzRun imports three files of any name and text, twice.
func FuzzRun(f *testing.F) {
	f.Add("a/index.md", "# A", "a/b.mdx", "---\nslug: /x\nweight: 1.5\naliases: [y]\n---\nimport X from 'y'\n[l](b.md)", "mkdocs.yml", "nav: [{A: a.md}]")
	f.Add("a/_category_.yml", "label: x\nposition: 1e99", "a/01-é.md", "+++\ndraft=true\n+++\n{{< x >}}", "a/_index.md", "{\"title\": \"\\u0000\"}\n")
	f.Add("介绍.md", "\xff", "README.md", "---\ntitle: [\n---\n```\nimport x\n", "a-2.md", "")
	f.Add("mkdocs.yml", "docs_dir: ..\nnav: &a [*a]", "docs/x.md", "---\nid: 7\nslug: \"//\"\n---", "docs/x/index.md", "---\nurl: /x\n---\n")
	f.Add("a\x04-é.gz", "x", "b\x18/_index.md", "", "c.md", "[l](a\x04-é.gz)")
	f.Fuzz(func(t *testing.T, name1, text1, name2, text2, name3, text3 string) {
		fsys := fstest.MapFS{}
		for name, text := range map[string]string{name1: text1, name2: text2, name3: text3} {
			if !fs.ValidPath(name) || name == "." {
				return // not a path
			}
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
		for name := range fsys {
			for dir := parentDir(name); dir != "" && dir != "."; dir = parentDir(dir) {
				if fsys[dir] != nil {
					return // a file and a folder at once
				}
			}
		}
		m := newMemory()
		report := mustRun(t, fsys, m, Options{Status: octavo.Published, Workers: 2})
		for _, e := range report {
			refused := octavo.CheckAssetSource(e.Path) != "" // as no asset may have it
			if e.Failed && !refused || e.Action == "" {
				t.Errorf("%q: have %q %v", e.Path, e.Action, e.Notes)
			}
			p := m.pages[e.ID]
			if p != nil && fsys[p.Source] != nil && !bytes.HasSuffix(fsys[p.Source].Data, []byte(p.Content)) {
				t.Errorf("%q: the content %q is not the end of the file", e.Path, p.Content)
			}
		}
		calls := m.calls
		if again := mustRun(t, fsys, m, Options{Status: octavo.Published}); actions(again) != actions(keepSkipped(report)) || m.calls != calls {
			t.Errorf("second run: have %q and %d calls", actions(again), m.calls-calls)
		}
	})
}

// keepSkipped returns the entries of files that made no page.
func keepSkipped(r Report) Report {
	var skipped Report
	for _, e := range r {
		if e.Action == Skipped {
			skipped = append(skipped, e)
		}
	}
	return skipped
}
