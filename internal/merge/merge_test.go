package merge_test

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/merge"
)

func TestTexts(t *testing.T) {
	t.Parallel()
	const base = "a\nb\nc\nd\ne\n"
	for _, c := range []struct {
		name, base, ours, theirs, want string
		conflicts                      []merge.Conflict
	}{
		{"apart", base, "A\nb\nc\nd\ne\n", "a\nb\nc\nd\nE\n", "A\nb\nc\nd\nE\n", nil},
		{"the same", base, "a\nx\nc\nd\ne\n", "a\nx\nc\nd\ne\n", "a\nx\nc\nd\ne\n", nil},
		{"the same and more", base, "a\nx\nc\nd\ne\n", "a\nx\nc\nd\ne\nf\n", "a\nx\nc\nd\ne\nf\n", nil},
		{"one line", base, "a\nx\nc\nd\ne\n", "a\ny\nc\nd\ne\n", "", []merge.Conflict{{Base: merge.Range{From: 1, To: 2}, Ours: merge.Range{From: 1, To: 2}, Theirs: merge.Range{From: 1, To: 2}}}},
		{"lines that touch", base, "a\nx\nc\nd\ne\n", "a\nb\ny\nd\ne\n", "", []merge.Conflict{{Base: merge.Range{From: 1, To: 3}, Ours: merge.Range{From: 1, To: 3}, Theirs: merge.Range{From: 1, To: 3}}}},
		{"a line between", base, "a\nx\nc\nd\ne\n", "a\nb\nc\ny\ne\n", "a\nx\nc\ny\ne\n", nil},
		{"removed and changed", base, "a\nd\ne\n", "a\nb\nx\nd\ne\n", "", []merge.Conflict{{Base: merge.Range{From: 1, To: 3}, Ours: merge.Range{From: 1, To: 1}, Theirs: merge.Range{From: 1, To: 3}}}},
		{"both at the end", base, base + "x\n", base + "y\n", "", []merge.Conflict{{Base: merge.Range{From: 5, To: 5}, Ours: merge.Range{From: 5, To: 6}, Theirs: merge.Range{From: 5, To: 6}}}},
		{"behind an insertion", base, "0\n1\na\nb\nc\nd\ne\n", "a\nb\nx\nd\ne\n", "0\n1\na\nb\nx\nd\ne\n", nil},
		{"no end of the last line", "a\nb", "a\nb\nc", "A\nb", "A\nb\nc", []merge.Conflict{{Base: merge.Range{From: 0, To: 2}, Ours: merge.Range{From: 0, To: 3}, Theirs: merge.Range{From: 0, To: 2}}}},
		{"the end of the last line alone", "a\nb\nc", "a\nb\nc\n", "A\nb\nc", "A\nb\nc\n", nil},
		{"line ends alone", "a\nb\n", "a\r\nb\r\n", "a\nb\nc\n", "", []merge.Conflict{{Base: merge.Range{From: 0, To: 2}, Ours: merge.Range{From: 0, To: 2}, Theirs: merge.Range{From: 0, To: 3}}}},
		{"NUL and a mark of byte order", "\ufeffa\x00\nb\nc\n", "\ufeffa\x00\nb\nC\n", "\ufeffA\x00\nb\nc\n", "\ufeffA\x00\nb\nC\n", nil},
		{"all removed by one", base, "", "a\nb\nc\nd\ne\n", "", nil},
		{"all removed by one, changed by the other", base, "", "a\nx\nc\nd\ne\n", "", []merge.Conflict{{Base: merge.Range{From: 0, To: 5}, Ours: merge.Range{From: 0, To: 0}, Theirs: merge.Range{From: 0, To: 5}}}},
		{"of nothing", "", "a\n", "b\n", "", []merge.Conflict{{Ours: merge.Range{From: 0, To: 1}, Theirs: merge.Range{From: 0, To: 1}}}},
	} {
		have := merge.Texts(c.base, c.ours, c.theirs)
		if len(have.Conflicts) == 0 && len(c.conflicts) == 0 && have.Text != c.want || !reflect.DeepEqual(have.Conflicts, c.conflicts) {
			t.Errorf("%s: have %q, %+v; want %q, %+v", c.name, have.Text, have.Conflicts, c.want, c.conflicts)
		}
	}
}

