package format_test

import (
	"bytes"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/exports/exporttest"
)

func TestMarkdownFilesOfPages(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		root := r.page(exporttest.Published("guide", "# Title guide\n"))
		n := exporttest.Published("guide-start", "no heading")
		n.ParentID, n.Frontmatter, n.Position = root.ID, []byte(`{"tags":["a","b: c"]}`), new(int64)
		*n.Position = 3
		r.page(n)
		other := exporttest.Published("elsewhere", "---\n# Title elsewhere\n")
		other.ParentID = root.ID
		r.page(other)
		raw := exporttest.Published("docs-raw", "# Title docs-raw\r\n")
		raw.Path, raw.RawFront, raw.Frontmatter = "docs/01-raw.md", []byte("---\nx: 'y' # why\n---\n"), []byte(`{"x":"y"}`)
		r.page(raw)
		unsafe := exporttest.Published("unsafe", "# Title unsafe")
		unsafe.Path = "../../etc/passwd.md"
		r.page(unsafe)
		twice := exporttest.Published("again", "# Title again")
		twice.Path = "DOCS/01-RAW.md"
		r.page(twice)
		section := exporttest.Published("cooking", "") // of a _category_ file
		section.Path = "cooking/_category_.json"
		r.page(section)
		files, archive, report := r.files(octavo.ExportRequest{Scope: octavo.ExportPublished})
		want := map[string]string{
			"guide/index.md":     "# Title guide\n",
			"guide/start.md":     "---\ntags:\n  - a\n  - \"b: c\"\ntitle: Title guide-start\nsidebar_position: 0.0029296875\n---\nno heading",
			"guide/elsewhere.md": "---\nslug: \"/elsewhere\"\n---\n---\n# Title elsewhere\n",
			"docs/01-raw.md":     "---\nx: 'y' # why\n---\n# Title docs-raw\r\n",
			"unsafe.md":          "# Title unsafe",
			"again.md":           "# Title again",
			"cooking.md":         "---\ntitle: Title cooking\n---\n",
		}
		if !maps.Equal(files, want) {
			for name, text := range files {
				if text != want[name] {
					t.Errorf("%s:\nhave %q\nwant %q", name, text, want[name])
				}
			}
			t.Errorf("have %v, want %v", slices.Sorted(maps.Keys(files)), slices.Sorted(maps.Keys(want)))
		}
		var said []string
		for _, w := range report.Warnings {
			said = append(said, w.Source+": "+w.Message)
		}
		slices.Sort(said)
		const cannot = ".md: the archive cannot have it at the path of its import."
		if want := []string{"../../etc/passwd.md: Its file is unsafe" + cannot, "DOCS/01-RAW.md: Its file is again" + cannot}; !slices.Equal(said, want) {
			t.Errorf("have warnings %q, want %q", said, want)
		}
		_, again, _ := r.files(octavo.ExportRequest{Scope: octavo.ExportPublished})
		if !bytes.Equal(archive, again) {
			t.Error("a second archive has other bytes")
		}
	})
}

// TestMarkdownWarnings warns if order or language were not in the files of pages.
func TestMarkdownWarnings(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		page := func(slug, path, raw string, position int64, language string) {
			n := exporttest.Published(slug, "# Title "+slug+"\n")
			n.Path, n.Position, n.Language = path, &position, language
			if raw != "" {
				n.RawFront, n.Frontmatter = []byte(raw), []byte(`{"weight":2}`)
			}
			r.page(n)
		}
		page("zz", "zz.md", "", 1024, "he")
		page("aa", "aa.md", "", 2048, "he")
		page("bb", "bb.md", "---\nweight: 2\n---\n", 2048, "")
		page("ar-cc", "ar/cc.md", "---\nweight: 2\n---\n", 2, "ar")
		page("cooking", "cooking/_category_.json", "", 3072, "he")
		page("pt-br", "pt_BR/_category_.json", "", 4096, "pt-BR")
		files, _, report := r.files(octavo.ExportRequest{Scope: octavo.ExportPublished})
		var have []string
		for _, w := range report.Warnings {
			have = append(have, w.Message)
		}
		want := []string{
			"The files of 2 pages do not say their place among others, as mkdocs.yml may have done: an import of the archive orders them by name.",
			"The files of 2 pages do not say their language, which their import was told: give --language again.",
		}
		if !slices.Equal(have, want) {
			t.Errorf("have %q", have)
		}
		if have := files["cooking.md"]; !strings.Contains(have, "sidebar_position: 3\nlang: he\n") {
			t.Errorf("have %q", have)
		}
	})
}

// TestMarkdownRoundTrip imports a tree, exports it, imports that into an
// empty store and compares pages and files.
func TestMarkdownRoundTrip(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		tree := fstest.MapFS{
			"index.md":               {Data: []byte("\ufeff---\ntitle: \"Home\"\n# a comment\n---\n\nWelcome to [start](guide/start.md).\n")},
			"guide/_index.md":        {Data: []byte("+++\ntitle = 'Guide'\nweight = 2\n+++\n# Guide\n")},
			"guide/02-start.md":      {Data: []byte("# Start\r\n\r\n![p](../img/p.png)\r\n")},
			"guide/deep/deeper.md":   {Data: []byte("---\ntitle: Deeper\nslug: /other/place\n---\ntext without end")},
			"guide/component.mdx":    {Data: []byte("import X from './x'\n\n# Component\n\n<X/>\n")},
			"img/p.png":              {Data: []byte("\x89PNG\r\n\x1a\nnot much of a picture")},
			"größe/straße.markdown":  {Data: []byte("# Straße\n")},
			"no-title/some-thing.md": {Data: []byte("only text\n")},
		}
		r.importTree(tree)
		files, _, report := r.files(octavo.ExportRequest{Scope: octavo.ExportSite, IncludeDrafts: true})
		for name, f := range tree {
			if files[name] != string(f.Data) {
				t.Errorf("%s:\nhave %q\nwant %q", name, files[name], f.Data)
			}
		}
		if len(files) != len(tree) || len(report.Warnings) > 0 {
			t.Errorf("have files %v and warnings %v", slices.Sorted(maps.Keys(files)), report.Warnings)
		}
	})
}

