package importer

import (
	"strings"
	"testing"
)

func TestReportLines(t *testing.T) {
	r := Report{
		{Path: "b.md", Action: Skipped, Notes: []Note{{Line: 7, Message: "late"}, {Line: 2, Message: "<early>"}}},
		{Path: "a.md", ID: "page_1", Slug: "a", Action: Created},
	}
	r.sort()
	var b strings.Builder
	if err := r.Write(&b); err != nil {
		t.Fatal(err)
	}
	want := `{"path":"a.md","id":"page_1","slug":"a","action":"created","notes":[]}
{"path":"b.md","action":"skipped","notes":[{"line":2,"message":"<early>"},{"line":7,"message":"late"}]}
`
	if b.String() != want {
		t.Errorf("have %s\nwant %s", b.String(), want)
	}
}

func TestReportWithoutPages(t *testing.T) {
	r, err := Run(t.Context(), folder("a.png", "PNG"), newMemory(), Options{})
	if err != nil || len(r) != 2 || r[0].Path != "." || notesOf(r[0]) != NoPages {
		t.Errorf("have %+v, %v", r, err)
	}
}
