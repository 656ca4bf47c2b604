package frontmatter

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		raw    string
		format Format
		want   string
	}{
		{"---\n---\n", YAML, ""},
		{"---\n# nothing\n...\n", YAML, ""},
		{"---\n{}\n---\n", YAML, `{}`},
		{"---\n- a\n---\n", YAML, ""},
		{"---\nsome text\n---\n", YAML, ""},
		{";;;\n[1]\n;;;\n", JSON, ""},
		{"\uFEFF---\r\ntitle: x\r\nn: 1.10\r\ndate: 2024-01-02\r\n---\r\n", YAML, `{"title":"x","n":1.10,"date":"2024-01-02"}`},
		{"---\na: |\n  one\n\n  two\n---", YAML, `{"a":"one\n\ntwo\n"}`},
		{"title: no fences\n", YAML, `{"title":"no fences"}`},
		{"+++\n+++\n", TOML, `{}`},
		{"+++\nz = 1\na = 2\n[t.u]\ny = true\nb = 'x'\n[t.a]\n[c]\n+++\n", TOML, `{"z":1,"a":2,"t":{"u":{"y":true,"b":"x"},"a":{}},"c":{}}`},
		{"+++\n[[m]]\nz = 1\na = 2\n[[m]]\na = 3\nb = 4\nz = 5\n+++\n", TOML, `{"m":[{"z":1,"a":2},{"z":5,"a":3,"b":4}]}`},
		{"+++\nx = {z = 1, a = [1, {q = 2, b = 3}]}\ny.z.a = 1\n+++\n", TOML, `{"x":{"z":1,"a":[1,{"q":2,"b":3}]},"y":{"z":{"a":1}}}`},
		{"+++\na = 2024-01-02T03:04:05.5+02:00\nb = 2024-01-02T03:04:05Z\nc = 2024-01-02T03:04:05\nd = 2024-01-02\ne = 03:04:05.25\n+++\n", TOML, `{"a":"2024-01-02T03:04:05.5+02:00","b":"2024-01-02T03:04:05Z","c":"2024-01-02T03:04:05","d":"2024-01-02","e":"03:04:05.25"}`},
		{"+++\na = 0x1F\nb = 1_000\nc = 1.0\nd = 1e3\ne = -0.1\n+++\n", TOML, `{"a":31,"b":1000,"c":1.0,"d":1000.0,"e":-0.1}`},
		{";;;\n{\"z\": 1.10, \"a\": [null]}\n;;;\n", JSON, `{"z":1.10,"a":[null]}`},
		{";;;\n;;;\n", JSON, ""},
		{"{\n\"z\": \"\\u00e9\",\n\"a\": 1e400\n}\n", JSON, `{"z":"é","a":1e400}`},
	} {
		have, err := Parse([]byte(c.raw), c.format)
		if err != nil || string(have) != c.want {
			t.Errorf("Parse(%q, %v)\nhave %s, %v\nwant %s", c.raw, c.format, have, err, c.want)
		}
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat("[", 70)
	for _, c := range []struct {
		raw          string
		format       Format
		message      string
		line, column int
		pointer      string
	}{
		{raw: "---\na: 1\na: 2\n---\n", format: YAML, message: "occurs twice", line: 3, column: 1, pointer: "/a"},
		{raw: "+++\na = 1\na = 2\n+++\n", format: TOML, message: "not valid TOML", line: 3, column: 7},
		{raw: "+++\na = \n+++\n", format: TOML, message: "not valid TOML", line: 2, column: 5},
		{raw: "+++\na = 1\n[b]\n\"c/d\" = -inf\n+++\n", format: TOML, message: "inf and nan", line: 2, column: 1, pointer: "/b/c~1d"},
		{raw: "+++\nb = \"[\" # [\na = " + deep + "\n+++\n", format: TOML, message: "at most 64 levels", line: 3, column: 69},
		{raw: "+++\n" + strings.Repeat("a.", 70) + "a = 1\n+++\n", format: TOML, message: "at most 64 levels", line: 2, column: 130},
		{raw: "+++\na = \"\"\"\"x\"\"\"\"\nb = " + deep + "\n+++\n", format: TOML, message: "at most 64 levels", line: 3, column: 69},
		{raw: ";;;\n{\"a\": 1, \"a\": 2}\n;;;\n", format: JSON, message: "occurs twice", line: 2, column: 10, pointer: "/a"},
		{raw: "{\"a\": \"\\ud800\"}\n", format: JSON, message: "not valid JSON", line: 1, column: 8, pointer: "/a"},
		{raw: ";;;\n{} {}\n;;;\n", format: JSON, message: "more text follows", line: 2, column: 6},
		{raw: "{\"a\": " + deep + "\n", format: JSON, message: "at most 64 levels", line: 1, column: 71},
		{raw: strings.Repeat(" ", MaxBytes+1), format: YAML, message: "larger than", line: 1, column: 1},
	} {
		have, err := Parse([]byte(c.raw), c.format)
		var e *Error
		if !errors.As(err, &e) || e.Line != c.line || e.Column != c.column || e.Pointer != c.pointer || !strings.Contains(e.Message, c.message) {
			t.Errorf("Parse(%.80q, %v)\nhave %s, %v (%+v)\nwant %q line %d, column %d: …%s…", c.raw, c.format, have, err, e, c.pointer, c.line, c.column, c.message)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"---\na: 1\n---\n", "+++\na = [1, {b.c = 2}]\n[[d]]\n+++\n", "{\"a\": 1}\n", ";;;\n{}\n;;;", "a = \"\"\"x\"\"\"\nb = 07:32:00\n"} {
		f.Add([]byte(seed), uint8(YAML))
		f.Add([]byte(seed), uint8(TOML))
		f.Add([]byte(seed), uint8(JSON))
	}
	f.Fuzz(func(t *testing.T, raw []byte, format uint8) {
		text, err := Parse(raw, Format(format%4))
		var e *Error
		if err != nil && (!errors.As(err, &e) || e.Line < 1 || e.Column < 1) {
			t.Fatalf("Parse(%q): error without a place: %v", raw, err)
		}
		if err == nil && text != nil && (!json.Valid(text) || text[0] != '{') {
			t.Fatalf("Parse(%q): have %s, want a JSON object", raw, text)
		}
	})
}
