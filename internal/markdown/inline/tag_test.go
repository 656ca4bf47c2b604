package inline

import (
	"fmt"
	"strings"
	"testing"
)

func TestScanTag(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text string
		jsx  bool
		want string // name, attributes and width; "" for no tag
	}{
		{"<a href='x' b>", false, "a href='x' b= 14"},
		{"<BR/>", false, "br self 5"},
		{"</Div >", false, "/div 7"},
		{"<a b=c{d}>", false, "a b=c{d} 10"},
		{"<a.b>", false, ""},
		{"<a b='", false, ""},
		{"<>", false, ""},
		{"<>", true, " 2"},
		{"<A.B c={'}'} {...d} e=`f` />", true, "A.B c={'}'} ={...d} e=`f` self 28"},
		{"<A\n  b={{c: \"}\"}}\n>", true, "A b={{c: \"}\"}} 19"},
		{"<A b={>", true, ""},
		{"</A b>", true, ""},
	}
	for _, test := range tests {
		scan := NewBudget(len(test.text))
		tag, width := ScanTag(test.text, test.jsx, &scan)
		have := ""
		if width > 0 {
			have = tag.Name
			if tag.Closing {
				have = "/" + have
			}
			for a := range tag.Attributes() {
				if have += fmt.Sprintf(" %s=%s", a.Name, a.Value); !strings.HasPrefix(tag.Inside[a.Start:a.End], a.Name) {
					t.Errorf("ScanTag(%q): attribute %q stands at %q", test.text, a.Name, tag.Inside[a.Start:a.End])
				}
			}
			if tag.SelfClosing {
				have += " self"
			}
			have += fmt.Sprintf(" %d", width)
		}
		if have != test.want {
			t.Errorf("ScanTag(%q, %v):\nhave %q\nwant %q", test.text, test.jsx, have, test.want)
		}
	}
}

func TestAnchors(t *testing.T) {
	t.Parallel()
	var anchors Anchors
	for _, test := range [][2]string{{"A b!", "a-b"}, {"a B", "a-b-1"}, {"a-b-1", "a-b-1-1"}, {"Ünï_x 日本", "ünï_x-日本"}, {"", ""}} {
		if have := anchors.Unused(test[0]); have != test[1] {
			t.Errorf("anchor of %q: have %q, want %q", test[0], have, test[1])
		}
	}
	for _, test := range [][4]string{
		{"A {#b}", "A ", "b", "#b"},
		{"A {.c #b d=e}", "A ", "b", ".c #b d=e"},
		{"A {b}", "A {b}", "", ""},
		{"}", "}", "", ""},
		{"A {#b} c", "A {#b} c", "", ""},
	} {
		if rest, anchor, inside := CutAnchor(test[0]); rest != test[1] || anchor != test[2] || inside != test[3] {
			t.Errorf("CutAnchor(%q): have %q, %q, %q; want %q", test[0], rest, anchor, inside, test[1:])
		}
	}
}

func TestScanModule(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text  string
		width int
	}{
		{"import A from 'a'\nimport {b} from 'c'\n\ntext", 38},
		{"export const a = {\n\n  b: 1,\n}\n\ntext", 30},
		{"import is a word", 0},
		{"exports are not", 0},
		{"export const a = {\n\nnever closed", 19},
	} {
		scan := NewBudget(len(test.text))
		if have := ScanModule(test.text, &scan); have != test.width {
			t.Errorf("ScanModule(%q): have %d, want %d", test.text, have, test.width)
		}
		scan = NewBudget(len(test.text))
		if have := ScanModule([]byte(test.text), &scan); have != test.width {
			t.Errorf("ScanModule of the bytes %q: have %d, want %d", test.text, have, test.width)
		}
	}
}
