package summary

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/octavo-docs/octavo/internal/importer"
)

func TestOf(t *testing.T) {
	t.Parallel()
	report := importer.Report{
		{Path: ".", Action: importer.Skipped, Notes: []importer.Note{{Line: 1, Message: "history: none", Kind: "history"}}},
		{Path: "a.md", Action: importer.Created, Notes: []importer.Note{{Line: 7, Message: "the link to b leads to no page"}, {Line: 1, Message: "x, line 3: colour: gone", Kind: "colour"}}},
		{Path: "<b onload=\"x\">.md", Action: importer.Created, Notes: []importer.Note{{Line: 2, Message: "<script>alert(1)</script>"}}},
		{Path: "c.md", Action: importer.Unchanged},
		{Path: "mkdocs.yml", Action: importer.Skipped, Notes: []importer.Note{{Line: 1, Message: "no page refers to the file"}}},
		{Path: "e.py", Action: importer.Created},
		{Path: "layouts/f.html", Action: importer.Skipped, Notes: []importer.Note{{Line: 1, Message: "no page refers to the file"}}},
		{Path: "g.md", Action: importer.Skipped, Notes: []importer.Note{{Line: 1, Message: "the file no longer exists; its page is kept"}}},
		{Path: "d.md", Action: importer.Skipped, Notes: []importer.Note{{Line: 1, Message: "the link to e leads to no page"}}},
	}
	s := Of(report)
	if s.Through != 4 || s.Files != 5 || s.Share() != "80.0 %" || !slices.Contains(s.Kinds, Kind{"link", 2}) || !slices.Contains(s.Kinds, Kind{"gone", 1}) || len(s.Kinds) != 6 || len(s.Entries) != 7 {
		t.Errorf("have %+v, %s", s, s.Share())
	}
	s.Name = "</title><script>alert(2)</script>"
	var b strings.Builder
	if err := s.WriteHTML(&b); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		for _, a := range n.Attr {
			if n.Data == "script" || strings.HasPrefix(a.Key, "on") || a.Key == "src" {
				t.Errorf("the page has <%s %s>", n.Data, a.Key)
			}
		}
	}
	if !strings.Contains(b.String(), "line 7: the link to b leads to no page") || !strings.Contains(b.String(), "The export as a whole") {
		t.Errorf("have %s", b.String())
	}
}

func TestShare(t *testing.T) {
	t.Parallel()
	for want, s := range map[string]Summary{"100 %": {}, "99.9 %": {Through: 9999, Files: 10000}, "0.0 %": {Files: 3}} {
		if have := s.Share(); have != want {
			t.Errorf("%d of %d: have %s, want %s", s.Through, s.Files, have, want)
		}
	}
}
