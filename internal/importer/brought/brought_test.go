package brought_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/importer/brought"
)

func TestBaseRoundTrip(t *testing.T) {
	t.Parallel()
	n := int64(-3)
	for _, b := range []brought.Base{
		{Sum: brought.Sum{1}},
		{Title: "<T> & \u2028", Slug: "t", Parent: "page_1", Position: &n, Front: json.RawMessage(`{"a":"<b>","c":[1.0]}`), Raw: brought.Sum{2}, Sum: brought.Sum{3}, Open: true},
	} {
		for _, text := range []*string{nil, new(""), new("a\x00b\n")} {
			object, err := b.Object(text)
			if err != nil {
				t.Fatal(err)
			}
			have, content, ok := brought.Read(object)
			if !ok || !have.Equal(b) || (text == nil) != (content == nil) || text != nil && *content != *text {
				t.Errorf("%s: have %+v, %v, %t", object, have, content, ok)
			}
		}
	}
	for _, other := range []string{"", "null", "[]", "{}", `{"title":"T"}`, `{"sha256":"00"}`, `{"sha256":1}`, `{"sha256":"` + strings.Repeat("0", 64) + `"}`} {
		if _, _, ok := brought.Read(json.RawMessage(other)); ok {
			t.Errorf("%s is read", other)
		}
	}
}

func TestValue(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		base, here, file, next, nextBase string
		kept                             bool
	}{
		{"a", "a", "a", "a", "a", false},
		{"a", "b", "a", "b", "a", false},
		{"a", "a", "b", "b", "b", false},
		{"a", "b", "b", "b", "b", false},
		{"a", "b", "c", "b", "a", true},
	} {
		if next, nextBase, kept := brought.Value(c.base, c.here, c.file, false); next != c.next || nextBase != c.nextBase || kept != c.kept {
			t.Errorf("%+v: have %s, %s, %t", c, next, nextBase, kept)
		}
	}
	if next, nextBase, kept := brought.Value("a", "b", "c", true); next != "c" || nextBase != "c" || kept {
		t.Errorf("overwritten: have %s, %s, %t", next, nextBase, kept)
	}
}

// Each key has the value of the side that changed it, and a repeated import changes
// nothing.
func TestFrontAtRandom(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(88, 2))
	draw := func() json.RawMessage {
		v := octavo.Object()
		for _, key := range []string{"a", "b", "c", "d"} {
			if n := r.IntN(4); n > 0 {
				v.Members = append(v.Members, octavo.Member{Name: key, Value: octavo.String(fmt.Sprint(n))})
			}
		}
		if len(v.Members) == 0 {
			return nil
		}
		return v.AppendJSON(nil)
	}
	at := func(front json.RawMessage, key string) string {
		v, _ := octavo.ValueOf(front) // no members where there is none
		value, _ := v.Get(key)
		return value.Str
	}
	for range 1000 {
		base, here, file, overwrite := draw(), draw(), draw(), r.IntN(3) == 0
		next, nextBase, kept, err := brought.Front(base, here, file, overwrite)
		if err != nil {
			t.Fatal(err)
		}
		told := map[string]bool{}
		for _, k := range kept {
			told[k.What] = true
		}
		for _, key := range []string{"a", "b", "c", "d"} {
			want, _, both := brought.Value(at(base, key), at(here, key), at(file, key), overwrite)
			if have := at(next, key); have != want || told[key] != both {
				t.Fatalf("%s, %s, %s, overwrite %t: %s is %q in %s, want %q; told %v", base, here, file, overwrite, key, have, next, want, kept)
			}
		}
		again, _, keptAgain, err := brought.Front(nextBase, next, file, overwrite)
		if err != nil || len(keptAgain) != len(kept) || string(again) != string(next) {
			t.Fatalf("%s, %s, %s, overwrite %t, once more: have %s, %v, %v; want %s", base, here, file, overwrite, again, keptAgain, err, next)
		}
	}
}

func FuzzText(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\n", "a\nb\nc\nd", false)
	f.Add("a\nb", "", "a\r\nb\r\n", true)
	f.Add("a\nb\n", "a\nb\r\nc\n", "a\r\nb\r\n", false)
	f.Add("1\n2\n3\n", "1\n2\n", "0\n2\n4\n", false)
	f.Fuzz(func(t *testing.T, base, here, file string, overwrite bool) {
		next, nextBase, kept := brought.Text(base, here, file, overwrite)
		switch {
		case overwrite && len(kept) > 0, len(kept) == 0 && nextBase != file:
			t.Fatalf("have %q, %v", nextBase, kept)
		case !overwrite && base == file && next != here, base == here && next != file:
			t.Fatalf("have %q", next)
		}
		for line := range strings.Lines(here) {
			line = strings.TrimRight(line, "\r\n") // the line ending may be that of the file
			if !overwrite && !strings.Contains(base, line) && !strings.Contains(next, line) {
				t.Fatalf("%q is lost in %q", line, next)
			}
		}
		if again, _, keptAgain := brought.Text(nextBase, next, file, overwrite); again != next || len(keptAgain) != len(kept) {
			t.Fatalf("once more: have %q, %v; want %q, %v", again, keptAgain, next, kept)
		}
	})
}

// A checkout with other line endings is no change of each line.
func TestTextWithOtherLineEndings(t *testing.T) {
	const base, here, crlf = "a\nb\nc\nd\n", "a edited\nb\nc\nd\n", "a\r\nb\r\nc\r\nd\r\n"
	for _, c := range []struct{ base, here, file, want string }{
		{base, here, crlf, "a edited\r\nb\r\nc\r\nd\r\n"},
		{base, here, "a\r\nb\r\nc\r\nnew\r\n", "a edited\r\nb\r\nc\r\nnew\r\n"},
		{crlf, here, "a\nb\nc\nnew\n", "a edited\nb\nc\nnew\n"},
	} {
		if have, next, kept := brought.Text(c.base, c.here, c.file, false); have != c.want || next != c.file || len(kept) > 0 {
			t.Errorf("%q: have %q, %q, %v", c, have, next, kept)
		}
	}
}
