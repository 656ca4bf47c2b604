package octavo_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/jsonvalue"
)

// faultPaths decodes text and returns the paths of its faults.
func faultPaths(t *testing.T, text string, decode func(octavo.Value) error) []string {
	t.Helper()
	v, err := jsonvalue.Decode([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	var e *octavo.Error
	if err = decode(v); err != nil && !errors.As(err, &e) {
		t.Fatalf("%s: have %v, want an *octavo.Error", text, err)
	}
	var paths []string
	if e != nil {
		for _, f := range e.Fields {
			paths = append(paths, f.Path)
		}
	}
	return paths
}

func TestDecodePageCreate(t *testing.T) {
	long := strings.Repeat("é", 120)
	for _, c := range []struct{ name, text, want string }{
		{"smallest", `{"title":"T","slug":"s","content":""}`, ""},
		{"everything", `{"title":"T","slug":"a-b-1","content":"c","status":"archived","frontmatter":{"a":{}},"callbackUrl":"https://h/x?y"}`, ""},
		{"120 code points", `{"title":"` + long + `","slug":"s","content":""}`, ""},
		{"121 code points", `{"title":"` + long + `é","slug":"s","content":""}`, "/title"},
		{"nothing", `{}`, "/title /slug /content"},
		{"no object", `[1]`, ""},
		{"all wrong", `{"title":"","slug":"A","content":1,"status":"x","frontmatter":[],"callbackUrl":"ftp://h","x":1}`, "/title /slug /content /status /frontmatter /callbackUrl /x"},
		{"null is not absent", `{"title":null,"slug":null,"content":null,"status":null,"frontmatter":null}`, "/title /slug /content /status /frontmatter"},
		{"case matters", `{"TITLE":"T","slug":"s","content":"c"}`, "/title /TITLE"},
		{"NUL in title", `{"title":"a\u0000","slug":"s","content":"\u0000"}`, "/title"},
		{"names are escaped", `{"title":"T","slug":"s","content":"","a/b~c":1}`, "/a~1b~0c"},
		{"no parent here", `{"title":"T","slug":"s","content":"","parentId":null}`, "/parentId"},
	} {
		t.Run(c.name, func(t *testing.T) {
			have := strings.Join(faultPaths(t, c.text, func(v octavo.Value) error { _, err := octavo.DecodePageCreate(v); return err }), " ")
			if c.name == "no object" {
				c.want = have // the path of the whole body is empty; the next test looks at it
			}
			if have != c.want {
				t.Errorf("have %s, want %s", have, c.want)
			}
		})
	}
}

func TestDecodeNoObject(t *testing.T) {
	for _, text := range []string{`null`, `"x"`, `[1]`, `3`} {
		v, _ := jsonvalue.Decode([]byte(text))
		_, create := octavo.DecodePageCreate(v)
		_, patch := octavo.DecodePagePatch(v, false)
		_, bulk := octavo.DecodeBulk(v, false)
		for _, err := range []error{create, patch, bulk} {
			var e *octavo.Error
			if !errors.As(err, &e) || len(e.Fields) != 1 || e.Fields[0].Path != "" || !strings.Contains(e.Fields[0].Message, "must be an object") {
				t.Errorf("%s: have %v, want one fault at the root", text, err)
			}
		}
	}
}

func TestDecodeUpsertHasNoCallback(t *testing.T) {
	have := faultPaths(t, `{"title":"T","slug":"s","content":"","callbackUrl":"https://h/"}`, func(v octavo.Value) error {
		_, err := octavo.DecodePageUpsert(v)
		return err
	})
	if fmt.Sprint(have) != "[/callbackUrl]" {
		t.Errorf("have %v, want [/callbackUrl]", have)
	}
}

func TestDecodePagePatch(t *testing.T) {
	for _, c := range []struct {
		text   string
		strict bool
		want   string
	}{
		{`{"title":"T"}`, false, "[]"},
		{`{"parentId":null,"position":-1,"publishAt":"2026-01-31T12:00:00+02:00","unpublishAt":null}`, false, "[]"},
		{`{}`, false, "[]!"},
		{`{"x":1}`, false, "[]!"},
		{`{"title":"T","x":1}`, false, "[]"},
		{`{"title":"T","x":1}`, true, "[/x]"},
		{`{"parentId":"nope","position":1.5,"publishAt":"tomorrow","status":7}`, false, "[/status /parentId /position /publishAt]"},
		{`{"position":2147483648}`, false, "[/position]"},
		{`{"position":1e1}`, false, "[]"},
		{`{"publishAt":"2026-01-31"}`, false, "[/publishAt]"},
	} {
		paths := faultPaths(t, c.text, func(v octavo.Value) error { _, err := octavo.DecodePagePatch(v, c.strict); return err })
		have := fmt.Sprint(paths)
		if len(paths) == 1 && paths[0] == "" {
			have += "!" // a fault of the whole body
		}
		if have != c.want {
			t.Errorf("%s strict=%v: have %s, want %s", c.text, c.strict, have, c.want)
		}
	}
}

func TestFaultLimit(t *testing.T) {
	members := make([]string, 150)
	for i := range members {
		members[i] = fmt.Sprintf(`"x%d":1`, i)
	}
	v, _ := jsonvalue.Decode([]byte(`{"title":"T","slug":"s","content":"",` + strings.Join(members, ",") + `}`))
	_, err := octavo.DecodePageCreate(v)
	var e *octavo.Error
	if !errors.As(err, &e) || len(e.Fields) != octavo.MaxErrors || !strings.Contains(e.Detail, "50 more") {
		t.Errorf("have %d fields and detail %q, want 100 and 50 more", len(e.Fields), e.Detail)
	}
}

func TestCheckSlug(t *testing.T) {
	for slug, valid := range map[string]bool{
		"a": true, "a-b": true, "0": true, "a1-b2-c3": true, strings.Repeat("a", 512): true,
		"": false, "-a": false, "a-": false, "a--b": false, "A": false, "a_b": false, "a b": false, "é": false, "a\n": false,
		strings.Repeat("a", 513): false,
	} {
		if have := octavo.CheckSlug(slug) == ""; have != valid {
			t.Errorf("%.20q: have %v, want %v", slug, have, valid)
		}
	}
}

func TestCheckHTTPURL(t *testing.T) {
	for url, valid := range map[string]bool{
		"https://example.com": true, "http://h:80/a?b#c": true, "HTTPS://h/": true, "http://[::1]/": true,
		"": false, "/relative": false, "ftp://h/": false, "https://": false, "https:///x": false, "mailto:a@b": false,
		"https://h/a b": false, "https://h/\n": false, "https://h/é": false, "http:h": false,
		"https://h/" + strings.Repeat("a", 2048): false,
	} {
		if have := octavo.CheckHTTPURL(url) == ""; have != valid {
			t.Errorf("%.40q: have %v, want %v", url, have, valid)
		}
	}
}

func TestDecodeBulk(t *testing.T) {
	v, err := jsonvalue.Decode([]byte(`{"atomic":true,"operations":[
		{"op":"create","page":{"title":"T","slug":"s","content":""},"parentId":null,"position":3,"formerSlugs":["old"],"source":"a/b.md"},
		{"op":"update","id":"page_1","ifMatch":"*","page":{"title":"T"}},
		{"op":"update","id":"page_1","page":{"title":"T","slug":"s","content":""}},
		{"op":"delete","id":"page_1"},
		{"op":"create","id":"page_1","page":{"title":"","slug":"s"}},
		{"op":"update","page":{}},
		{"op":"nothing","formerSlugs":["A",1]},
		7,
		{"op":"create","id":null,"ifMatch":null,"page":{"title":"T","slug":"s","content":""}},
		{"op":"delete","id":"page_1","ifMatch":null},
		{"op":"delete","id":"page_1","children":"cascade"},
		{"op":"delete","id":"page_1","children":"reparent"},
		{"op":"create","importSet":" a","page":{"title":"T","slug":"s","content":""}},
		{"op":"create","importSet":"a\u0007","page":{"title":"T","slug":"s","content":""}},
		{"op":"create","importSet":"` + strings.Repeat("é", 121) + `","page":{"title":"T","slug":"s","content":""}},
		{"op":"create","importSet":"` + strings.Repeat("é", 120) + `","page":{"title":"T","slug":"s","content":""}}]}`))
	if err != nil {
		t.Fatal(err)
	}
	bulk, err := octavo.DecodeBulk(v, false)
	if err != nil || !bulk.Atomic {
		t.Fatalf("have %v %v, want an atomic request", bulk.Atomic, err)
	}
	want := []string{
		"", "", "", "",
		"/operations/4/id /operations/4/page/content /operations/4/page/title",
		"/operations/5/id /operations/5/page",
		"/operations/6/op /operations/6/formerSlugs/0 /operations/6/formerSlugs/1",
		"/operations/7",
		"/operations/8/id /operations/8/ifMatch",
		"/operations/9/ifMatch",
		"/operations/10/children", "",
		"/operations/12/importSet", "/operations/13/importSet", "/operations/14/importSet", "",
	}
	for i, op := range bulk.Operations {
		have := ""
		var e *octavo.Error
		if errors.As(op.Err, &e) {
			for _, f := range e.Fields {
				have += " " + f.Path
			}
		}
		if strings.TrimSpace(have) != want[i] {
			t.Errorf("operation %d: have%s, want %s", i, have, want[i])
		}
	}
	if op := bulk.Operations[0]; *op.ParentID != "" || *op.Position.Value != 3 || op.FormerSlugs[0] != "old" || *op.Source != "a/b.md" {
		t.Errorf("have %+v", op)
	}
	if bulk.Operations[9].Children != "" || bulk.Operations[11].Children != "reparent" || *bulk.Operations[15].ImportSet != strings.Repeat("é", 120) {
		t.Errorf("have %+v", bulk.Operations[9:])
	}
	if bulk.Operations[1].Patch == nil || bulk.Operations[2].Create == nil {
		t.Error("an update with slug is a replacement, one without a patch")
	}
}

func TestDecodeBulkPlacesAPageOnce(t *testing.T) {
	for text, want := range map[string]string{
		`{"op":"update","id":"page_1","parentId":null}`:                              "",
		`{"op":"update","id":"page_1","position":2}`:                                 "",
		`{"op":"update","id":"page_1","parentId":"page_2","page":{"parentId":null}}`: "/operations/0/page/parentId",
		`{"op":"update","id":"page_1","position":1,"page":{"position":2}}`:           "/operations/0/page/position",
		`{"op":"update","id":"page_1"}`:                                              "/operations/0/page",
	} {
		v, err := jsonvalue.Decode([]byte(`{"operations":[` + text + `]}`))
		if err != nil {
			t.Fatal(err)
		}
		bulk, err := octavo.DecodeBulk(v, false)
		if err != nil {
			t.Fatal(err)
		}
		have := ""
		var e *octavo.Error
		if errors.As(bulk.Operations[0].Err, &e) {
			have = e.Fields[0].Path
		}
		if have != want {
			t.Errorf("%s: have %q, want %q", text, have, want)
		}
	}
}

func TestFaultLength(t *testing.T) {
	name := strings.Repeat("~/", 100_000)
	_, err := octavo.DecodePageUpsert(octavo.Object(octavo.Member{Name: name, Value: octavo.String("")}))
	var e *octavo.Error
	if !errors.As(err, &e) {
		t.Fatal("accepted")
	}
	for _, f := range e.Fields {
		if len(f.Path) > 1100 || len(f.Message) > 1100 {
			t.Errorf("have a path of %d bytes and a message of %d, want at most about 1000", len(f.Path), len(f.Message))
		}
	}
}
