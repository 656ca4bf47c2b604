package segment

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// randomDocuments returns documents over few words, so that much coincides.
func randomDocuments(r *rand.Rand, first, n int) []Document {
	documents := make([]Document, n)
	for i := range documents {
		d := Document{
			ID: fmt.Sprintf("page_%06d", first+i), Title: randomText(r, 3), Slug: randomWord(r) + "-" + randomWord(r),
			UpdatedAt: time.UnixMilli(r.Int64N(1 << 40)), Published: true,
			Tags: []string{randomWord(r), randomWord(r)}, Language: []string{"", "en", "de", "fr"}[r.IntN(4)], Ancestors: []string{randomText(r, 2)},
		}
		if r.IntN(2) == 0 {
			d.Description = randomText(r, 8)
			d.FormerSlugs = []string{randomWord(r)}
		}
		for s := range r.IntN(5) {
			d.Sections = append(d.Sections, Section{
				Anchor: fmt.Sprintf("s%d", s), Heading: randomText(r, 3), Level: 2,
				Text: randomText(r, 1+r.IntN(400)), Code: randomText(r, r.IntN(20)),
			})
		}
		documents[i] = d
	}
	return documents
}

func randomText(r *rand.Rand, words int) string {
	text := make([]string, words)
	for i := range text {
		text[i] = randomWord(r)
	}
	return strings.Join(text, " ")
}

func randomWord(r *rand.Rand) string {
	words := []string{
		"agent", "agents", "build", "building", "cache", "noCache", "no-cache", "--no-cache", "the", "of", "config",
		"configuration", "计算属性", "缓存", "v1.2.3", "Élan", "naïve", "x", "HTTPServer", "service.name",
	}
	if r.IntN(3) == 0 {
		return fmt.Sprintf("w%d", r.IntN(300))
	}
	return words[r.IntN(len(words))]
}
