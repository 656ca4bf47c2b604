package markup

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func convert(t *testing.T, source string) (text string, lost []string) {
	t.Helper()
	root, err := Parse([]byte(source))
	if err != nil {
		t.Fatalf("Parse(%.80q): %v", source, err)
	}
	return Convert(root, Options{Lost: func(line int, construct, words string) {
		lost = append(lost, fmt.Sprintf("%d %s: %s", line, construct, words))
	}}), lost
}

// TestConvert holds each testdata/NAME.html against NAME.md, which ends with what was lost.
func TestConvert(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("list testdata: %v, %d files", err, len(files))
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		have, lost := convert(t, string(source))
		if len(lost) > 0 {
			have += "\n<!-- lost\n" + strings.Join(lost, "\n") + "\n-->\n"
		}
		golden := strings.TrimSuffix(name, ".html") + ".md"
		if os.Getenv("OCTAVO_UPDATE") != "" {
			if err := os.WriteFile(golden, []byte(have), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		if have != string(want) {
			t.Errorf("%s: have\n%s\nwant\n%s", name, have, want)
		}
	}
}

// TestHostile converts sources that are made to take long or to go deep.
func TestHostile(t *testing.T) {
	t.Parallel()
	const n = 50_000
	for name, source := range map[string]string{
		"div": strings.Repeat("<div>", 400) + "x", "lists": strings.Repeat("<ul><li>", 200) + "x", "quotes": strings.Repeat("<blockquote>", 400) + "x",
		"tables": strings.Repeat("<table><tr><td>", 120) + "x", "sup": strings.Repeat("<sup>", 400) + strings.Repeat("x ", n), "strong": strings.Repeat("<b>x</b>", n),
		"emphasis": strings.Repeat("<b>x</b> y", n), "alternating": strings.Repeat("<i>x</i><b>.</b>", n), "brackets": "<p>" + strings.Repeat("[", n),
		"links": strings.Repeat("<a href=x>y", n), "ticks": "<code>" + strings.Repeat("` ", n), "breaks": strings.Repeat("<br>x", n),
		"open": strings.Repeat("<b><i>", 200) + strings.Repeat("x. ", n), "items": "<ul>" + strings.Repeat("<li>x", n), "inner lists": strings.Repeat("<ul>", 400) + "<li>x",
		"details": strings.Repeat("<details>", 400) + "x", "definitions": strings.Repeat("<dl><dd>", 200) + "x", "cells": "<table>" + strings.Repeat("<tr><td>x", n),
	} {
		start := time.Now()
		text, _ := convert(t, source)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: %d bytes took %v", name, len(source), took)
		}
		if len(text) > 40*len(source)+1000 {
			t.Errorf("%s: %d bytes became %d", name, len(source), len(text))
		}
	}
	if _, err := Parse([]byte(strings.Repeat("<div>", 5000))); err == nil {
		t.Error("elements 5,000 deep: want an error")
	}
}

// TestEmptyElements: elements of XHTML that end with a slash hold nothing of what follows,
// even those whose content is not markup.
func TestEmptyElements(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"p", "iframe", "textarea", "title", "script", "h2", "select", "button"} {
		have, _ := convert(t, "<p>a</p><"+name+" src=\"x\"/><p>b <em>c</em></p>\n<ul><li>d</li></ul>")
		if !strings.HasPrefix(have, "a\n\n") || !strings.HasSuffix(have, "b *c*\n\n- d\n") {
			t.Errorf("%s: have %q", name, have)
		}
	}
}

func TestParseEncodings(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"<p>Gr\xf6\xdfe \x96 none named":                                     "Größe – none named\n",
		"<meta charset=iso-8859-2><p>\xb1":                                   "ą\n",
		"<meta charset=utf-8><p>Größe, one byte wrong: \xff.":                "Größe, one byte wrong: \uFFFD.\n",
		"<p>" + strings.Repeat("a", 2000) + "ö":                              strings.Repeat("a", 2000) + "ö\n",
		"\xff\xfe<\x00p\x00>\x00U\x00T\x00F\x00-\x001\x006\x00 \x00\xf6\x00": "UTF-16 ö\n",
		"\xef\xbb\xbf<p>marked":                                              "marked\n",
	} {
		if have, _ := convert(t, source); have != want {
			t.Errorf("%q: have %q, want %q", source, have, want)
		}
	}
}
