package conform

import "testing"

func testValues() *values {
	return &values{
		named:       map[string]string{"etag": `"a.b"`, "cursor": "aBc=", "empty": ""},
		credentials: map[string]Credential{"reader": {Bearer, "s3cret"}},
	}
}

func TestExpand(t *testing.T) {
	for _, c := range []struct{ text, want, pattern, masked string }{
		{"plain $x {y}", "plain $x {y}", "plain $x {y}", "plain $x {y}"},
		{"<${etag}>", `<"a.b">`, `<"a\.b">`, `<"a.b">`},
		{"${quote etag}", `"\"a.b\""`, `"\\"a\.b\\""`, `"\"a.b\""`},
		{"${query cursor}", "aBc%3D", "aBc%3D", "aBc%3D"},
		{"${alter cursor}${alter empty}", "aBA=A", "aBA=A", "aBA=A"},
		{"${cut cursor}${cut empty}", "aBc", "aBc", "aBc"},
		{"${secret reader}", "s3cret", "s3cret", "${secret reader}"},
		{"${fill é 3}", "ééé", "ééé", "ééé"},
		{"${fill {\"a%d\":1}, 2}", `{"a1":1},{"a2":1},`, `\{"a1":1\},\{"a2":1\},`, `{"a1":1},{"a2":1},`},
		{"${fill a 100}b", fillText("a", 100) + "b", fillText("a", 100) + "b", "${fill a 100}b"},
	} {
		v := testValues()
		if have, err := v.expand(c.text); have != c.want || err != nil {
			t.Errorf("expand %q\nhave %q, %v\nwant %q", c.text, have, err, c.want)
		}
		if have, err := v.expandPattern(c.text); have != c.pattern || err != nil {
			t.Errorf("expand pattern %q\nhave %q, %v\nwant %q", c.text, have, err, c.pattern)
		}
		if have := v.masked(c.text); have != c.masked {
			t.Errorf("mask %q\nhave %q\nwant %q", c.text, have, c.masked)
		}
	}
}

func fillText(s string, n int) string {
	text := ""
	for range n {
		text += s
	}
	return text
}

func TestExpandRefuses(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"${", `"${" is no placeholder`},
		{"${x y}", `"${x y}" is no placeholder`},
		{"${nothing}", `nothing named "nothing" was captured`},
		{"${secret writer}", `the run has no credential named "writer"`},
		{"${fill ab 9000000}", `"ab", 9000000 times, is more than 16777216 bytes`},
		{"${fill a 99999999}", "a text cannot be repeated 99999999 times"},
	} {
		if have, err := testValues().expand(c.text); err == nil || err.Error() != c.want {
			t.Errorf("expand %q\nhave %q, %v\nwant %s", c.text, have, err, c.want)
		}
	}
}
