package pdf

import (
	"bytes"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/klauspost/compress/zlib"
)

// unpacked returns everything in a file that can be read as text: its objects
// and the content of its sheets.
func unpacked(t *testing.T, file []byte) string {
	t.Helper()
	var all bytes.Buffer
	all.Write(file)
	for rest := file; ; {
		i := bytes.Index(rest, []byte("/FlateDecode"))
		if i < 0 {
			return all.String()
		}
		rest = rest[i:]
		from := bytes.Index(rest, []byte("stream\n")) + len("stream\n")
		r, err := zlib.NewReader(bytes.NewReader(rest[from:]))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.Copy(&all, r); err != nil {
			t.Fatal(err)
		}
		rest = rest[from:]
	}
}

// TestStructure checks that content has the tags that tell what it is.
func TestStructure(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ content, want string }{
		{"text", "/S/Sect /S/H1 /S/P"},
		{"## Two\n\ntext", "/S/H2 /S/P"},
		{"- a\n- b", "/S/L /S/LI /S/Lbl /S/LBody"},
		{"|a|\n|-|\n|b|", "/S/Table /S/THead /S/TBody /S/TR /S/TH /S/TD /Scope/Column"},
		{"<table><tr><td>a</td></tr></table>", "/S/Table /S/TBody /S/TR /S/TD"},
		{"```\na\n```", "/S/Code"},
		{"<pre>\na\n  b\n</pre>", "/S/Code"},
		{"> a", "/S/BlockQuote"},
		{"[a](#b)", "/S/Link /Subtype/Link /Type/OBJR"},
		{"a[^1]\n\n[^1]: b", "/S/Note /S/Link"},
		{"text", "/S/TOC /S/TOCI /Type/Outlines /PageLabels /MarkInfo<</Marked true>> /DisplayDocTitle"},
	} {
		file, _ := write(t, Options{}, c.content)
		text := unpacked(t, file)
		for _, want := range strings.Fields(strings.ReplaceAll(c.want, "<</Marked true>>", "")) {
			if !strings.Contains(text, want) {
				t.Errorf("%q: no %s", c.content, want)
			}
		}
		if begins, ends := len(regexp.MustCompile(`\b(BDC|BMC)\n`).FindAllString(text, -1)), strings.Count(text, "EMC\n"); begins != ends {
			t.Errorf("%q: %d parts are begun and %d ended", c.content, begins, ends)
		}
	}
}

// TestInjection checks that nothing written by authors becomes part of the
// file's own language.
func TestInjection(t *testing.T) {
	t.Parallel()
	const evil = `x)/JavaScript(y)>>endobj`
	file, _ := write(t, Options{}, "# "+evil+"\n\n["+evil+"](https://example.org/"+`a\)/JS(b)`+")\n")
	if text := unpacked(t, file); strings.Contains(text, "x)/JavaScript") || strings.Contains(text, "a)/JS(") {
		t.Error("what an author wrote stands in the file as it is")
	}
	// Nor does what a reader clicks run anything, or open what lies on the disk.
	for _, bad := range []string{
		"javascript:alert(1)", "JaVaScRiPt:alert(1)", "java\tscript:alert(1)", "\x01javascript:alert(1)", "vbscript:x", "file:///etc/passwd", "data:text/html,x", "launch:x",
	} {
		file, _ := write(t, Options{}, "# x\n\n[x](<"+bad+">) <a href=\""+bad+"\">y</a> ![z](<"+bad+">)\n\n["+"w][r]\n\n[r]: <"+bad+">\n")
		for _, action := range []string{"/URI", "/JavaScript", "/Launch", "/GoToR"} {
			if strings.Contains(unpacked(t, file), action) {
				t.Errorf("%q: a link became %s", bad, action)
			}
		}
	}
	file, _ = write(t, Options{}, "[x](https://example.org/)\n")
	if !strings.Contains(unpacked(t, file), "/URI") {
		t.Error("a good link is not there: the test shows nothing")
	}
}
