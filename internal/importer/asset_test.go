package importer

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestAssets imports a tree with files beside its pages, and again.
func TestAssets(t *testing.T) {
	tree := folder(
		"docs/a.md", "![logo](../img/logo.png) [data](data.json) [lost](lost.pdf) <img src=\"/static-logo.png\">",
		"docs/data.json", "{}",
		"img/logo.png", "PNG",
		"static/static-logo.png", "PNG",
		"package.json", "{}",
		"empty.png", "",
		"guest.png", "unwelcome",
		".hidden.png", "x",
	)
	m := newMemory()
	check := func(when, want string, puts int) {
		t.Helper()
		report := mustRun(t, tree, m, Options{})
		var have strings.Builder
		for _, e := range report {
			have.WriteString(string(e.Action) + " " + e.Path)
			for _, n := range e.Notes {
				have.WriteString(": " + n.Message)
			}
			have.WriteByte('\n')
		}
		if have.String() != want || m.puts != puts {
			t.Errorf("%s: %d puts, want %d; have\n%s\nwant\n%s", when, m.puts, puts, have.String(), want)
		}
	}
	lost := ": the link to lost.pdf leads to no page\n"
	docs := "skipped .hidden.png: it is hidden, so only pictures and other files that pages refer to are imported from it\n" +
		"skipped docs: the folder has no page of its own, so its name is lost; its pages are at the top\n"
	rest := "skipped guest.png: the file was refused: file is not welcome\n"
	check("first", docs+"created docs/a.md"+lost+"created docs/data.json\ncreated empty.png\n"+rest+"created img/logo.png\n"+
		"skipped package.json: no page refers to the file\ncreated static/static-logo.png\n", 4)
	check("again", docs+"unchanged docs/a.md"+lost+"unchanged docs/data.json\nunchanged empty.png\n"+rest+"unchanged img/logo.png\n"+
		"skipped package.json: no page refers to the file\nunchanged static/static-logo.png\n", 4)
	tree["img/logo.png"] = &fstest.MapFile{Data: []byte("other")}
	check("after a change", docs+"unchanged docs/a.md"+lost+"unchanged docs/data.json\nunchanged empty.png\n"+rest+"updated img/logo.png\n"+
		"skipped package.json: no page refers to the file\nunchanged static/static-logo.png\n", 5)
	tree["img/logo.png"] = &fstest.MapFile{Data: []byte("third")}
	report, err := Run(t.Context(), tree, m, Options{DryRun: true})
	if err != nil || m.puts != 5 || report.Counts().Updated != 1 {
		t.Errorf("dry run: %v, %d puts, %+v", err, m.puts, report.Counts())
	}
}

// TestAssetOfGit: what a page shows of a folder .git is named, and the rest is imported.
func TestAssetOfGit(t *testing.T) {
	t.Parallel()
	m := newMemory()
	report := mustRun(t, folder("_config.yml", "", "a.md", "# A\n\n{% include_relative .git/x.md %}\n", ".git/x.md", "x", "_includes/.git/y.md", "y", "b.md", "{% include .git/y.md %}\n"), m, Options{})
	want := []string{".git/x.md:1: files in a folder .git are not imported", "a.md:3: the file .git/x.md, which the page shows, is not imported"}
	if have := reportOf(report); !slices.Contains(have, want[0]) || !slices.Contains(have, want[1]) || report.Counts().Failed > 0 || len(m.pages) != 2 || m.puts > 0 {
		t.Errorf("have %d pages, %d puts, %+v, %q, want %q", len(m.pages), m.puts, report.Counts(), have, want)
	}
}

// A dry run also reports a path that no server accepts.
func TestAssetWithLongPath(t *testing.T) {
	long := strings.Repeat("long/", 200) + "a.png"
	tree := folder("a.md", "![a]("+long+")", long, "PNG")
	for _, dry := range []bool{true, false} {
		m := newMemory()
		report, err := Run(t.Context(), tree, m, Options{DryRun: dry})
		if err != nil || report.Counts().Failed != 1 || m.puts != 0 {
			t.Errorf("dry run %t: %v, %d puts, %+v; want the file refused", dry, err, m.puts, report.Counts())
		}
	}
}

// Files belong to no set, so the first import of another set says whose place one takes.
func TestAssetOfOtherSet(t *testing.T) {
	m := newMemory()
	for _, c := range []struct{ set, note string }{
		{"a", ""},
		{"b", "another file had this path; pages of other import sets that refer to it show this one from now on"},
		{"a", ""},
	} {
		r, err := Run(t.Context(), folder("a.md", "![a](logo.png)", "logo.png", c.set), m, Options{Set: c.set})
		if err != nil {
			t.Fatal(err)
		}
		if i := slices.IndexFunc(r, func(e Entry) bool { return e.Path == "logo.png" }); i < 0 || notesOf(r[i]) != c.note {
			t.Errorf("%s: have %+v", c.set, r)
		}
	}
}
