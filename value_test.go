package octavo

import (
	"encoding/json"
	"testing"
	"time"
	"unicode/utf8"
)

func TestAppendStringMinimalEscapes(t *testing.T) {
	for in, want := range map[string]string{
		"":             `""`,
		"a\"b\\c":      `"a\"b\\c"`,
		"\n\r\t\b\x00": `"\n\r\t\u0008\u0000"`,
		"<&>\u2028é😀":  "\"<&>\u2028é😀\"",
		"a\xffb":       `"a` + "\uFFFD" + `b"`,
	} {
		if have := string(AppendString(nil, in)); have != want {
			t.Errorf("%q: have %s, want %s", in, have, want)
		}
	}
}

// FuzzAppendString holds the encoder to encoding/json's reading of it.
func FuzzAppendString(f *testing.F) {
	f.Add("a\x00\u2028\"\\")
	f.Fuzz(func(t *testing.T, s string) {
		var back string
		if err := json.Unmarshal(AppendString(nil, s), &back); err != nil {
			t.Fatalf("%q: %v", s, err)
		}
		if utf8.ValidString(s) && back != s {
			t.Fatalf("have %q, want %q", back, s)
		}
	})
}

func TestValueOfRoundTrip(t *testing.T) {
	const text = `{"b":[1.50,null,true,{"x":"<y>"}],"a":-0}`
	v, err := ValueOf([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	if have := string(v.AppendJSON(nil)); have != text {
		t.Errorf("have %s, want %s", have, text)
	}
}

func TestPageEncodesAsItDecodes(t *testing.T) {
	n, at := int64(-3), time.Date(2026, 1, 2, 3, 4, 5, 678_000_000, time.UTC)
	p := Page{
		ID: "page_1", Title: `a "b"`, Slug: "s", Status: Draft, Content: "<x>\n", Frontmatter: json.RawMessage(`{"z":1,"a":2}`),
		CreatedAt: at, UpdatedAt: at, Links: json.RawMessage(`[{"href":"/a","label":"A"}]`), Position: &n, PublishAt: &at, Source: "a.md", ImportSet: "Docs",
		Authors: []Actor{{ID: "cli", Name: "CLI"}}, Assets: []json.RawMessage{}, Children: []PageSummary{{ID: "page_2", Title: "T", Slug: "t", Status: Published}},
	}
	const want = `{"id":"page_1","title":"a \"b\"","slug":"s","status":"draft","content":"<x>\n","frontmatter":{"z":1,"a":2},"parentId":null,` +
		`"createdAt":"2026-01-02T03:04:05.678Z","updatedAt":"2026-01-02T03:04:05.678Z","links":[{"href":"/a","label":"A"}],"position":-3,"publishAt":"2026-01-02T03:04:05.678Z","source":"a.md","importSet":"Docs",` +
		`"authors":[{"id":"cli","name":"CLI"}],"assets":[],"children":[{"id":"page_2","title":"T","slug":"t","status":"published"}]}`
	have := string(p.AppendJSON(nil))
	if have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
	var back Page
	if err := json.Unmarshal([]byte(have), &back); err != nil {
		t.Fatal(err)
	}
	if again := string(back.AppendJSON(nil)); again != have {
		t.Errorf("decoded and encoded again: have %s\nwant %s", again, have)
	}
}

func TestScopes(t *testing.T) {
	for _, c := range []struct {
		have, need string
		want       bool
	}{
		{"pages:read", "pages:read", true},
		{"pages:read", "pages:write", false},
		{"pages:write", "pages:read", true},
		{"pages:read", "pages:propose", false},
		{"pages:propose", "pages:read", true},
		{"pages:propose", "pages:write", false},
		{"pages:write", "pages:propose pages:read", true},
		{"pages:write", "admin", false},
		{"admin", "pages:propose", true},
		{"admin", "pages:read pages:write", true},
		{"", "pages:read", false},
		{"", "", true},
	} {
		have, err := ParseScopes(c.have)
		need, err2 := ParseScopes(c.need)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		if got := have.Allow(need); got != c.want {
			t.Errorf("%q allows %q: have %v, want %v", c.have, c.need, got, c.want)
		}
	}
	// Databases of earlier versions have these bits.
	for name, bits := range map[string]Scopes{"pages:read": 1, "pages:write": 2, "admin": 4, "pages:propose": 8} {
		if have, err := ParseScopes(name); have != bits || err != nil || bits.String() != name {
			t.Errorf("%s: have bits %d, %v, and the name %q of %d", name, have, err, bits, bits)
		}
	}
	if have, err := ParseScopes("admin pages:write pages:propose pages:read"); err != nil || have.String() != "pages:read pages:propose pages:write admin" {
		t.Errorf("all scopes: have %q, %v", have, err)
	}
	if _, err := ParseScopes("pages:read,openid"); err == nil {
		t.Error("an unknown scope is accepted")
	}
}
