package query

import (
	"strings"

	"github.com/octavo-docs/octavo/internal/search/analysis"
	"github.com/octavo-docs/octavo/internal/search/segment"
)

// News ranks below pages about the subject itself, unless the query asks for news.

// newsStems are the stems of words that ask for news.
var newsStems = stems(
	"news", "new", "changelog", "changelogs", "changes", "change", "release", "announcement", "announce", "blog", "version", "upgrade", "migrate", "migration", "breaking", "next",
)

func stems(words ...string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, word := range words {
		set[analysis.Stem(word)] = true
	}
	return set
}

// asksForNews reports whether a word of the query asks for news, or names a
// version or a year.
func (s *search) asksForNews() bool {
	for _, slot := range s.parsed.slots {
		if newsStems[analysis.Stem(slot.text)] || segment.Version(slot.text) || year(slot.text) {
			return true
		}
	}
	for _, c := range s.parsed.compounds {
		if segment.Version(c.text) {
			return true
		}
	}
	return false
}

func year(word string) bool {
	return len(word) == 4 && (word[:2] == "19" || word[:2] == "20") && strings.Trim(word, "0123456789") == ""
}

// news returns the news documents of a source that are to rank lower.
func (s *search) news(source int) segment.Bitmap {
	if s.askedNews {
		return nil
	}
	return s.sources[source].News()
}

// factor returns the factor of a document's score.
func (s *search) factor(source int, doc uint32) float64 {
	if s.news(source).Has(doc) {
		return s.params.News
	}
	return 1
}

// demote lowers the scores of news.
func (s *search) demote() {
	for source := range s.sources {
		scores := s.scratch[source].score
		s.news(source).Each(func(doc uint32) { scores[doc] *= float32(s.params.News) })
	}
}
