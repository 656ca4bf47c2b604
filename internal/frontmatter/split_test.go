package frontmatter

import (
	"errors"
	"strings"
	"testing"
)

func TestSplit(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, raw string
		format    Format
	}{
		{"", "", None},
		{"text\n", "", None},
		{"---\ntitle: x\n---\n# x\n", "---\ntitle: x\n---\n", YAML},
		{"---\r\ntitle: x\r\n---\r\nbody\r\n", "---\r\ntitle: x\r\n---\r\n", YAML},
		{"\uFEFF---\ntitle: x\n---\nbody", "\uFEFF---\ntitle: x\n---\n", YAML},
		{"--- \t\na: 1\n--- \nbody", "--- \t\na: 1\n--- \n", YAML},
		{"---\na: 1\n...\nbody", "---\na: 1\n...\n", YAML},
		{"---\n---\n", "---\n---\n", YAML},
		{"---\na: 1\n---", "---\na: 1\n---", YAML},
		{"---\na: b --- c\n ---\n---\n", "---\na: b --- c\n ---\n---\n", YAML},
		{"---\n\nA line was drawn.\n", "", None},
		{"----\na: 1\n----\n", "", None},
		{"\n---\na: 1\n---\n", "", None},
		{" ---\na: 1\n---\n", "", None},
		{"+++\na = 1\n+++\nbody", "+++\na = 1\n+++\n", TOML},
		{";;;\n{\"a\": 1}\n;;;\nbody", ";;;\n{\"a\": 1}\n;;;\n", JSON},
		{"{\n  \"a\": {\"b\": \"}\"}\n}\nbody", "{\n  \"a\": {\"b\": \"}\"}\n}\n", JSON},
		{"\uFEFF{\"a\": 1} \r\n\r\nbody", "\uFEFF{\"a\": 1} \r\n", JSON},
		{"{}", "{}", JSON},
		{"{\"a\": 1} is an object\n", "", None},
		{"{{< toc >}}\n", "", None},
		{"{/* comment */}\n", "", None},
		{"{", "", None},
	} {
		raw, body, format, err := Split([]byte(c.file))
		if err != nil || string(raw) != c.raw || format != c.format || string(raw)+string(body) != c.file {
			t.Errorf("Split(%q)\nhave %q, %q, %v, %v\nwant %q, the rest, %v", c.file, raw, body, format, err, c.raw, c.format)
		}
	}
}

func TestSplitRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, message string
		line, column  int
	}{
		{"---\ntitle: x\n\n# x\n", "never closed by ---", 1, 1},
		{"---\r\ntitle: x\r\n", "never closed by ---", 1, 1},
		{"+++\n", "never closed by +++", 1, 1},
		{";;;\n{}", "never closed by ;;;", 1, 1},
		{"{\n  \"a\": 1,\n}\n", "not valid JSON", 2, 9},
		{"{\"a\": ", "not valid JSON", 1, 7},
	} {
		raw, body, format, err := Split([]byte(c.file))
		var e *Error
		if !errors.As(err, &e) || e.Line != c.line || e.Column != c.column || !strings.Contains(e.Message, c.message) {
			t.Errorf("Split(%q)\nhave error %v\nwant line %d, column %d: …%s…", c.file, err, c.line, c.column, c.message)
		}
		if raw != nil || format != None || string(body) != c.file {
			t.Errorf("Split(%q): have %q, %q, %v beside the error, want all body", c.file, raw, body, format)
		}
	}
}

func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"---\na: 1\n---\nx", "\uFEFF+++\r\na = 1\r\n+++\r\n", "{\"a\": 1}\nx", ";;;\n{}\n;;;", "---\n...\n"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		raw, body, format, err := Split(file)
		if string(raw)+string(body) != string(file) {
			t.Fatalf("Split(%q): %q and %q are not the file", file, raw, body)
		}
		if (len(raw) == 0) != (format == None) || err != nil && format != None {
			t.Fatalf("Split(%q): have %q, %v, %v", file, raw, format, err)
		}
		again, rest, same, err := Split(raw)
		if format != None && (string(again) != string(raw) || len(rest) != 0 || same != format || err != nil) {
			t.Fatalf("Split of front matter %q: have %q, %q, %v, %v", raw, again, rest, same, err)
		}
	})
}
