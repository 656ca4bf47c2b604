package query

import "github.com/octavo-docs/octavo/internal/search/segment"

// filter prepares the set of documents of a source that the query allows:
// those with all tags, changed after a time, that contain the quoted phrases.
func (s *search) filter(source int) {
	src, x := &s.sources[source], &s.scratch[source]
	phrases := s.parsed.phrases
	if len(s.query.Tags) == 0 && s.query.UpdatedAfter.IsZero() && len(phrases) == 0 {
		return
	}
	x.filter = true
	x.allowed = segment.Full(src.Docs())
	x.allowed.AndNot(src.Dead)
	for _, tag := range s.query.Tags {
		tagged := segment.NewBitmap(src.Docs())
		for _, doc := range src.Tagged(tag) {
			tagged.Set(doc)
		}
		x.allowed.And(tagged)
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
		x.allowed.And(s.containing(source, &phrases[i], x.allowed))
	}
}

// containing returns which of some documents contain a phrase: all its words,
// each as far from the first as in the query.
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
	places := make([][]uint32, len(p.terms))
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
		for i := range cursors {
			places[i] = cursors[i].Places(places[i][:0], 1<<31)
		}
		if adjacent(places, p.offsets) {
			found.Set(lead.Doc)
		}
	}
	return found
}

// adjacent reports whether there is a place from which each list holds the
// place at its offset.
func adjacent(places [][]uint32, offsets []int) bool {
	at := make([]int, len(places))
	for _, first := range places[0] {
		matched := true
		for i := 1; i < len(places) && matched; i++ {
			want := first + uint32(offsets[i]-offsets[0])
			list := places[i]
			for at[i] < len(list) && list[at[i]] < want {
				at[i]++
			}
			matched = at[i] < len(list) && list[at[i]] == want
		}
		if matched {
			return true
		}
	}
	return false
}
