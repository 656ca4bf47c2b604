package highlight

import (
	"context"
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/document/token"
)

// show writes tokens as class:text.
func show(tokens []token.Token) string {
	var parts []string
	for _, t := range tokens {
		parts = append(parts, t.Class.String()+":"+t.Text)
	}
	return strings.Join(parts, "|")
}

func TestTokens(t *testing.T) {
	t.Parallel()
	h := New(1 << 20)
	for _, c := range []struct{ language, code, want string }{
		{"go", "func f() int { return 1 } // x", "keyword:func|: |function:f|punctuation:()|: |type:int|: |punctuation:{|: |keyword:return|: |number:1|: |punctuation:}|: |comment:// x"},
		{"json", `{"a": true}`, `punctuation:{|tag:"a"|punctuation::|: |constant:true|punctuation:}`},
		{"diff", "+a\n-b\n", "added:+a\n|removed:-b\n"},
		{"console", "$ export A\nfor it\n", "directive:$|: |function:export|: A\n|output:for it\n"},
		{"console", "export A\n", "function:export|: A\n"},
		{"nolanguage", "a", ":a"},
		{"", "a", ":a"},
		{"go", "", ":"},
	} {
		for range 2 { // the second time from memory
			tokens, err := h.Tokens(t.Context(), c.language, c.code)
			if have := show(tokens); have != c.want || err != nil {
				t.Errorf("Tokens(%s, %q)\nhave %s, %v\nwant %s", c.language, c.code, have, err, c.want)
			}
		}
	}
}

// TestTokensJoinToCode tries lexers on code that is none of their own.
func TestTokensJoinToCode(t *testing.T) {
	t.Parallel()
	h := New(0)
	for _, code := range []string{"a\n\tb \"c' `d\n\n{[(<x y='z'>é日\n#!/bin/sh\n$ make\n%%@@", " ", "\n\n", "\x01\ufeff"} {
		for _, name := range strings.Fields("go js ts tsx python bash json yaml toml html css markdown sql diff http ruby php java c c++ c# rust kotlin swift nginx docker makefile ini text powershell vue") {
			tokens, err := h.Tokens(t.Context(), name, code)
			together := ""
			for _, piece := range tokens {
				together += piece.Text
			}
			if together != code {
				t.Errorf("Tokens(%s, %q): have %q, %v", name, code, together, err)
			}
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	h := New(1 << 20)
	long := strings.Repeat("a ", MaxCode)
	if tokens, err := h.Tokens(t.Context(), "go", long); err == nil || len(tokens) != 1 || tokens[0].Text != long {
		t.Errorf("%d bytes: have %d tokens, %v", len(long), len(tokens), err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if tokens, err := h.Tokens(ended, "go", "x := 1"); err == nil || show(tokens) != ":x := 1" {
		t.Errorf("after the end: have %s, %v", show(tokens), err)
	}
	if tokens, err := h.Tokens(t.Context(), "go", "x := 1"); err != nil || len(tokens) < 3 {
		t.Errorf("later: have %s, %v", show(tokens), err)
	}
}

// TestMemoryLimit checks that old entries are evicted.
func TestMemoryLimit(t *testing.T) {
	t.Parallel()
	h := New(2000)
	for i := range 500 {
		_, err := h.Tokens(t.Context(), "json", strconv.Itoa(1_000_000+i))
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := len(h.recent) + len(h.older); n > 300 {
		t.Errorf("%d blocks are remembered", n)
	}
}

// TestUnknownLanguages checks that names which nobody knows cost nothing.
func TestUnknownLanguages(t *testing.T) {
	t.Parallel()
	h := New(0)
	start := time.Now()
	for i := range 100_000 {
		if h.lexer("none"+strconv.Itoa(i)) != nil {
			t.Fatalf("there is a lexer for none%d", i)
		}
	}
	if took := time.Since(start); took > 2*time.Second {
		t.Errorf("100,000 names took %v", took)
	}
	for _, name := range []string{"go", "js", "yml", "rs", "c++", "jsonc", "console", "vue", "dockerfile", "tf", "vue-html", "pcss"} {
		if h.lexer(name) == nil {
			t.Errorf("there is no lexer for %s", name)
		}
	}
}

// TestStill checks that rules which loop are given up at once and not by a timeout, in a
// language and in one within another.
func TestStill(t *testing.T) {
	t.Parallel()
	h := New(0)
	for _, c := range []struct{ language, code string }{
		{"jsonata", "a | b"},
		{"jungle", "a\n\x00"},
		{"markdown", "```jsonata\na | b\n```\n"},
		{"markdown", "```jungle\n\x00\n```\n"},
		{"org", "#+BEGIN_SRC jsonata\na | b\n#+END_SRC\n"},
	} {
		tokens, err := h.Tokens(t.Context(), c.language, c.code)
		if !errors.Is(err, errStill) || show(tokens) != ":"+c.code {
			t.Errorf("Tokens(%s, %q): have %s, %v", c.language, c.code, show(tokens), err)
		}
	}
	deep := strings.Repeat("[", 3*maxStill) + strings.Repeat("]", 3*maxStill)
	if _, err := h.Tokens(t.Context(), "json", deep); err != nil {
		t.Errorf("many brackets: %v", err)
	}
}

// TestSlow checks that of thousands of blocks that take too long few are tried,
// that one which does not ends the count, and that other languages are as they
// were.
func TestSlow(t *testing.T) {
	t.Parallel()
	h := NewLanguages().Highlighter(0)
	for range maxSlow - 1 {
		h.judge("Go", true)
	}
	if tokens, err := h.Tokens(t.Context(), "go", "x := 1"); err != nil || len(tokens) < 3 || h.slow["Go"] != 0 {
		t.Errorf("have %s, %v, and %d", show(tokens), err, h.slow["Go"])
	}
	for range maxSlow {
		h.judge("Go", true)
	}
	if tokens, err := h.Tokens(t.Context(), "go", "x := 2"); !errors.Is(err, errSlow) || show(tokens) != ":x := 2" {
		t.Errorf("have %s, %v", show(tokens), err)
	}
	if h.skips("JSON") {
		t.Error("another language is left alone")
	}
	shared := New(0)
	for range 2 * maxSlow {
		shared.judge("Go", true)
		if shared.skips("Go") {
			t.Error("pages of one author take the colours of those of another")
		}
	}
}

// TestHostileCode gives lexers what makes some of them slow.
func TestHostileCode(t *testing.T) {
	t.Parallel()
	h := New(1 << 20)
	for _, c := range []struct{ language, piece string }{
		{"go", "`"},
		{"js", "/*"},
		{"js", "${`"},
		{"python", `"""`},
		{"html", "<"},
		{"markdown", "*a_"},
		{"markdown", "[a](b"},
		{"bash", "$(("},
		{"yaml", "- {"},
		{"css", "a{"},
		{"php", "<?"},
		{"perl", "s/"},
		{"ruby", "#{"},
		{"tex", "\\a{"},
		{"c", "#if\n"},
		{"sql", "'"},
	} {
		start := time.Now()
		code := strings.Repeat(c.piece, 8<<10/len(c.piece))
		_, err := h.Tokens(t.Context(), c.language, code)
		if took := time.Since(start); took > MaxTime+10*time.Second {
			t.Errorf("%s, %q: took %v, %v", c.language, c.piece, took, err)
		}
	}
}