// TestPagesRoundTrip exports pages that were made by the API, imports
// them, and compares what they are.
func TestPagesRoundTrip(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		root := r.page(exporttest.Published("api", "no title here"))
		for i, slug := range []string{"api-one", "two", "readme", "con", "2024-report", "01-number", "a-very-long-" + strings.Repeat("x", 90)} {
			n := exporttest.Published(slug, "---\nnot: front matter\n---\n"+slug)
			n.Title = "A title: \"" + slug[:min(len(slug), 20)] + "\" #1"
			n.ParentID = root.ID
			if i%2 == 0 {
				n.Status, n.Frontmatter = octavo.Draft, []byte(`{"n":1.50,"tags":["x"],"list":[{"a":null}]}`)
			} else {
				position := int64(10 - i)
				n.Position = &position
			}
			r.page(n)
		}
		_, archive, _ := r.files(octavo.ExportRequest{Scope: octavo.ExportSite, IncludeDrafts: true})
		tree := fstest.MapFS{}
		for name, text := range exporttest.Unzip(t, archive) {
			tree[name] = &fstest.MapFile{Data: []byte(text), Mode: fs.FileMode(0o644)}
		}
		other := r.another()
		other.importTree(tree)
		want, have := r.all(), other.all()
		if !slices.Equal(have, want) {
			for i := range max(len(have), len(want)) {
				if i >= len(have) || i >= len(want) || have[i] != want[i] {
					t.Errorf("page %d:\nhave %q\nwant %q", i, at(have, i), at(want, i))
				}
			}
		}
	})
}

// The report of an archive lists the files that an import would give another status, since
// an imported file is exported as it was written.
func TestMarkdownStatus(t *testing.T) {
	t.Parallel()
	r := newRig(t)
	var items []octavo.ExportItem
	for slug, c := range map[string]struct {
		status octavo.PageStatus
		path   string
		front  string
	}{
		"made-draft":     {octavo.Draft, "", ""},
		"said-draft":     {octavo.Draft, "said-draft.md", "draft: true"},
		"imported-draft": {octavo.Draft, "imported-draft.md", "x: 1"},
		"bare-draft":     {octavo.Draft, "bare-draft.md", ""},
		"was-draft":      {octavo.Published, "was-draft.md", "draft: true"},
		"archived":       {octavo.Archived, "", ""},
		"published":      {octavo.Published, "published.md", "x: 1"},
	} {
		n := exporttest.Published(slug, "# Title "+slug+"\n")
		n.Status, n.Path = c.status, c.path
		if c.front != "" {
			n.RawFront, n.Frontmatter = []byte("---\n"+c.front+"\n---\n"), []byte(`{"`+strings.Replace(c.front, ": ", `":`, 1)+`}`)
		}
		items = append(items, octavo.ExportItem{ID: r.page(n).ID, Type: octavo.ItemPage})
	}
	_, _, report := r.files(octavo.ExportRequest{
		Scope: octavo.ExportSelected, IncludeDrafts: true, Selection: octavo.ExportSelection{Mode: octavo.SelectIDs, Items: items},
	})
	var have []string
	for _, w := range report.Warnings {
		have = append(have, w.Slug+": "+w.Message)
	}
	slices.Sort(have)
	want := []string{
		"archived: The page is archived, which a file cannot express.",
		"bare-draft: The page is a draft, but its file does not say so.",
		"imported-draft: The page is a draft, but its file does not say so.",
		"was-draft: The page is not a draft, but its file says that it is.",
	}
	if !slices.Equal(have, want) {
		t.Errorf("have warnings\n%s\nwant\n%s", strings.Join(have, "\n"), strings.Join(want, "\n"))
	}
}

func at(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// TestMarkdownTakesAssets shows where files stand that pages refer to.
func TestMarkdownTakesAssets(t *testing.T) {
	t.Parallel()
	rigs(t, func(t *testing.T, r *rig) {
		used, named := r.asset("Ä picture.png", "one"), r.asset("Ä picture.png", "two")
		r.asset("unused.png", "three")
		r.page(exporttest.Published("a", "![x]("+octavo.AssetPath(used.Key, used.Name)+")"))
		b := r.page(exporttest.Published("b", "b"))
		files, _, _ := r.files(octavo.ExportRequest{Scope: octavo.ExportPublished})
		want := []string{"a.md", "assets/" + used.Name, "b.md"}
		if have := slices.Sorted(maps.Keys(files)); !slices.Equal(have, want) || files[want[1]] != "one" {
			t.Errorf("have %v (%q), want %v", have, files[want[1]], want)
		}
		files, _, _ = r.files(octavo.ExportRequest{Scope: octavo.ExportSelected, Selection: octavo.ExportSelection{Mode: octavo.SelectIDs, Items: []octavo.ExportItem{
			{ID: b.ID, Type: octavo.ItemPage}, {ID: named.ID, Type: octavo.ItemAsset},
		}}})
		want = []string{"assets/" + used.Name, "b.md"}
		if have := slices.Sorted(maps.Keys(files)); !slices.Equal(have, want) || files[want[0]] != "two" {
			t.Errorf("have %v (%q), want %v", have, files[want[0]], want)
		}
	})
}
