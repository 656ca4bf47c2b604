package pdf

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// read runs a program that reads a file and returns what it prints.
func read(t *testing.T, program string, arguments ...string) string {
	t.Helper()
	command := exec.CommandContext(t.Context(), testenv.PDF(t, program), arguments...)
	out, err := command.CombinedOutput()
	if err != nil {
		t.Errorf("%v: %v\n%s", command.Args, err, out)
	}
	return string(out)
}

// manuscript returns the files of testdata that make a book of every construct
// and script.
func manuscript(t testing.TB) (contents []string) {
	t.Helper()
	for _, name := range []string{"everything.md", "components.mdx", "scripts.md"} {
		content, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		contents = append(contents, string(content))
	}
	return contents
}

// TestReaders checks that other programs find a file right and find in it what
// was written. Set OCTAVO_TEST_PICTURES to a folder to look at it.
func TestReaders(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if pictures := os.Getenv("OCTAVO_TEST_PICTURES"); pictures != "" {
		dir = pictures
	}
	file := filepath.Join(dir, "book.pdf")
	o := Options{Fonts: font.Builtin(), Colors: painter{}, Image: picturesOf(t)}
	data, report := write(t, o, manuscript(t)...)
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	if len(report.Missing) > 0 {
		t.Errorf("no glyph for %q", string(report.Missing))
	}

	read(t, "qpdf", "--check", file)
	read(t, "pdfcpu", "validate", "--mode", "strict", "--conf", "disable", file)
	for i, line := range strings.Split(strings.TrimSpace(read(t, "pdffonts", file)), "\n") {
		if fields := strings.Fields(line); i > 1 && (len(fields) < 6 || strings.Join(fields[len(fields)-5:len(fields)-2], " ") != "yes yes yes") {
			t.Errorf("a font is not embedded, no subset or has no text: %s", line)
		}
	}
	for program, arguments := range map[string][]string{
		"pdfinfo":   {file},
		"pdftotext": {"-layout", file, "-"},
	} {
		text := strings.Join(strings.Fields(read(t, program, arguments...)), " ")
		for _, want := range wanted[program] {
			if !strings.Contains(text, want) {
				t.Errorf("%s: have no %q in\n%s", program, want, text)
			}
		}
	}
	if tree := read(t, "pdfinfo", "-struct-text", file); !strings.Contains(tree, `"The identifier of the page,`) {
		t.Errorf("the structure does not hold the text of a table: %.2000s", tree)
	}
}

// wanted is what programs have to find in the manuscript.
var wanted = map[string][]string{
	"pdfinfo": {"Title: A book", "Tagged: yes", "JavaScript: no", "Form: none", "Page size: 595.276 x 841.89 pts (A4)"},
	"pdftotext": {
		"A paragraph with emphasis, importance, both", "This is 漢字かな交じり文", "한국어 문서", "简体中文", "नमस्ते", "ภาษาไทย",
		"Ελληνικά", "Кириллица", "func main() {", "Page 1", "Contents",
	},
}

// TestOddBooks checks that books with next to nothing in them, or with what was
// written by an enemy, are files like others.
func TestOddBooks(t *testing.T) {
	t.Parallel()
	const evil = "a)>>endobj\x00\n(\\<script>\u202e&"
	for name, book := range map[string]Book{
		"nothing": {Pages: sequence()},
		"blank":   {Pages: sequence("")},
		"evil":    {Title: evil, Producer: evil, Language: "en", Pages: sequence("# " + evil + "\n\n[" + evil + "](https://example.org/(%29\\)) ![" + evil + "](picture.png)\n")},
		"images":  {Pages: sequence("# In ![a](drawing.svg) a title\n\n## ![b](picture.png) Part\n\n| ![c](picture.jpg) | [![d](drawing.svg)](https://example.org) |\n|---|---|\n| ![](picture.png) | ![e](picture.png) x |\n\nIn ![f](picture.jpg){width=20} a line\n")},
		"hebrew":  {Title: "ספר", Language: "he", Pages: sequence("## כותרת\n\n- אחד\n\n| א | ב |\n|---|---|\n| 1 | 2 |\n")},
	} {
		var out bytes.Buffer
		if _, err := Write(t.Context(), &out, book, Options{Fonts: font.Builtin(), Image: picturesOf(t)}); err != nil {
			t.Errorf("%s: have %v", name, err)
			continue
		}
		file := filepath.Join(t.TempDir(), "book.pdf")
		if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		read(t, "qpdf", "--check", file)
		read(t, "pdfcpu", "validate", "--mode", "strict", "--conf", "disable", file)
	}
}

// TestSameBytes checks that one book is one file, whenever it is made, and by how
// many goroutines.
func TestSameBytes(t *testing.T) {
	t.Parallel()
	o := Options{Fonts: font.Builtin(), Colors: painter{}, Image: picturesOf(t)}
	one, _ := write(t, o, manuscript(t)...)
	o.Parallel = true
	if other, _ := write(t, o, manuscript(t)...); !bytes.Equal(one, other) {
		t.Errorf("two files of one book differ: %d and %d bytes", len(one), len(other))
	}
}

// TestReadEveryGlyph checks that letters are read back whatever the bytes of
// their glyphs are, which may be what strings begin, end or escape with.
func TestReadEveryGlyph(t *testing.T) {
	t.Parallel()
	var content strings.Builder
	for r := rune('A'); r < 0x530; r++ { // Latin, Greek and Cyrillic
		if unicode.IsLetter(r) && unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) {
			content.WriteRune(r)
			content.WriteByte(' ')
		}
	}
	data, report := write(t, Options{Fonts: font.Builtin()}, content.String())
	file := filepath.Join(t.TempDir(), "book.pdf")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	have := read(t, "pdftotext", file, "-")
	count, missing := 0, string(report.Missing)
	for _, letter := range strings.Fields(content.String()) {
		if strings.Contains(missing, letter) {
			continue
		}
		if count++; !strings.Contains(have, letter) {
			t.Errorf("%s is not read", letter)
		}
	}
	if count < 600 {
		t.Errorf("the fonts have %d of the letters, want at least 600", count)
	}
}

// TestRightToLeft checks that a reader finds text of both directions in the order
// of reading.
func TestRightToLeft(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "book.pdf")
	data, _ := write(t, Options{Fonts: font.Builtin()}, "שלום עולם 12 abc\n\nمرحبا بالعالم\n")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	text := read(t, "pdftotext", file, "-")
	plain := strings.Map(func(r rune) rune {
		if r >= 0x202a && r <= 0x202e { // which poppler adds
			return -1
		}
		return r
	}, text)
	for _, want := range []string{"שלום עולם", "مرحبا بالعالم"} {
		if !strings.Contains(plain, want) {
			t.Errorf("have no %q in %q", want, plain)
		}
	}
}
