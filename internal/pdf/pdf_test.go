package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode"

	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gobolditalic"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/gomonobold"
	"golang.org/x/image/font/gofont/gomonobolditalic"
	"golang.org/x/image/font/gofont/gomonoitalic"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/token"
	"github.com/octavo-docs/octavo/internal/pdf/font"
)

// goFonts are fonts that come as a Go package.
func goFonts() font.Sources {
	var s font.Sources
	for i, data := range [][]byte{
		goregular.TTF, gobold.TTF, goitalic.TTF, gobolditalic.TTF, gomono.TTF, gomonobold.TTF, gomonoitalic.TTF, gomonobolditalic.TTF,
	} {
		s.Styles[i] = font.Source{Name: fmt.Sprint("go-", i), Bytes: func() ([]byte, error) { return data, nil }}
	}
	return s
}

// sequence returns pages of contents, with the title and key "Page N", "pN".
func sequence(contents ...string) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		for i, content := range contents {
			page := Page{Key: fmt.Sprint("p", i+1), Title: fmt.Sprint("Page ", i+1), Document: document.Parse(content, document.Options{MDX: strings.HasPrefix(content, "export ")})}
			if !yield(page, nil) {
				return
			}
		}
	}
}

// painter divides code into words, numbers and what is between.
type painter struct{}

func (painter) Tokens(_ context.Context, _, code string) (tokens []token.Token, err error) {
	for _, piece := range regexp.MustCompile(`[A-Za-z]+|[0-9]+|[^A-Za-z0-9]+`).FindAllString(code, -1) {
		class := token.Plain
		switch {
		case unicode.IsLetter(rune(piece[0])):
			class = token.Comment + token.Class(len(piece))%token.Output
		case unicode.IsDigit(rune(piece[0])):
			class = token.Number
		}
		tokens = append(tokens, token.Token{Class: class, Text: piece})
	}
	return tokens, nil
}

// write makes a book of contents and looks for what every file must have.
func write(t *testing.T, o Options, contents ...string) ([]byte, Report) {
	t.Helper()
	var out bytes.Buffer
	book := Book{Title: "A book", Made: time.Unix(1_700_000_000, 0), Pages: sequence(contents...)}
	if o.Fonts.Styles[0].Bytes == nil {
		o.Fonts = goFonts()
	}
	report, err := Write(t.Context(), &out, book, o)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(out.Bytes(), []byte("%PDF-1.7\n")) || !bytes.HasSuffix(out.Bytes(), []byte("%%EOF\n")) {
		t.Errorf("not a whole file: %d bytes", out.Len())
	}
	return out.Bytes(), report
}

// TestBook checks that long paragraphs go on on the next sheet.
func TestBook(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("A paragraph of some words that is long enough to be broken into lines, of which there are many. ", 40)
	if _, report := write(t, Options{}, long, strings.Repeat(long+"\n\n", 10)); report.Sheets < 5 {
		t.Errorf("have %d sheets, want at least 5", report.Sheets)
	}
}

func TestReport(t *testing.T) {
	t.Parallel()
	_, report := write(t, Options{
		Link: func(_ Page, href string) (Target, bool) {
			switch href {
			case "two":
				return Target{Key: "p2"}, true
			case "gone":
				return Target{Key: "p9"}, true
			}
			return Target{}, false
		},
	}, "[a](two) [b](none) [c](#no-such) [d](javascript:x) [e](gone) 漢", "## Two")
	var have []string
	for _, n := range report.Notices {
		have = append(have, n.Key+" "+n.Kind.String()+" "+n.Text)
	}
	want := []string{
		"p1 link leads to no page none",
		"p1 no heading has the anchor of the link #no-such",
		"p1 address left out javascript:x",
		"p9 link leads to no page p9",
	}
	if strings.Join(have, "\n") != strings.Join(want, "\n") {
		t.Errorf("notices\nhave %q\nwant %q", have, want)
	}
	if string(report.Missing) != "漢" {
		t.Errorf("missing characters: have %q, want 漢", string(report.Missing))
	}
}

// TestHostile checks that no input breaks a book.
func TestHostile(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"nothing":        "",
		"long word":      strings.Repeat("x", 100_000),
		"long code":      "```\n" + strings.Repeat("y", 100_000) + "\n```",
		"many cells":     "|" + strings.Repeat("a|", 200) + "\n|" + strings.Repeat("-|", 200) + "\n|" + strings.Repeat("b|", 200),
		"tall cell":      "|a|b|\n|-|-|\n|" + strings.Repeat("word ", 20_000) + "|c|",
		"long table":     "|a|b|\n|-|-|\n" + strings.Repeat("|c|d|\n", 100_000),
		"link bomb":      strings.Repeat("[a](b", 20_000),
		"marks unpaired": strings.Repeat("*a _b ", 20_000),
		"components":     strings.Repeat(":::note\n", 200) + "x",
		"notes":          strings.Repeat("[^a]", 5000) + "\n\n[^a]: b\n",
		"deep lists":     strings.Repeat("  ", 40) + strings.Repeat("- ", 60) + "x",
		"deep quotes":    strings.Repeat("> ", 60) + "x",
		"empty items":    strings.Repeat("-\n", 300),
		"headings":       strings.Repeat("# h\n", 300),
		"both ways":      "one שלום two العربية three",
		"control":        "a\x00b\u202ec\u2028d\ufeff",
		"marks":          "e" + strings.Repeat("\u0301", 5000),
		"empty heading":  "#\n\n##\n",
	} {
		if _, report := write(t, Options{}, content); report.Sheets < 1 {
			t.Errorf("%s: have %d sheets", name, report.Sheets)
		}
	}
}

// TestFaults checks that a book ends with the error of its pages, its output or
// its context.
func TestFaults(t *testing.T) {
	t.Parallel()
	lost := errors.New("lost")
	one := sequence("text ![a](b)\n\n" + strings.Repeat("more\n\n", 1000))
	ctx, cancel := context.WithCancel(t.Context())
	for _, c := range []struct {
		name  string
		pages iter.Seq2[Page, error]
		out   io.Writer
		image func(Page, string) ([]byte, bool)
		want  error
	}{
		{"pages", func(yield func(Page, error) bool) { yield(Page{}, lost) }, io.Discard, nil, lost},
		{"output", one, failing{lost}, nil, lost},
		{"cancelled", one, io.Discard, func(Page, string) ([]byte, bool) { cancel(); return nil, false }, context.Canceled},
	} {
		if _, have := Write(ctx, c.out, Book{Pages: c.pages}, Options{Fonts: goFonts(), Image: c.image}); !errors.Is(have, c.want) {
			t.Errorf("%s: have %v, want %v", c.name, have, c.want)
		}
	}
}

// failing is an output that takes nothing.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestParseColor(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want string
	}{
		{"#fff", "ffffff true"},
		{"#0B62c4", "0b62c4 true"},
		{"red", "000000 false"},
		{"#12345", "012345 false"},
		{"fff", "ffffff false"},
	} {
		color, ok := parseColor(c.text)
		if have := fmt.Sprintf("%x %v", color[:], ok); have != c.want {
			t.Errorf("parseColor(%s): have %s, want %s", c.text, have, c.want)
		}
	}
}
