package yamlvalue

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

func TestDecode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ in, want string }{
		{"", `null`},
		{"# nothing\n", `null`},
		{"---\n...\n", `null`},
		{"~", `null`},
		{"[null, Null, NULL, ~, nULL, ]", `[null,null,null,null,"nULL"]`},
		{"a:\nb: ''\n", `{"a":null,"b":""}`},
		{"[true, False, TRUE, yes, No, on, y]", `[true,false,true,"yes","No","on","y"]`},
		{"[0, 017, 0o17, 0x1F, +5, -0, 1_000, 190:20:30, 0b11]", `[0,17,15,31,5,-0,"1_000","190:20:30","0b11"]`},
		{"[1.10, .5, 5., 1e3, 1.5E-10, +.5e+1, -.5]", `[1.10,0.5,5,1e3,1.5E-10,0.5e+1,-0.5]`},
		{"[123456789012345678901234567890, 0xFFFFFFFFFFFFFFFFFFFF]", `[123456789012345678901234567890,1208925819614629174706175]`},
		{"[+, ., 1e, 1e+, e3, 1-2, 1.2.3, -0x1, 0x, 0o8, '1', \"2\"]", `["+",".","1e","1e+","e3","1-2","1.2.3","-0x1","0x","0o8","1","2"]`},
		{"date: 2024-01-02\ntime: 2024-01-02T03:04:05Z\n", `{"date":"2024-01-02","time":"2024-01-02T03:04:05Z"}`},
		{"z: 1\na: 2\nm: 3\n", `{"z":1,"a":2,"m":3}`},
		{"1: a\ntrue: b\n~: c\n0x10: d\n", `{"1":"a","true":"b","~":"c","0x10":"d"}`},
		{"[!!str 1, !!int 7, !!float 7, !!bool true, !!null '', ! 12]", `["1",7,7,true,null,"12"]`},
		{"a: &x [1, 2]\nb: *x\n", `{"a":[1,2],"b":[1,2]}`},
		{"a: &x k\n*x : v\n", `{"a":"k","k":"v"}`},
		{"<<: text\n", `{"<<":"text"}`},
		{"'<<': {a: 1}\n", `{"<<":{"a":1}}`},
		{"text: |\n  one\n  two\nfold: >\n  one\n  two\n", `{"text":"one\ntwo\n","fold":"one two\n"}`},
		{"\"a\\\"b\\u00e9\"", `"a\"bé"`},
		{"\uFEFFa: 1\r\nb: 2\r\n", `{"a":1,"b":2}`},
		{`{"a": {"b": [1, "x"]}}`, `{"a":{"b":[1,"x"]}}`},
	} {
		v, err := Decode([]byte(c.in))
		have := string(v.AppendJSON(nil))
		if err != nil {
			have = ""
		}
		if have != c.want {
			t.Errorf("Decode(%q)\nhave %s, %v\nwant %s", c.in, have, err, c.want)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in, pointer, message string
		line, column         int
	}{
		{"a: 1\nb: 2\na: 3\n", "/a", `"a" occurs twice`, 3, 1},
		{"x:\n  1: a\n  '1': b\n", "/x/1", `"1" occurs twice`, 3, 3},
		{"a: 1\n---\nb: 2\n", "", "a second document", 2, 1},
		{"a: [1, .inf]\n", "/a/1", "cannot be expressed", 1, 8},
		{"a: -.Inf\n", "/a", "cannot be expressed", 1, 4},
		{"a/b~c: .nan\n", "/a~1b~0c", "cannot be expressed", 1, 8},
		{"b: &x {a: 1}\n<<: *x\n", "", "merge key", 2, 1},
		{"<<: {a: 1}\n", "", "merge key", 1, 1},
		{"[a]: 1\n", "", "key must be a single value", 1, 1},
		{"a: !thing 1\n", "/a", "tag !thing", 1, 4},
		{"a: !!set {b, c}\n", "/a", "tag !!set", 1, 4},
		{"a: !!int x\n", "/a", `"x" is not of the type !!int`, 1, 4},
		{"a: !!int 1.5\n", "/a", `"1.5" is not of the type !!int`, 1, 4},
		{"a: *nobody\n", "", "unknown anchor", 1, 4},
		{"a: [1\nb: 2\n", "", "not valid YAML", 2, 2},
		{"a: \"x\n", "", "not valid YAML", 2, 1},
		{"é: 1\nb: é\xff\n", "", "not UTF-8", 2, 5},
		{"a: \x01\n", "", "U+0001 is not allowed", 1, 4},
		{"a: " + strings.Repeat("[", 64) + strings.Repeat("]", 64) + "\n", "/a" + strings.Repeat("/0", 63), "at most 64 levels", 1, 67},
		{"a: " + strings.Repeat("[", 65) + strings.Repeat("]", 65) + "\n", "", "at most 64 levels", 1, 68},
		{"a: &a [*a]\n", "/a" + strings.Repeat("/0", 63), "at most 64 levels", 1, 4},
	} {
		v, err := Decode([]byte(c.in))
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("Decode(%q)\nhave %s, %v\nwant an *Error", c.in, v.AppendJSON(nil), err)
			continue
		}
		if e.Line != c.line || e.Column != c.column || e.Pointer != c.pointer || !strings.Contains(e.Message, c.message) {
			t.Errorf("Decode(%q)\nhave %q %v\nwant %q line %d, column %d: …%s…", c.in, e.Pointer, e, c.pointer, c.line, c.column, c.message)
		}
	}
}

