package segment

import (
	"cmp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

// linkTexts returns the link texts of a document: each text once, in any
// spelling, most frequent first, up to a limit. Otherwise a link that many
// pages have would count more than the page's own text.
func linkTexts(texts []string) []string {
	if len(texts) == 0 {
		return nil
	}
	type called struct {
		text, folded string
		times        int
	}
	var names []called
	at := make(map[string]int, len(texts))
	for _, text := range texts {
		text = cut(strings.Join(strings.Fields(analysis.Clean(text)), " "))
		folded := strings.ToLower(text)
		if folded == "" {
			continue
		}
		n, known := at[folded]
		if !known {
			n = len(names)
			at[folded] = n
			names = append(names, called{text: text, folded: folded})
		}
		names[n].times++
		names[n].text = min(names[n].text, text)
	}
	slices.SortFunc(names, func(a, b called) int {
		return cmp.Or(cmp.Compare(b.times, a.times), cmp.Compare(a.folded, b.folded))
	})
	different := make([]string, min(len(names), maxLinks))
	for i := range different {
		different[i] = names[i].text
	}
	return different
}
