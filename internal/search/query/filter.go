package query

import (
	"slices"

	"github.com/octavo-docs/octavo/internal/search/segment"
)

// filter prepares the set of documents of a source that the query allows: with all
// tags, in one of the languages, changed after a time, and with the quoted phrases.
func (s *search) filter(source int) {
	src, x := &s.sources[source], &s.scratch[source]
	phrases := s.parsed.phrases
	if len(s.query.Tags) == 0 && len(s.query.Languages) == 0 && s.query.UpdatedAfter.IsZero() && len(phrases) == 0 {
		return
	}
	x.filter = true
	x.allowed = segment.Full(src.Docs())
	x.allowed.AndNot(src.Dead)
	x.allowed.And(tagged(src, s.query.Tags))
	if len(s.query.Languages) > 0 {
		x.allowed.And(spoken(src, s.query.Languages))
	}
	if !s.query.UpdatedAfter.IsZero() {
		after := s.query.UpdatedAfter
		for doc := range uint32(src.Docs()) {
			if !updatedAt(src.Doc(doc)).After(after) {
				x.allowed.Clear(doc)
			}
		}
	}
	for i := range phrases {
		if s.err != nil {
			return
		}
		x.allowed.And(s.containing(source, &phrases[i], x.allowed))
	}
}

// spoken returns the documents of a source that are in one of some languages.
func spoken(src *Source, languages []string) segment.Bitmap {
	found := segment.NewBitmap(src.Docs())
	if slices.Contains(languages, "") {
		found = segment.Full(src.Docs())
		for _, doc := range src.In("") {
			found.Clear(doc)
		}
	}
	for _, language := range languages {
		if language != "" {
			for _, doc := range src.In(language) {
				found.Set(doc)
			}
		}
	}
	return found
}

// containing returns which of some documents contain a phrase: all its
// words, at the same distances as in the query.
func (s *search) containing(source int, p *phrase, among segment.Bitmap) segment.Bitmap {
	src := &s.sources[source]
	found := segment.NewBitmap(src.Docs())
	cursors := make([]segment.Cursor, len(p.terms))
	rarest := 0
	least := 0
	for i, text := range p.terms {
		id, known := src.Find(text)
		if !known {
			return found
		}
		cursors[i] = src.Cursor(id)
		if n := src.Frequency(id); i == 0 || n < least {
			rarest, least = i, n
		}
	}
	lead := cursors[rarest]
	var here, next []uint32
	for lead.Next() && s.tick(len(p.terms)) == nil {
		if !among.Has(lead.Doc) {
			continue
		}
		together := true
		for i := range cursors {
			if together = cursors[i].Seek(lead.Doc); !together {
				break
			}
		}
		if !together {
			continue
		}
		here = cursors[0].Places(here[:0], 1<<31)
		for i := 1; i < len(cursors) && len(here) > 0 && s.tick(len(here)+len(next)) == nil; i++ {
			apart := p.offsets[i] - p.offsets[i-1]
			next = follow(here, cursors[i].Places(next[:0], 1<<31), uint32(apart), apart == 1 && p.terms[i] != p.terms[i-1])
			here, next = next, here
		}
		if s.err == nil && len(here) > 0 && s.onPage(source, lead.Doc, here) {
			found.Set(lead.Doc)
		}
	}
	return found
}

// onPage reports whether any of some positions is in the document itself,
// and not in link texts of other pages.
func (s *search) onPage(source int, doc uint32, places []uint32) bool {
	s.sources[source].Names(doc, &s.layout)
	return places[0] < s.layout.Title.To || places[len(places)-1] >= s.layout.Start
}

// follow keeps those positions that are apart positions after one in before. The parts
// of a word, such as GitHub, share a position and may be written separately.
func follow(before, places []uint32, apart uint32, sameWord bool) []uint32 {
	kept := places[:0]
	i, j := 0, 0
	for _, place := range places {
		for i < len(before) && before[i]+apart < place {
			i++
		}
		for j < len(before) && before[j] < place {
			j++
		}
		if i < len(before) && before[i]+apart == place || sameWord && j < len(before) && before[j] == place {
			kept = append(kept, place)
		}
	}
	return kept
}
