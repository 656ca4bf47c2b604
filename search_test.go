package octavo

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestDecodeSearchFilters(t *testing.T) {
	for _, c := range []struct {
		text   string
		strict bool
		want   string // the paths at fault
	}{
		{`{}`, true, ""},
		{`{"tags":["a"],"updatedAfter":"2026-01-01T00:00:00Z"}`, true, ""},
		{`{"more":1}`, false, ""},
		{`{"more":1}`, true, "filters/more"},
		{`{"tags":["a",1,null]}`, false, "filters/tags/1 filters/tags/2"},
		{`{"tags":null,"updatedAfter":null}`, false, "filters/tags filters/updatedAfter"},
		{`{"updatedAfter":"2026-01-01"}`, false, "filters/updatedAfter"},
		{`[]`, false, "filters"},
		{`"tags"`, false, "filters"},
	} {
		v, err := ValueOf(json.RawMessage(c.text))
		if err != nil {
			t.Fatal(err)
		}
		var paths []string
		if _, err := DecodeSearchFilters(v, "filters", c.strict); err != nil {
			for _, f := range err.(*Error).Fields {
				paths = append(paths, f.Path)
			}
		}
		if have := strings.Join(paths, " "); have != c.want {
			t.Errorf("%s, strict %t: have faults at %q, want %q", c.text, c.strict, have, c.want)
		}
	}
}

func TestSearchResultJSON(t *testing.T) {
	r := SearchResult{ID: "page_1", Title: `=a"`, Score: 0.25, Highlight: "<mark>a</mark> &amp;", Slug: "a", UpdatedAt: time.UnixMilli(0)}
	want := `{"id":"page_1","title":"=a\"","score":0.25,"highlight":"<mark>a</mark> &amp;","slug":"a","updatedAt":"1970-01-01T00:00:00.000Z"}`
	if have := string(r.AppendJSON(nil)); have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
	for title, want := range map[string]string{
		"a": "a", "": "", "=a": "'=a", "+1": "'+1", "-1": "'-1", "@a": "'@a", "\ta": "'\ta", "a=": "a=", "é": "é",
		// Cells as they appear in CSV separated by semicolons, and characters that some programs
		// take for separators.
		"a;=1+1;b": "a;'=1+1;b", "a; \"=1": "a; \"'=1", "a\t-1": "a\t'-1", "a\n@x": "a\n'@x", "＝1": "'＝1", " =1": " '=1", "a; b-c": "a; b-c", "x - y": "x - y",
		// The end of a line is as it was, also of an empty one, and at the start of a cell it is guarded.
		"a\n\n=1": "a\n\n'=1", "\n\na": "'\n\na", "a;\n\nb": "a;'\n\nb", "a\n\t-1": "a\n'\t'-1",
	} {
		r.Title = title
		have, err := csv.NewReader(bytes.NewReader(r.AppendCSV(nil))).Read()
		if want := []string{"page_1", want, "0.25"}; err != nil || !slices.Equal(have, want) {
			t.Errorf("title %q: have %q, %v, want %q", title, have, err, want)
		}
	}
	r.Title = "a,\nb\r \"c\"\r\nd\n\n\r\n=e" // here, since csv.Reader makes line feeds of CR LF
	if have, want := string(r.AppendCSV(nil)), "page_1,\"a,\nb\r \"\"c\"\"\r\nd\n\n\r\n'=e\",0.25\r\n"; have != want {
		t.Errorf("have %q, want line ends as they are: %q", have, want)
	}
}
