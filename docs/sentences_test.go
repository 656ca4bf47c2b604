package docs_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// maxWords is the length past which a sentence has to be read twice.
const maxWords = 35

func TestSentenceLengths(t *testing.T) {
	t.Parallel()
	all := pages(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		long := slices.DeleteFunc(sentences(all[name]), func(s string) bool { return words(s) <= maxWords })
		if len(long) > 0 {
			t.Errorf("%s has %d sentences of more than %d words; divide them:\n%s", name, len(long), maxWords, strings.Join(long, "\n"))
		}
	}
}

var (
	notText = regexp.MustCompile("(?ms)\\A---\n.*?^---\n|^ *```.*?^ *```$|^ *~~~.*?^ *~~~$|<!--.*?-->")
	code    = regexp.MustCompile("``.+?``|`[^`]+`")
	target  = regexp.MustCompile(`\]\([^)]*\)|\]\[[^\]]*\]`)
	block   = regexp.MustCompile(`^\s*(>\s?)*\s*([-*+]|\d+[.)]|#{1,6})\s+`)
	between = regexp.MustCompile(`([.!?][)"'*_”’\]]*)\s+`)
	short   = regexp.MustCompile(`\b(e\.g|i\.e|etc|cf|vs)\.`)
)

// sentences returns the sentences of a page: of paragraphs, items of lists,
// headings and cells of tables. A code span is one word, a link is its text.
func sentences(page string) []string {
	var blocks []string
	open := false // the last block goes on in the next line
	for line := range strings.SplitSeq(code.ReplaceAllString(notText.ReplaceAllString(page, "\n"), "`code`"), "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case trimmed == "":
			open = false
		case strings.HasPrefix(trimmed, "|"):
			blocks = append(blocks, strings.Split(strings.ReplaceAll(trimmed, `\|`, " "), "|")...)
			open = false
		case block.MatchString(line):
			blocks = append(blocks, block.ReplaceAllString(line, ""))
			open = !strings.HasPrefix(trimmed, "#")
		case open:
			blocks[len(blocks)-1] += " " + trimmed
		default:
			blocks = append(blocks, trimmed)
			open = true
		}
	}
	var list []string
	for _, b := range blocks {
		b = short.ReplaceAllString(target.ReplaceAllString(b, "]"), "$1")
		for s := range strings.SplitSeq(between.ReplaceAllString(b, "$1\n"), "\n") {
			if words(s) > 0 {
				list = append(list, strings.TrimSpace(s))
			}
		}
	}
	return list
}

// words counts what has a letter or a digit between blanks.
func words(sentence string) int {
	count := 0
	for field := range strings.FieldsSeq(sentence) {
		if strings.ContainsFunc(field, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			count++
		}
	}
	return count
}

func TestSentences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][]int{
		"---\ntitle: A page. Of two.\n---\n\n# Two words\n\nThree words here.\n": {2, 3},
		"One two\nthree, e.g. five. Six!\n":                                      {5, 1},
		"- one two\n  three\n- four\n\n1. five":                                  {3, 1, 1},
		"Before:\n\n```sh\na b c. d\n```\n\nAfter – it.":                         {1, 2},
		"| a b | c |\n|---|--:|\n| One. Two three | `a|b` |":                     {2, 1, 1, 2, 1},
		"See [the page of it](a/b.md#c), `octavo serve --data x`, v1.26.0.":      {7},
		"(**Bold.** Then.) \"Last.\" End":                                        {1, 1, 1, 1},
	} {
		var have []int
		for _, s := range sentences(text) {
			have = append(have, words(s))
		}
		if !slices.Equal(have, want) {
			t.Errorf("%q: have %v words in %q, want %v", text, have, sentences(text), want)
		}
	}
}
