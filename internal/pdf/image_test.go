package pdf

import (
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document"
)

// TestImagesInLines checks that images are shown wherever text can stand.
func TestImagesInLines(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content string
		figures int
	}{
		"alone":           {"![a](picture.png)", 1},
		"among text":      {"Press ![a](drawing.svg) to go on.", 1},
		"twice in a line": {"x ![a](picture.png) y ![b](picture.png)", 2},
		"in a heading":    {"## Part ![a](picture.png)", 1},
		"in the title":    {"# Part ![a](picture.png)", 1},
		"in cells":        {"| a | ![a](picture.png) |\n|---|---|\n| ![b](picture.jpg) | text ![c](drawing.svg) |", 3},
		"in a link":       {"See [![a](picture.png) there](https://example.org).", 1},
		"one each mode":   {"![a](picture.png#gh-light-mode-only) ![b](picture.png#gh-dark-mode-only)\n\nx <img src=\"picture.jpg#only-dark\" alt=\"c\"><img src=\"picture.jpg\" alt=\"e\" class=\"hidden dark:block\">\n\n![d](drawing.svg#gh-dark-mode-only)", 1},
		"an ornament":     {"x ![](picture.png)", 0},
	} {
		file, report := write(t, Options{Image: picturesOf(t)}, c.content)
		for _, n := range report.Notices {
			t.Errorf("%s: have %s %s", name, n.Kind, n.Text)
		}
		text := unpacked(t, file)
		if have := strings.Count(text, "/S/Figure"); have != c.figures {
			t.Errorf("%s: have %d figures in the structure, want %d", name, have, c.figures)
		}
		if shown := strings.Count(text, "cm /I"); shown < max(c.figures, 1) {
			t.Errorf("%s: have %d pictures on the sheets, want %d", name, shown, c.figures)
		}
	}
}

// TestCaptions checks that text stands below the image that it follows, and above
// the one that it comes before.
func TestCaptions(t *testing.T) {
	t.Parallel()
	for content, below := range map[string]bool{
		"<p><img src=\"picture.png\"><br><b>Caption</b></p>": true,
		"![](picture.png)\nCaption":                          true,
		"Caption\n![](picture.png)":                          false,
		"![](picture.png) Caption ![](picture.png)":          false,
	} {
		pages := func(yield func(Page, error) bool) {
			yield(Page{Key: "a", Title: "T", Document: document.Parse("Before\n\n"+content+"\n\nAfter", document.Options{})}, nil)
		}
		at := boxes(t, pages, "en", "Before", "Caption", "After")
		if have := at["Caption"][1]-at["Before"][1] > at["After"][1]-at["Caption"][1]; have != below {
			t.Errorf("%q: below is %v, want %v", content, have, below)
		}
	}
}

// TestLongAddresses checks that a link does not make a file that grows with the
// square of its address or of its text.
func TestLongAddresses(t *testing.T) {
	t.Parallel()
	const size = 300_000
	for name, content := range map[string]string{
		"address":  "https://example.org/" + strings.Repeat("y", size),
		"text":     "[" + strings.Repeat("word ", size/5) + "](https://example.org/)",
		"fragment": "[" + strings.Repeat("word ", size/10) + "](#" + strings.Repeat("x", size/2) + ")",
	} {
		if file, _ := write(t, Options{}, content); len(file) > 3*size {
			t.Errorf("%s: have %d bytes of a link of %d", name, len(file), len(content))
		}
	}
}

// TestTitleOnce checks that the title of a page stands above it as the
// page says it, where it does.
func TestTitleOnce(t *testing.T) {
	t.Parallel()
	file, _ := write(t, Options{}, "# Quite another heading\n\ntext\n\n# Second\n")
	if have := strings.Count(unpacked(t, file), "/S/H1"); have != 1 {
		t.Errorf("have %d titles, want one", have)
	}
}

func TestIntroduces(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]bool{
		"Like this:\n\n```\na\n```": true,
		"Like **this:**\n\n- a":     true,
		"像这样：\n\n| a |\n|---|\n":    true,
		"Like this.\n\n- a":         false,
		"**Example**\n\nmore":       true,
		"**An** example\n\nmore":    false,
		"Like this:\n\nmore":        false,
	} {
		blocks := document.Parse(content, document.Options{}).Blocks
		if have := introduces(blocks[0].(*document.Paragraph), blocks[1]); have != want {
			t.Errorf("%q: have %v, want %v", content, have, want)
		}
	}
}

// TestCapped checks that columns which need little keep what they need.
func TestCapped(t *testing.T) {
	t.Parallel()
	least := []float64{40, 300, 200, 60}
	widest := capped(least, 400)
	sum := 0.0
	for _, w := range least {
		sum += min(w, widest)
	}
	if math.Abs(sum-400) > 1e-9 || widest != 150 {
		t.Errorf("have %v for the widest and %v for all, want 150 and 400", widest, sum)
	}
}

// TestBalance checks that width goes where it saves lines, and none below the
// least.
func TestBalance(t *testing.T) {
	t.Parallel()
	widths, least := []float64{150, 150, 100}, []float64{60, 60, 60}
	rows := [][]float64{{50, 50, 1000}, {50, 50, 800}, {40, 70, 600}}
	balance(widths, least, rows, cellPad)
	sum := 0.0
	for i, w := range widths {
		if sum += w; w < least[i] {
			t.Errorf("column %d: have %v, want at least %v", i, w, least[i])
		}
	}
	if sum != 400 || slices.Max(widths) != widths[2] || widths[2] < 180 {
		t.Errorf("have %v", widths)
	}
}

// TestRemoteImagesAsLinks checks that an image which no file can have is a link to
// it, unless it is in one.
func TestRemoteImagesAsLinks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		content string
		want    []string // addresses, in their order
	}{
		{"![a badge](https://img.example/a.svg)", []string{"https://img.example/a.svg"}},
		{"Text ![](https://img.example/b.png) and text.", []string{"https://img.example/b.png"}},
		{"[![a badge](https://img.example/a.svg)](https://ci.example)", []string{"https://ci.example"}},
		{"![here](missing.png)", nil},
		{"![here](javascript:x)", nil},
	} {
		file, _ := write(t, Options{}, c.content)
		var have []string
		for _, m := range regexp.MustCompile(`/URI ?\(([^)]*)\)`).FindAllStringSubmatch(unpacked(t, file), -1) {
			have = append(have, m[1])
		}
		if !slices.Equal(have, c.want) {
			t.Errorf("%s: have links to %q, want %q", c.content, have, c.want)
		}
	}
}
