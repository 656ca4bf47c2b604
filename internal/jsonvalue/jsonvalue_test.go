package jsonvalue

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestDecodeKeepsSpelling(t *testing.T) {
	for _, text := range []string{
		`null`, `true`, `"a"`, `""`, `0`, `-0`, `1e400`, `12345678901234567890.10`,
		`[]`, `{}`, `[1,[2,{"a":null}]]`, `{"b":1,"a":2}`, `"é😀\u0000<&>"`,
	} {
		v, err := Decode([]byte(" " + text + "\n"))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if have := string(v.AppendJSON(nil)); have != text {
			t.Errorf("have %s, want %s", have, text)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, c := range []struct{ text, pointer, message string }{
		{``, "", "ends too early"},
		{`{"a":`, "/a", "ends too early"},
		{`{"a":1,"a":2}`, "/a", "twice"},
		{`{"x":{"a":1,"b":2,"a":3}}`, "/x/a", "twice"},
		{`{"a/b":1,"a/b":1}`, "/a~1b", "twice"},
		{`"\ud800"`, "", "surrogate"},
		{`{"t":"\udc00x"}`, "/t", "surrogate"},
		{"\"\xff\"", "", "UTF-8"},
		{"{\"a\":\"\xc3\"}", "/a", "UTF-8"},
		{`{a:1}`, "", "not valid JSON"},
		{`{'a':1}`, "", "not valid JSON"},
		{`[1,]`, "", "not valid JSON"},
		{`01`, "", "more text"},
		{`{} {}`, "", "more text"},
		{`NaN`, "", "not valid JSON"},
		{"\"a\nb\"", "", "not valid JSON"},
		{strings.Repeat("[", 65) + strings.Repeat("]", 65), strings.Repeat("/0", 64), "nested too deeply"},
		{strings.Repeat(`{"a":`, 100000), strings.Repeat("/a", 64), "nested too deeply"},
	} {
		_, err := Decode([]byte(c.text))
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("%.60s: have %v, want an *Error", c.text, err)
			continue
		}
		if e.Pointer != c.pointer || !strings.Contains(e.Message, c.message) {
			t.Errorf("%.60s: have %q %q, want %q %q", c.text, e.Pointer, e.Message, c.pointer, c.message)
		}
	}
}

func TestErrorPosition(t *testing.T) {
	_, err := Decode([]byte("{\n  \"a\": 1,\n  \"b\": x\n}"))
	var e *Error
	if !errors.As(err, &e) || e.Line != 3 || e.Column != 8 {
		t.Errorf("have %v, want line 3 column 8", err)
	}
}

// FuzzDecode checks that accepted input encodes to the JSON it meant.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,"x\u00e9",null,true]}`, `"\ud83d\ude00"`, `{"a":1,"a":2}`, `[[[[`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		v, err := Decode(src)
		if err != nil {
			return
		}
		out := v.AppendJSON(nil)
		if !json.Valid(src) || !json.Valid(out) {
			t.Fatalf("accepted %q, wrote %q", src, out)
		}
		again, err := Decode(out)
		if err != nil || string(again.AppendJSON(nil)) != string(out) {
			t.Fatalf("%q does not survive: %q %v", src, out, err)
		}
	})
}
