package highlight

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/alecthomas/chroma/v2/lexers"
)

// samples are pieces of code in several languages, and what is none.
func samples(t *testing.T) []string {
	t.Helper()
	all := []string{
		"a\n\tb \"c' `d\n\n{[(<x y='z'>é日\n#!/bin/sh\n$ make\n%%@@ ${a:-b} $(c) <<EOF\nx\nEOF\n",
		"\n\n", " ", "\r\n a = 1\r\n\r b: 'x", "\x01\ufeff\u2028ſK", "İı ſtate K",
		"SELECT a.b, 'c''d' FROM [e] WHERE f >= 1.5e3 -- g\n/* h */ Select * from \"i\";",
		"\\begin{a}[b]{c} $d^2$ % e\n\\end{a}\n\n* f\n1. g\n> h\n| i | j |\n```go\nfunc k() {}\n```\n<b class=\"l\">m</b> &amp; [n](o) ![p](q)",
		"def f(x=None, *, y: int = 0x1F) -> str:\n    \"\"\"Doc.\"\"\"\n    return f'{x!r:>{y}}' if x else rb'\\x00'\n@d\nclass A(B): pass",
		"#include <a.h>\n#define B(c) ((c) ## 1)\nint main(void) { return L'x' == 017 ? 1ull : -2.5f; } // d",
	}
	for _, name := range []string{"scan.go", "../html/style.css", "../../site/find.js", "../../site/site.tmpl", "../../../deploy/prometheus/rules.yaml", "../../../deploy/prometheus/dashboard.json", "../../../README.md"} {
		text, err := os.ReadFile(filepath.FromSlash(name))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(text[:min(len(text), 400)]))
	}
	return all
}

// TestScanEqualsLex compares the scanners with the lexers of chroma. Chroma gives up a match
// after 250 ms, so on a busy machine a difference counts only if it is repeatable.
func TestScanEqualsLex(t *testing.T) {
	t.Parallel()
	texts, scanned := samples(t), 0
	for _, lexer := range lexers.GlobalLexerRegistry.Lexers {
		s := newScanner(lexer)
		switch name := lexer.Config().Name; {
		case s == nil:
			continue
		case name == "Jungle" || name == "JSONata":
			continue // their rules stand still, which chroma does for as long as it is given
		}
		scanned++
		for _, text := range texts {
			for try := 1; ; try++ {
				want, failed := divide(t.Context(), lexer, nil, text)
				have, err := divide(t.Context(), lexer, s, text)
				if errors.Is(failed, context.DeadlineExceeded) || errors.Is(err, context.DeadlineExceeded) {
					break // the machine was stopped for a while
				}
				if show(have) == show(want) && (err == nil) == (failed == nil) {
					break
				}
				if try == 5 {
					t.Errorf("%s of %.300q\nhave %s, %v\nwant %s, %v", lexer.Config().Name, text, show(have), err, show(want), failed)
					break
				}
			}
		}
	}
	if scanned < 200 {
		t.Errorf("%d lexers alone are scanned", scanned)
	}
}

func TestFirsts(t *testing.T) {
	t.Parallel()
	const all = "aAbBkKsS09_ \n<"
	for _, c := range []struct{ pattern, want string }{
		{`a`, "a"},
		{`\Ga+b`, "a"},
		{`a*b`, "ab"},
		{`a{2,3}?`, "a"},
		{`(a|b)0`, "ab"},
		{`(a|b?)0`, "ab0"},
		{`(?:ab|<)`, "a<"},
		{`(?i)k`, "kK"},
		{`(?i)ſ`, "sS"},
		{`(?i:a)B`, "aA"},
		{`(?i)[b-k]x`, "bBkK"},
		{`[^a-z0-9]`, "ABKS_ \n<"},
		{`.`, "aAbBkKsS09_ <"},
		{`(?s).`, all},
		{`\d\w`, "09"},
		{`\s*<`, " \n<"},
		{`\w`, "aAbBkKsS09_"},
		{`^\ba`, "a"},
		{`(?=a)\w`, "aAbBkKsS09_"}, // more than there are
		{`(?<!a)b`, "b"},
		{`(?>a|b)`, "ab"},
		{``, all},
		{`a?`, all},
		{`(?!a)`, all},
		{`(?<=a)`, all},
		{`(a)?\1b`, all},
		{`(`, all}, // wrong
	} {
		f, have := firstsOf(c.pattern), ""
		for _, r := range all {
			if f.may(r) {
				have += string(r)
			}
		}
		if have != c.want {
			t.Errorf("%s: have %q, want %q", c.pattern, have, c.want)
		}
		if !f.may('é') {
			t.Errorf("%s: é is ruled out", c.pattern)
		}
	}
}
