package query

import "github.com/octavo-docs/octavo/internal/search/segment"

// A reader who is restricted to some tags must learn nothing of pages without them: not
// by a hit, and not by the frequency of a word, a correction or a completion. For such
// a query those pages count as dead, and their texts do not count for other pages.

// borrowed are the fields with texts of other pages.
const borrowed = 1<<segment.Ancestor | 1<<segment.Link

// narrow appends the sources, reduced to documents with all of some tags.
// Sources without any are left out.
func narrow(dst, sources []Source, tags []string) []Source {
	for _, source := range sources {
		there := tagged(&source, tags)
		there.AndNot(source.Dead)
		live := there.Count()
		if live == 0 {
			continue
		}
		source.Live, source.Lengths = live, [segment.Fields]uint64{}
		there.Each(func(doc uint32) {
			for f, n := range source.FieldLength(doc) {
				source.Lengths[f] += uint64(n)
			}
		})
		source.Dead = segment.Full(source.Docs())
		source.Dead.AndNot(there)
		dst = append(dst, source)
	}
	return dst
}

// tagged returns the documents of a source that have all of some tags.
func tagged(source *Source, tags []string) segment.Bitmap {
	all := segment.Full(source.Docs())
	for _, tag := range tags {
		one := segment.NewBitmap(source.Docs())
		for _, doc := range source.Tagged(tag) {
			one.Set(doc)
		}
		all.And(one)
	}
	return all
}

// stands reports whether the query sees the posting at a cursor: the document is not
// dead, and if only its own text counts, the term is in that.
func (s *search) stands(src *Source, c *segment.Cursor) bool {
	if src.Dead.Has(c.Doc) {
		return false
	}
	return !s.own || c.Fields()&^borrowed != 0
}

// frequency returns the number of documents of a source with a term, as the
// query sees them.
func (s *search) frequency(source, id int) int {
	if src := &s.sources[source]; len(src.Dead) == 0 {
		return src.Frequency(id)
	}
	return s.standing(source, id)
}

// standing counts the documents of a source with a term. It does so once for
// each term, since it reads all its postings.
func (s *search) standing(source, id int) int {
	term := sourceTerm{source, id}
	if n, counted := s.counts[term]; counted {
		return n
	}
	src := &s.sources[source]
	if s.tick(src.Frequency(id)) != nil {
		return 0
	}
	n := 0
	if s.own {
		for c := src.Cursor(id); c.Next(); {
			if s.stands(src, &c) {
				n++
			}
		}
	} else {
		n = src.Living(id, src.Dead)
	}
	s.counts[term] = n
	return n
}

// sourceTerm is a term of a source.
type sourceTerm struct{ source, id int }
