package pdf

import (
	"bytes"
	"iter"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/pdf/font"
)

// boxes returns where a reader finds words: the left, lower, right and upper
// edges of each, from the upper left corner of the sheet.
func boxes(t *testing.T, pages iter.Seq2[Page, error], language string, words ...string) map[string][4]float64 {
	t.Helper()
	var out bytes.Buffer
	if _, err := Write(t.Context(), &out, Book{Title: "A book", Language: language, Pages: pages}, Options{Fonts: font.Builtin(), Image: picturesOf(t)}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "book.pdf")
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	text := read(t, "pdftotext", "-bbox", file, "-")
	found := map[string][4]float64{}
	for _, m := range regexp.MustCompile(`xMin="([\d.]+)" yMin="([\d.]+)" xMax="([\d.]+)" yMax="([\d.]+)">(.*)</word>`).FindAllStringSubmatch(text, -1) {
		word := strings.Trim(m[5], "\u200f\u202a\u202b\u202c")
		if _, twice := found[word]; twice {
			continue
		}
		var box [4]float64
		for i := range box {
			box[i], _ = strconv.ParseFloat(m[i+1], 64) // it is a number
		}
		found[word] = box
	}
	for _, word := range words {
		if _, ok := found[word]; !ok {
			t.Fatalf("have no %q in\n%s", word, text)
		}
	}
	return found
}

// TestContentsOfBothDirections checks that the titles of a table of contents
// begin at one edge, that of the book, whatever their script.
func TestContentsOfBothDirections(t *testing.T) {
	t.Parallel()
	pages := func(yield func(Page, error) bool) {
		for _, title := range []string{"Latin", "ששש"} {
			if !yield(Page{Key: title, Title: title, Document: document.Parse("x", document.Options{})}, nil) {
				return
			}
		}
	}
	have := boxes(t, pages, "en", "Latin", "ששש")
	if left, other := have["Latin"][0], have["ששש"][0]; other-left > 2 || left-other > 2 {
		t.Errorf("in a book from left to right, titles begin at %v and %v", left, other)
	}
	have = boxes(t, pages, "he", "Latin", "ששש")
	if right, other := have["Latin"][2], have["ששש"][2]; other-right > 2 || right-other > 2 {
		t.Errorf("in a book from right to left, titles end at %v and %v", right, other)
	}
}

// TestLabelsStandOnTheBaseLine checks that the number of a list item stands on the
// base line of its text, also where the script of the text makes higher lines.
func TestLabelsStandOnTheBaseLine(t *testing.T) {
	t.Parallel()
	for language, text := range map[string]string{"ar": "هذا الخادم يدير 77 صفحات", "zh": "文档服务器 77 允许", "en": "a word 77 more"} {
		pages := func(yield func(Page, error) bool) {
			yield(Page{Key: "p", Title: "P", Language: language, Document: document.Parse("8. "+text+"\n", document.Options{})}, nil)
		}
		have := boxes(t, pages, language, "77")
		label, ok := have["8."]
		if !ok {
			label, ok = have[".8"]
		}
		if !ok {
			t.Fatalf("%s: have no label in %v", language, have)
		}
		if base, other := have["77"][3], label[3]; base-other > 0.1 || other-base > 0.1 {
			t.Errorf("%s: the label ends at %v, the text at %v", language, other, base)
		}
	}
}

// TestListDirection checks that the number of a list item stands where its text
// begins, whatever the language of the page.
func TestListDirection(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language, text, word string
		right                bool
	}{{"", "ששש שלום", "ששש", true}, {"he", "first word", "first", false}, {"he", "ששש", "ששש", true}, {"", "Latin ששש שלום שלום", "Latin", true}, {"", "`code` ששש שלום", "ששש", true}} {
		pages := func(yield func(Page, error) bool) {
			yield(Page{Key: "p", Title: "P", Language: c.language, Document: document.Parse("> 8. "+c.text+"\n", document.Options{})}, nil)
		}
		have := boxes(t, pages, "en", c.word)
		label, ok := have["8."]
		if !ok {
			label = have[".8"]
		}
		if (label[0] > have[c.word][0]) != c.right {
			t.Errorf("%q in %q: the number stands at %v, the word at %v", c.text, c.language, label, have[c.word])
		}
	}
	have := boxes(t, one("text[^1]\n\n[^1]: ששש שלום\n"), "en", "ששש")
	label, ok := have["1."]
	if !ok {
		label = have[".1"]
	}
	if label[0] < have["ששש"][0] {
		t.Errorf("a note: the number stands at %v, the word at %v", label, have["ששש"])
	}
}

// TestCountsOfBothDirections checks that the number of all sheets is behind that of the
// sheet as the book runs, and before it only where it is said in English.
func TestCountsOfBothDirections(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		language, word string
		toLeft         bool
	}{{"en", "of", false}, {"fa", "زا", true} /* as pdftotext gives it */, {"ar", "/", true}, {"ja", "/", false}, {"ckb", "of", false}} {
		have := boxes(t, one("x"), c.language, c.word)[c.word]
		const off = sheetWidth/2 - middle - 2.2 // from the middle of the sheet
		at := have[0] - sheetWidth/2 + off
		if c.toLeft {
			at = sheetWidth/2 + off - have[2]
		}
		if math.Abs(at) > 0.1 {
			t.Errorf("%s: have %q from %v to %v, which is %v off", c.language, c.word, have[0], have[2], at)
		}
	}
}

// TestCellsRunAsTheirText holds that a cell without letters from right to left runs the other
// way than its table, at the edge of its column.
func TestCellsRunAsTheirText(t *testing.T) {
	t.Parallel()
	have := boxes(t, one("| ששש | שלום |\n|--|--|\n| aaa bbb. | שלום |\n"), "he", "aaa", "bbb.", "ששש")
	if last, head := have["bbb."], have["ששש"]; last[0] < have["aaa"][2] || math.Abs(last[2]-head[2]) > 1 {
		t.Errorf("have aaa at %v and bbb. at %v in the column of %v", have["aaa"], last, head)
	}
}

// TestCodeHasEvenLines holds that a script that is higher than others does not tear code apart.
func TestCodeHasEvenLines(t *testing.T) {
	t.Parallel()
	have := boxes(t, one("```\naaa\nbbb مرحبا\nccc\nddd\n```\n"), "en", "aaa", "bbb", "ccc", "ddd")
	first, second, third := have["bbb"][1]-have["aaa"][1], have["ccc"][1]-have["bbb"][1], have["ddd"][1]-have["ccc"][1]
	if math.Abs(first-second) > 0.1 || math.Abs(second-third) > 0.1 {
		t.Errorf("have lines %v, %v and %v apart", first, second, third)
	}
}

// TestLinesOfTwoScripts holds that lines of a paragraph and of cells in a row stand on base lines
// with one distance, whatever their scripts.
func TestLinesOfTwoScripts(t *testing.T) {
	t.Parallel()
	have := boxes(t, one("aaa\\\nbbb مرحبا\\\nccc\\\nddd\n\n| h | g |\n|--|--|\n| eee | fff مرحبا |\n"), "en", "aaa", "bbb", "ccc", "ddd", "eee", "fff")
	first, second, third := have["bbb"][1]-have["aaa"][1], have["ccc"][1]-have["bbb"][1], have["ddd"][1]-have["ccc"][1]
	if math.Abs(first-second) > 0.1 || math.Abs(second-third) > 0.1 || math.Abs(have["eee"][1]-have["fff"][1]) > 0.1 {
		t.Errorf("have lines %v, %v and %v apart, cells at %v and %v", first, second, third, have["eee"], have["fff"])
	}
}
