package octavo_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

func TestSafeName(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, want string }{
		{"logo.png", "logo.png"},
		{"Über uns (1).pdf", "Über uns (1).pdf"},
		{"図表.svg", "図表.svg"},
		{"../../etc/passwd", "passwd"},
		{`C:\Users\me\a.txt`, "a.txt"},
		{"a\r\nX-Evil: 1.txt", "aX-Evil_ 1.txt"},
		{"a\x00b\x7f\u0085.txt", "ab.txt"},
		{"invoice\u202efdp.exe", "invoicefdp.exe"},
		{"a\u2066b\u200fc\u061cd.txt", "abcd.txt"},
		{"a\u2028b\ufeffc", "abc"},
		{`q"<>:|?*.txt`, "q_______.txt"},
		{"\xff.txt", "\uFFFD.txt"},
		{" . name . ", "name"},
		{"...", "file"},
		{"", "file"},
		{"dir/", "file"},
		{strings.Repeat("é", 300) + ".jpeg", strings.Repeat("é", 97) + ".jpeg"},
		{"a." + strings.Repeat("x", 300), "a." + strings.Repeat("x", 198)},
	} {
		have := octavo.SafeName(c.name)
		if have != c.want || len(have) > octavo.MaxAssetName {
			t.Errorf("SafeName(%.40q): have %q, want %q", c.name, have, c.want)
		}
		if again := octavo.SafeName(have); again != have {
			t.Errorf("SafeName(%q): have %q, want no further change", have, again)
		}
	}
}

func TestAssetAddresses(t *testing.T) {
	t.Parallel()
	path := octavo.AssetPath("key", "ä /%.png")
	if want := "/files/key/%C3%A4%20%2F%25.png"; path != want {
		t.Errorf("have %s, want %s", path, want)
	}
	for path, want := range map[string]string{path: "key", "/files/key/": "key", "/files/key": "", "/v1/files/key/x": "", "files/key/x": ""} {
		if have := octavo.AssetKey(path); have != want {
			t.Errorf("AssetKey(%q): have %q, want %q", path, have, want)
		}
	}
}

func TestCheckAssetSource(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]bool{
		"a.png": true, "docs/img/ä b.png": true, "..a/b": true,
		"": false, ".": false, "..": false, "../a": false, "/a": false, "a/../b": false, "a//b": false, "a/": false, "a/.git/x": false, ".GIT": false, ".gitbook/a": true, "./a": false,
		"a\nb": false, "a\xff": false, strings.Repeat("a", 1001): false,
	} {
		if have := octavo.CheckAssetSource(source); (have == "") != want {
			t.Errorf("%.40q: have %q, want it to pass: %t", source, have, want)
		}
	}
}

func TestAssetPatch(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ before, patch, after, faults string }{
		{`{"alt":"a","tags":["x"]}`, `{}`, `{"alt":"a","tags":["x"]}`, ""},
		{`{"alt":"a","tags":["x"]}`, `{"alt":null,"caption":"c"}`, `{"caption":"c","tags":["x"]}`, ""},
		{`{"alt":"a","tags":["x"]}`, `{"tags":["y","z"]}`, `{"alt":"a","tags":["y","z"]}`, ""},
		{`{"alt":"a","tags":["x"]}`, `{"tags":null}`, `{"alt":"a"}`, ""},
		{`{"tags":["x"]}`, `{"tags":[]}`, `{"tags":[]}`, ""},
		{`{}`, `{"alt":""}`, `{"alt":""}`, ""},
		{`{}`, `{"alt":1,"caption":{},"tags":"x"}`, "", "/alt /caption /tags"},
		{`{}`, `{"tags":["a","a",null,""]}`, "", "/tags/1 /tags/2 /tags/3"},
		{`{}`, `[]`, "", ""},
	} {
		before, err := octavo.DecodeAssetMetadata(value(t, c.before), "", true)
		if err != nil {
			t.Fatal(err)
		}
		patch, err := octavo.DecodeAssetPatch(value(t, c.patch), true)
		var e *octavo.Error
		if errors.As(err, &e) {
			var paths []string
			for _, f := range e.Fields {
				paths = append(paths, f.Path)
			}
			if have := strings.Join(paths, " "); have != c.faults {
				t.Errorf("%s: have faults at %q, want %q", c.patch, have, c.faults)
			}
			continue
		}
		if have := string(patch.Apply(before).AppendJSON(nil)); err != nil || have != c.after {
			t.Errorf("%s on %s: have %s, %v; want %s", c.patch, c.before, have, err, c.after)
		}
		// What a client sends is what the server reads.
		again, err := octavo.DecodeAssetPatch(value(t, string(patch.AppendJSON(nil))), true)
		if have := string(again.Apply(before).AppendJSON(nil)); err != nil || have != c.after {
			t.Errorf("%s sent: have %s, %v; want %s", c.patch, have, err, c.after)
		}
	}
}

func value(t *testing.T, text string) octavo.Value {
	t.Helper()
	v, err := octavo.ValueOf([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}
