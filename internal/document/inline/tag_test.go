package inline

import (
	"fmt"
	"strings"
	"testing"
	"time"
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
		{"<a @b.c='d > e' #f>", false, "a @b.c='d > e' #f= 19"},
		{"<a @ b>", false, ""},
		{"<iframe a='b'c=d>", false, "iframe a='b' c=d 17"},
		{"<a b='c'd=e>", false, ""},
		{"<a b@c>", false, ""},
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
		{`A \{#b}`, "A ", "b", "#b"},
		{"A {.c #b d=e}", "A ", "b", ".c #b d=e"},
		{"A {b}", "A {b}", "", ""},
		{"}", "}", "", ""},
		{"A {#b} c", "A {#b} c", "", ""},
		{"A {:#b}", "A ", "b", ":#b"},
		{"A {: .c #b }", "A ", "b", ": .c #b "},
		{"A {/*b-c*/}", "A ", "b-c", ""},
		{"A {/* #日本 */}", "A ", "日本", ""},
		{"A %{#b .c}%", "A ", "b", "#b .c"},
		{"A %{#}%", "A %{#}%", "", ""},
		{"A {/* b c */}", "A {/* b c */}", "", ""},
		{"A {/**/}", "A {/**/}", "", ""},
	} {
		if rest, anchor, inside := CutAnchor(test[0]); rest != test[1] || anchor != test[2] || inside != test[3] {
			t.Errorf("CutAnchor(%q): have %q, %q, %q; want %q", test[0], rest, anchor, inside, test[1:])
		}
	}
}

func TestStartsModule(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"import 'a'", "import \"a\";", "import {\n  a,\n} from 'b'", "import * as a from 'b'", "import a from 'b'", "import a, {b} from 'c'", "import a,\n  * as b from 'c'",
		"import a from 'b' with {type: 'json'}", "import a from 'b'; import c from 'd'", "import a from 'b' // c", "import a from 'b' /* c */",
		"export const a = 1", "export const {a} = b", "export let [a] = b", "export var a", "export const a: string = 'b'", "export function a() {}", "export function* a() {}",
		"export async function a() {}", "export class A {}", "export class A extends B {}", "export default a", "export default a;", "export default a.b", "export default a(b)",
		"export default {", "export default () => 1", "export default ({children}) => <>{children}</>", "export default function A() {}", "export default async () => 1",
		"export default class extends A {}", "export default \"a\"", "export default new A()", "export {a, b as c}", "export * from 'a'", "export * as a from 'b'", "export default a\n",
		"export const " + strings.Repeat("a", 300) + " = 1",
	} {
		if !StartsModule(text) {
			t.Errorf("%q is taken for text", text)
		}
	}
	for _, text := range []string{
		"import", "import ", "imports are", "important", "import is a word", "import of goods", "import from 'a'b", "import 'settings' from the menu", "import * everything", "import *all* pages",
		"import a from 'b' and use it", "import a, then b", "export", "exports", "export is a word", "export of goods", "export const values are kept", "export let us go", "export function keys",
		"export async work", "export class files are", "export default settings are kept", "export default, then", "export default settings.", "export * marks all", "export type A", "export class",
	} {
		if StartsModule(text) {
			t.Errorf("%q is taken for a statement", text)
		}
	}
}

func TestScanExpression(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		text  string
		width int
	}{
		{"{a}b", 3},
		{"{'}'}b", 5},
		{"{`}\n\n}`}b", 8},
		{"{/* } */}b", 9},
		{"{// }\n}b", 7},
		{"{ // don't }\n}b", 14},
		{"{a //}\n}b", 8},
		{"{<a>http://b</a>}c", 17},
		{"{it's}b", 6},
		{"{\\'}'}b", 4},
		{"{// }", 0},
		{"{/* }", 0},
		{"{`}", 3},
		{"{", 0},
	} {
		scan := NewBudget(len(test.text))
		if have := ScanExpression(test.text, &scan); have != test.width {
			t.Errorf("ScanExpression(%q): have %d, want %d", test.text, have, test.width)
		}
	}
}

// TestQuotesWithoutEnd checks that what is never closed is sought once.
func TestQuotesWithoutEnd(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"\\`", "\\'", "`\\", "' \\", "/*", "// ", "\"\n"} {
		scan := NewBudget(MaxExpression)
		for _, start := range []string{"{`", "{'", "{"} {
			begin := time.Now()
			ScanExpression(start+strings.Repeat(piece, MaxExpression), &scan)
			ScanModule("export const a = "+start+strings.Repeat(piece, MaxExpression), &scan)
			if took := time.Since(begin); took > time.Second {
				t.Errorf("%q and many times %q took %v", start, piece, took)
			}
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
		{"export const a = `b\n\nc }`\n\ntext", 26},
		{"export const a = ':('\n\ntext :)", 22},
		{"export const a = { // don't (\n\n  b: 'https://c',\n}\n\ntext", 51},
		{"export const a = { /* ( */\n\n  b: /[\"]/,\n}\n\ntext", 42},
		{"export const A = () => (\n  <p>It's https://b)</p>\n)\n\ntext", 52},
		{"import {a} from 'b' // and more\n\ntext", 32},
	} {
		scan := NewBudget(len(test.text))
		if have := ScanModule(test.text, &scan); have != test.width {
			t.Errorf("ScanModule(%q): have %d, want %d", test.text, have, test.width)
		}
		scan = NewBudget(len(test.text))
		if have := ScanModule(test.text, &scan); have != test.width {
			t.Errorf("ScanModule of the bytes %q: have %d, want %d", test.text, have, test.width)
		}
	}
}
