package navigation

import "testing"

func TestPlain(t *testing.T) {
	t.Parallel()
	for title, want := range map[string]string{
		"  Two\n words ":           "Two words",
		"`Box<T>` and <b>x</b>":    "Box<T> and x",
		`Team \(MLT\) \d`:          `Team (MLT) \d`,
		"**Bold** 2 * 3":           "Bold 2 * 3",
		"a < b":                    "a < b",
		"<span class='x'> </span>": "",
	} {
		if have := plain(title); have != want {
			t.Errorf("plain(%q): have %q, want %q", title, have, want)
		}
	}
}