func TestDecodeRefusesAliasBomb(t *testing.T) {
	t.Parallel()
	bomb := "a: &a [x,x,x,x,x,x,x,x,x]\n"
	for c := 'b'; c <= 'i'; c++ {
		before := "*" + string(c-1)
		bomb += string(c) + ": &" + string(c) + " [" + strings.Repeat(before+",", 8) + before + "]\n"
	}
	_, err := Decode([]byte(bomb))
	if err == nil || !strings.Contains(err.Error(), "more than 10000 values") {
		t.Errorf("Decode of an alias bomb: have %v, want an error about more than 10000 values", err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, seed := range []string{"a: 1\n", "[1, {b: 0x1F}, .5]", "a: &x [*x]", "? a\n: b\n", "%YAML 1.2\n---\n- |\n x\n", "\"\\ud83d\\ude00\"", "{a: !!str 1, <<: b}"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		v, err := Decode(src)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Line < 1 || e.Column < 1 || e.Message == "" {
				t.Fatalf("Decode(%q): error without a place: %#v", src, err)
			}
			return
		}
		out := v.AppendJSON(nil)
		if !json.Valid(out) {
			t.Fatalf("Decode(%q): invalid JSON %s", src, out)
		}
		again, err := octavo.ValueOf(out)
		if err != nil || string(again.AppendJSON(nil)) != string(out) {
			t.Fatalf("Decode(%q): %s does not survive reading: %v", src, out, err)
		}
	})
}

// TestDecodeRefusesCopiesOfLongText bounds what few aliases of a long text
// would take up.
func TestDecodeRefusesCopiesOfLongText(t *testing.T) {
	long := strings.Repeat("x", 100_000)
	for name, text := range map[string]string{
		"values": "s: &s " + long + "\nl: [" + strings.Repeat("*s,", 20) + "]",
		"keys":   "s: &s " + long + "\nl: [" + strings.Repeat("{*s : 1},", 20) + "]",
		"nested": "s: &s {k: " + long + "}\nl: [" + strings.Repeat("*s,", 20) + "]",
	} {
		var e *Error
		if _, err := Decode([]byte(text)); !errors.As(err, &e) || !strings.Contains(e.Message, "bytes of text") {
			t.Errorf("%s: have %v, want a refusal", name, err)
		}
	}
	if _, err := Decode([]byte("s: &s " + long + "\nl: [*s, *s]")); err != nil {
		t.Errorf("a few copies: %v", err)
	}
}

func TestDecodeVersion(t *testing.T) {
	for _, text := range []string{"%YAML 1.2\n---\na: 017\n", "# c\n\n%YAML 1.2\n---\na: 017\n", "%YAML 1.1\n---\na: 017\n"} {
		v, err := Decode([]byte(text))
		if err != nil || string(v.AppendJSON(nil)) != `{"a":17}` {
			t.Errorf("%q: have %s %v, want {\"a\":17}", text, v.AppendJSON(nil), err)
		}
	}
	if _, err := Decode([]byte("%YAML 2.0\n---\na: 1\n")); err == nil {
		t.Error("version 2.0 is accepted")
	}
}
