package query

import "github.com/octavo-docs/octavo/internal/search/segment"

// Who may see only pages with some tags must learn nothing of the others: not
// by a hit, and not by what a word, a correction or a completion counts. To such
// a query the others are as dead as documents that were taken out, and what
// they say of a page that is there is no part of it.

// borrowed are the fields that hold what other pages say.
const borrowed = 1<<segment.Ancestor | 1<<segment.Link

// narrow appends the sources as they are where only documents with all of some
// tags exist. Those without any are left out.
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

// stands reports whether the posting at a cursor is there for the query: in a
// document that is not dead, and in what the document says itself where only
// that counts.
func (s *search) stands(src *Source, c *segment.Cursor) bool {
	if src.Dead.Has(c.Doc) {
		return false
	}
	return !s.own || c.Fields()&^borrowed != 0
}

// frequency returns in how many documents of a source a term stands that are there
// for the query.
func (s *search) frequency(source, id int) int {
	if src := &s.sources[source]; len(src.Dead) == 0 {
		return src.Frequency(id)
	}
	return s.standing(source, id)
}

// standing counts the documents of a source in which a term stands, once for
// each term, for that means to read all its postings.
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
