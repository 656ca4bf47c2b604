package octavo

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"testing/iotest"
)

const trace00 = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"

func TestParseTraceparent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want string // as written again; "" is not valid
	}{
		{trace00, trace00},
		{strings.Replace(trace00, "-01", "-ff", 1), strings.Replace(trace00, "-01", "-ff", 1)},
		{"cc" + trace00[2:], trace00},
		{"cc" + trace00[2:] + "-what-else", trace00},
		{"cc" + trace00[2:] + "1", ""},
		{trace00 + "-more", ""},
		{"ff" + trace00[2:], ""},
		{strings.ToUpper(trace00), ""},
		{"00-" + strings.Repeat("0", 32) + "-00f067aa0ba902b7-01", ""},
		{"00-4bf92f3577b34da6a3ce929d0e0e4736-" + strings.Repeat("0", 16) + "-01", ""},
		{strings.Replace(trace00, "4bf9", "4bg9", 1), ""},
		{strings.ReplaceAll(trace00, "-", "_"), ""},
		{trace00[1:], ""},
		{"", ""},
	} {
		have, ok := ParseTraceparent(c.text)
		if ok != (c.want != "") || ok && have.String() != c.want {
			t.Errorf("%q: have %s %v, want %q", c.text, have, ok, c.want)
		}
	}
}

func TestTraceparentOfACall(t *testing.T) {
	t.Parallel()
	parent, _ := ParseTraceparent(trace00)
	child, err := parent.Child(bytes.NewReader([]byte{0xaa, 0xbb, 3, 4, 5, 6, 7, 8}))
	if err != nil || child.String() != "00-4bf92f3577b34da6a3ce929d0e0e4736-abbb030405060708-01" {
		t.Errorf("a call caused by %s: have %s %v", parent, child, err)
	}
	begun, err := NewTraceparent(bytes.NewReader(make([]byte, 24)))
	if again, ok := ParseTraceparent(begun.String()); err != nil || !ok || again != begun || begun.Flags != 0 {
		t.Errorf("a new trace: have %s %v, want a valid one that is not recorded", begun, err)
	}
	for _, draw := range []func() (Traceparent, error){
		func() (Traceparent, error) { return parent.Child(iotest.ErrReader(errors.New("no chance"))) },
		func() (Traceparent, error) { return NewTraceparent(strings.NewReader("few")) },
	} {
		if have, err := draw(); err == nil || have != (Traceparent{}) {
			t.Errorf("without chance: have %s %v, want an error", have, err)
		}
	}
}

// FuzzParseTraceparent checks that a parsed value is valid and formats as it was.
func FuzzParseTraceparent(f *testing.F) {
	f.Add(trace00)
	f.Add("cc" + trace00[2:] + "-x")
	f.Fuzz(func(t *testing.T, text string) {
		have, ok := ParseTraceparent(text)
		if !ok {
			return
		}
		if again, ok := ParseTraceparent(have.String()); !ok || again != have || have.String()[2:] != text[2:len(trace00)] {
			t.Errorf("%q: have %s", text, have)
		}
	})
}
