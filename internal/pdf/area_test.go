package pdf

import (
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document"
)

func TestAreaEdges(t *testing.T) {
	t.Parallel()
	whole := area{left: marginLeft, width: 400}
	mirrored := whole
	mirrored.mirrored = true
	for _, c := range []struct {
		name        string
		have        area
		left, width float64
	}{
		{"inset", whole.inset(30), marginLeft + 30, 370},
		{"inset, mirrored", mirrored.inset(30), marginLeft, 370},
		{"within", whole.within(30, 10), marginLeft + 30, 360},
		{"within, mirrored", mirrored.within(30, 10), marginLeft + 10, 360},
		{"too deep", whole.inset(1000), sheetWidth - marginRight - narrowestArea, narrowestArea},
	} {
		if math.Abs(c.have.left-c.left) > 1e-9 || c.have.width != c.width {
			t.Errorf("%s: have %v and %v wide, want %v and %v", c.name, c.have.left, c.have.width, c.left, c.width)
		}
	}
	if have, want := whole.start(5, 20), marginLeft+5.0; have != want {
		t.Errorf("start: have %v, want %v", have, want)
	}
	if have, want := mirrored.start(5, 20), marginLeft+400-5.0-20; have != want {
		t.Errorf("start, mirrored: have %v, want %v", have, want)
	}
}

// one is a book of one page.
func one(content string) iter.Seq2[Page, error] {
	return func(yield func(Page, error) bool) {
		yield(Page{Key: "p", Title: "P", Document: document.Parse(content, document.Options{})}, nil)
	}
}

// TestAligned checks that lines and images stand where the author of HTML wants
// them.
func TestAligned(t *testing.T) {
	t.Parallel()
	const middle = sheetWidth / 2
	for _, c := range []struct {
		content string
		middle  float64 // of the word, 0 where it is not looked at
		right   float64
	}{
		{`<p align="center">word</p>`, middle, 0},
		{"<center>\n\nword\n\n</center>", middle, 0},
		{"<div align=\"CENTER\">\n\n#### word\n\n</div>", middle, 0},
		{`<h3 align="right">word</h3>`, 0, sheetWidth - marginRight},
		{"<div align=\"center\">\n\n- word\n\n</div>", 0, 0},
		{"<div align=\"justify\">\n\nword\n\n</div>", 0, 0},
	} {
		have := boxes(t, one(c.content), "en", "word")["word"]
		switch {
		case c.middle != 0 && math.Abs((have[0]+have[2])/2-c.middle) > 1,
			c.right != 0 && math.Abs(have[2]-c.right) > 1,
			c.middle == 0 && c.right == 0 && have[0] > marginLeft+indent+10:
			t.Errorf("%s: have the word from %v to %v", c.content, have[0], have[2])
		}
	}
	if at, want := (area{left: 10, width: 100, align: document.AlignCenter}).edge(40, true), 40.0; at != want {
		t.Errorf("edge: have %v, want %v", at, want)
	}
}

// TestNamedDestinations checks that links find the names that authors give.
func TestNamedDestinations(t *testing.T) {
	t.Parallel()
	_, report := write(t, Options{}, strings.Join([]string{
		"[a](#a) [b](#b) [c](#c) [d](#d) [e](#e) [f](#f) [g](#g) [none](#none)",
		`<a name="a"></a>`, `text <a id="b"></a> text`, `<a id="c" href="https://example.com">x</a>`, `<span id="d">x</span>`,
		"| a |\n|---|\n| <a name='e'></a>x |", "<div id=\"f\">\n\nx\n\n</div>", `<a name="g"></a>`,
	}, "\n\n"))
	var have []string
	for _, n := range report.Notices {
		have = append(have, n.Text)
	}
	if want := []string{"#none"}; !slices.Equal(have, want) {
		t.Errorf("have no position for %q, want %q", have, want)
	}
}

// TestWideTables checks that words of a table with many columns stay whole, that
// its type has a least size, and that others are as they were.
func TestWideTables(t *testing.T) {
	t.Parallel()
	table := func(words ...string) string {
		row := "| " + strings.Join(words, " | ") + " |\n"
		return row + strings.Repeat("|---", len(words)) + "|\n" + row
	}
	wide := strings.Fields("alpha identifier connections timeout eu-central-1 zone running 2026-01-04 2026-10-01 platform replicas memory storage bandwidth throughput notes")
	have := boxes(t, one("above\n\n"+table(wide...)), "en", wide...)
	for i, word := range wide {
		if i > 0 && have[word][0] < have[wide[i-1]][2] {
			t.Errorf("%s begins at %v, where %s ends at %v", word, have[word][0], wide[i-1], have[wide[i-1]][2])
		}
	}
	if left, right := have["alpha"][0], have["notes"][2]; left < marginLeft-beyond || right > sheetWidth-marginRight+beyond {
		t.Errorf("the table reaches from %v to %v", left, right)
	}
	height := func(boxes map[string][4]float64, word string) float64 { return boxes[word][3] - boxes[word][1] }
	narrow := boxes(t, one(table("alpha", "beta")), "en", "alpha")
	if part := height(have, "alpha") / height(narrow, "alpha"); part < smallWide-0.05 || part > smallTable {
		t.Errorf("the type of a wide table is %v of that of others", part)
	}
	for _, c := range []struct {
		words []float64
		want  float64
	}{
		{[]float64{50, 50}, 1},
		{slices.Repeat([]float64{90}, 5), 0.88},
		{slices.Repeat([]float64{200}, 5), 1}, // too wide in any case
		{slices.Repeat([]float64{40}, 10), 0.88},
		{slices.Repeat([]float64{200}, 10), smallWide},
	} {
		if have := scaleFor(c.words, 450); math.Abs(have-c.want) > 1e-9 {
			t.Errorf("%v: have %v, want %v", c.words, have, c.want)
		}
	}
}