// TestMergeKeepsLines holds what every merge has to keep, whatever the texts.
func TestMergeKeepsLines(t *testing.T) {
	t.Parallel()
	r := random{rand.New(rand.NewPCG(3, 4))}
	for range 5000 {
		base, ours, theirs := r.three()
		check(t, base, ours, theirs)
	}
}

func check(t *testing.T, base, ours, theirs string) {
	t.Helper()
	for _, c := range [][4]string{{base, base, ours, ours}, {base, ours, base, ours}, {base, ours, ours, ours}, {"", "", ours, ours}} {
		if have := merge.Texts(c[0], c[1], c[2]); have.Text != c[3] || have.Conflicts != nil {
			t.Fatalf("one side of %q, %q, %q: have %+v", c[0], c[1], c[2], have)
		}
	}
	one, two := merge.Texts(base, ours, theirs), merge.Texts(base, theirs, ours)
	for i := range two.Conflicts {
		two.Conflicts[i].Ours, two.Conflicts[i].Theirs = two.Conflicts[i].Theirs, two.Conflicts[i].Ours
	}
	if !reflect.DeepEqual(one.Conflicts, two.Conflicts) || one.Conflicts == nil && one.Text != two.Text {
		t.Fatalf("base %q, ours %q, theirs %q: have %+v, the other way %+v", base, ours, theirs, one, two)
	}
	from := map[string]int{}
	for _, text := range []string{base, ours, theirs} {
		for _, line := range merge.Lines(text) {
			from[line]++
		}
	}
	for _, line := range merge.Lines(one.Text) {
		if from[line] == 0 && one.Conflicts == nil {
			t.Fatalf("base %q, ours %q, theirs %q: the line %q was in none", base, ours, theirs, line)
		}
	}
	end := 0
	for _, c := range one.Conflicts {
		for text, lines := range map[string]merge.Range{base: c.Base, ours: c.Ours, theirs: c.Theirs} {
			if lines.From < 0 || lines.From > lines.To || lines.To > len(merge.Lines(text)) {
				t.Fatalf("base %q, ours %q, theirs %q: the conflict %+v is beyond a text", base, ours, theirs, c)
			}
		}
		if c.Base.From < end {
			t.Fatalf("base %q, ours %q, theirs %q: conflicts overlap: %+v", base, ours, theirs, one.Conflicts)
		}
		end = c.Base.To
	}
}

func FuzzTexts(f *testing.F) {
	f.Add("a\nb\nc\n", "a\nx\nc\n", "a\nb\nc\nd")
	f.Add("", "\n\n", "\r\n")
	f.Fuzz(check)
}

// long is a text of 100 KB whose lines repeat now and then; every nth is changed.
func long(every int) string {
	var text strings.Builder
	r := rand.New(rand.NewPCG(5, 6))
	for i := 0; text.Len() < 100_000; i++ {
		line := strings.Repeat("word ", 1+r.IntN(12)) + string(rune('a'+r.IntN(20)))
		if every > 0 && i%every == 0 {
			line += " changed"
		}
		text.WriteString(line + "\n")
	}
	return text.String()
}

// shuffled is a text of so many lines, of which there are few.
func shuffled(seed uint64, lines int) string {
	r := rand.New(rand.NewPCG(seed, seed))
	var text strings.Builder
	for range lines {
		text.WriteString(string(rune('a'+r.IntN(4))) + "\n")
	}
	return text.String()
}

// BenchmarkTexts merges texts of 100 KB and more. Those that share nothing must not take time
// that grows with the square of their length.
func BenchmarkTexts(b *testing.B) {
	base := long(0)
	for _, c := range []struct{ name, ours, theirs string }{
		{"few changes", long(100), long(170)},
		{"many changes", long(3), long(5)},
		{"nothing in common", strings.Repeat("x\ny\n", 20_000), strings.ToUpper(base)},
		{"a few lines in any order", shuffled(1, 100_000), shuffled(2, 100_000)},
		{"one line again and again", strings.Repeat("\n", 100_000), strings.Repeat("a\n\n", 30_000)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			of := base
			if strings.Contains(c.name, "any order") {
				of = shuffled(3, 100_000)
			}
			for b.Loop() {
				merge.Texts(of, c.ours, c.theirs)
			}
		})
	}
}
