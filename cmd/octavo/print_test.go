package main

import (
	"bytes"
	"testing"
)

// TestLegible shows that nothing that others wrote is obeyed by a terminal.
func TestLegible(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a\tb\nc é 文":                  "a\tb\nc é 文",
		"\x1b[31mred\x07":              `\u001b[31mred\u0007`,
		"over\rwritten\b\u009b1m":      `over\u000dwritten\u0008\u009b1m`,
		"8 bits \x9b31m":               "8 bits \ufffd31m",
		"if \u202e}evil\u2066":         `if \u202e}evil\u2066`,
		`{"title":"` + "\u009b" + `"}`: `{"title":"\u009b"}`,
	} {
		var out bytes.Buffer
		if err := printLine(&out, text); err != nil || out.String() != want+"\n" {
			t.Errorf("%q: have %q, %v", text, out.String(), err)
		}
		out.Reset()
		if n, err := (legibly{&out}).Write([]byte(text)); n != len(text) || err != nil || out.String() != want {
			t.Errorf("%q as a message: have %q, %d, %v", text, out.String(), n, err)
		}
	}
}
