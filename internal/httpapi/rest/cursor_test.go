package rest

import (
	"bytes"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func TestCursorOfOtherList(t *testing.T) {
	codec := newCursorCodec(bytes.Repeat([]byte{1}, 32))
	other := newCursorCodec(bytes.Repeat([]byte{2}, 32))
	mark := sqldb.Cursor{Key: "Ein Titel / ü", ID: "page_1"}
	text := codec.encode("pages", mark)
	if have, err := codec.decode("pages", text); err != nil || have != mark {
		t.Errorf("have %v %v, want %v", have, err, mark)
	}
	for name, c := range map[string]struct {
		codec      cursorCodec
		list, text string
	}{
		"another list":    {codec, "revisions", text},
		"another server":  {other, "pages", text},
		"cut":             {codec, "pages", text[:len(text)-1]},
		"longer":          {codec, "pages", text + "A"},
		"altered":         {codec, "pages", "A" + text[1:]},
		"empty":           {codec, "pages", ""},
		"not base64":      {codec, "pages", "????"},
		"with line break": {codec, "pages", text[:4] + "\n" + text[4:]},
		"huge":            {codec, "pages", strings.Repeat("A", 1<<20)},
	} {
		if have, err := c.codec.decode(c.list, c.text); err == nil {
			t.Errorf("%s: have %v, want an error", name, have)
		}
	}
}

// FuzzCursor checks that nothing but what encode made is accepted.
func FuzzCursor(f *testing.F) {
	codec := newCursorCodec(bytes.Repeat([]byte{1}, 32))
	f.Add(codec.encode("pages", sqldb.Cursor{ID: "page_1"}))
	f.Add("")
	f.Fuzz(func(t *testing.T, text string) {
		if mark, err := codec.decode("pages", text); err == nil && codec.encode("pages", mark) != text {
			t.Fatalf("%q is accepted as %v", text, mark)
		}
	})
}
