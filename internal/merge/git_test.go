package merge_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/merge"
)

// random makes texts of few different lines, so that what was changed is not always
// plain.
type random struct{ *rand.Rand }

func (r random) line(words int) string {
	if r.IntN(4) == 0 {
		return ""
	}
	return fmt.Sprint("line ", r.IntN(words))
}

func (r random) lines(words int) []string {
	lines := make([]string, r.IntN(50))
	for i := range lines {
		lines[i] = r.line(words)
	}
	return lines
}

func (r random) edited(lines []string, words int) []string {
	lines = append([]string{}, lines...)
	for range 1 + r.IntN(4) {
		at := r.IntN(len(lines) + 1)
		var with []string
		for range r.IntN(4) {
			with = append(with, r.line(words))
		}
		rest := lines[at+min(r.IntN(4), len(lines)-at):]
		lines = append(append(lines[:at:at], with...), rest...)
	}
	return lines
}

// text ends its lines with one end, and most often the last one too.
func (r random) text(lines []string, end string) string {
	text := strings.Join(lines, end)
	if r.IntN(8) > 0 && text != "" {
		text += end
	}
	return text
}

// three returns a text and two that were made of it.
func (r random) three() (base, ours, theirs string) {
	words := []int{4, 20, 1000}[r.IntN(3)]
	end := "\n"
	if r.IntN(8) == 0 {
		end = "\r\n"
	}
	lines := r.lines(words)
	return r.text(lines, end), r.text(r.edited(lines, words), end), r.text(r.edited(lines, words), end)
}

// TestBesideGit merges random texts as git merge-file does: clean where that is, with
// the same text. Git leaves lines that are very common out of its first comparison, so
// that it takes other ones for the same now and then: that is the class "alignment",
// and must stay below 1 %. OCTAVO_TEST_MERGES says how many; 500 are tried otherwise.
func TestBesideGit(t *testing.T) {
	t.Parallel()
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	cases, err := strconv.Atoi(os.Getenv("OCTAVO_TEST_MERGES"))
	if err != nil {
		cases = 500
	}
	folder := t.TempDir()
	r := random{rand.New(rand.NewPCG(1, 2))}
	classes := map[string]int{}
	for i := range cases {
		base, ours, theirs := r.three()
		for name, text := range map[string]string{"base": base, "ours": ours, "theirs": theirs} {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		cmd := exec.CommandContext(t.Context(), git, "merge-file", "-p", "ours", "base", "theirs")
		cmd.Dir = folder
		want, err := cmd.Output()
		have := merge.Texts(base, ours, theirs)
		clean := len(have.Conflicts) == 0
		class := ""
		switch {
		case err == nil && clean && have.Text != string(want):
			class = "alignment: another text"
		case err == nil && !clean:
			class = "alignment: clean in git alone"
		case err != nil && clean:
			class = "alignment: a conflict in git alone"
		}
		if class != "" {
			classes[class]++
			t.Logf("%s: case %d: base %q, ours %q, theirs %q: git has %q, we have %+v", class, i, base, ours, theirs, want, have)
		}
	}
	total := 0
	for class, n := range classes {
		t.Logf("%s: %d of %d", class, n, cases)
		total += n
	}
	if total*100 > cases {
		t.Errorf("%d of %d differ", total, cases)
	}
}
