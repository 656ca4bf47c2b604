package segment

import (
	"cmp"
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

// Segment is an immutable index of some documents, safe for use by many
// goroutines. Documents are numbered from 0 and keep the order in which they
// were added.
type Segment struct {
	docs     []Info
	byID     []uint32       // documents in order of their ids
	long     []shortLengths // by document, apart from the rest, for they are read the most
	body     []uint32       // the lengths of the bodies
	layouts  []byte
	blocks   []textBlock
	news     Bitmap
	tags     map[string][]uint32
	origins  []origin       // in order of their keys
	lengths  [Fields]uint64 // sums over all documents
	terms    vocabulary
	df       []uint32 // by term: in how many documents it stands
	ends     []uint64 // by term: where its list ends
	postings []byte
}

// addTerm adds the next term in order, which stands in documents of some
// stemmers and whose list ends at end.
func (s *Segment) addTerm(term string, spoken stemmerSet, df uint32, end int) {
	s.terms.add(term, spoken)
	s.df = append(s.df, df)
	s.ends = append(s.ends, uint64(end))
}

// finish makes what is derived from the rest, and gives back the memory that
// growing took: a segment stays as it is, often for days.
func (s *Segment) finish() {
	s.docs, s.long, s.body, s.layouts = fit(s.docs), fit(s.long), fit(s.body), fit(s.layouts)
	for i := range s.blocks {
		p := &s.blocks[i]
		p.bytes, p.ends = fit(p.bytes), fit(p.ends)
	}
	s.df, s.ends, s.postings = fit(s.df), fit(s.ends), fit(s.postings)
	s.terms.finish()
	s.sortOrigins()
	s.derive()
}

// fit returns the items in a slice that has room for hardly more. In contrast to
// slices.Clip it frees the rest.
func fit[T any](items []T) []T {
	if cap(items)-len(items) <= len(items)/64 {
		return items
	}
	return slices.Clone(items)
}

// derive makes what is derived from the documents and the terms.
func (s *Segment) derive() {
	s.terms.derive()
	s.byID, s.news = make([]uint32, len(s.docs)), NewBitmap(len(s.docs))
	for i := range s.docs {
		if s.docs[i].News {
			s.news.Set(uint32(i))
		}
		s.byID[i] = uint32(i)
		for f, n := range s.FieldLength(uint32(i)) {
			s.lengths[f] += uint64(n)
		}
	}
	slices.SortFunc(s.byID, func(x, y uint32) int { return cmp.Compare(s.docs[x].ID, s.docs[y].ID) })
}

// Docs returns the number of documents.
func (s *Segment) Docs() int { return len(s.docs) }

// Doc returns what is known of a document. It must not be changed.
func (s *Segment) Doc(doc uint32) *Info { return &s.docs[doc] }

// Factor turns the length of a field and how often a term occurs in it into what
// that counts: Weight · n / (n + Even + Long · length).
type Factor struct {
	Weight, Even, Long float32
}

// Factors are the factors of all fields.
type Factors [Fields]Factor

// Impact returns what the occurrences of a term in the document at a cursor
// count: each field by itself, and the more of the same, the less each adds.
func (s *Segment) Impact(c *Cursor, factors *Factors) float32 {
	body := &factors[Body]
	if c.plain {
		return body.Weight / (1 + body.Even + body.Long*float32(s.body[c.Doc]))
	}
	b, i := c.list[:c.end], c.start
	if len(b)-i > 2 && b[i] == 1<<Body && b[i+1] < 0x80 { // as most are
		times := float32(b[i+1])
		return body.Weight * times / (times + body.Even + body.Long*float32(s.body[c.Doc]))
	}
	set, n := uvarint(b[i:])
	lengths := &s.long[c.Doc]
	sum := float32(0)
	for i += n; n > 0 && set != 0 && i < len(b); set &= set - 1 {
		f := bits.TrailingZeros64(set)
		if f >= int(Fields) {
			break
		}
		count := uint64(b[i])
		if i++; count >= 0x80 {
			if count, n = binary.Uvarint(b[i-1:]); n <= 0 {
				break
			}
			i += n - 1
		}
		length := float32(lengths[f])
		if f == int(Body) {
			length = float32(s.body[c.Doc])
		}
		factor, times := &factors[f], float32(count)
		sum += factor.Weight * times / (times + factor.Even + factor.Long*length)
	}
	return sum
}

// FieldLength returns the lengths of the fields of a document as they count.
func (s *Segment) FieldLength(doc uint32) (lengths Lengths) {
	for f, n := range s.long[doc] {
		lengths[f] = uint32(n)
	}
	lengths[Body] = s.body[doc]
	return lengths
}

// FieldLengths returns the sums of the lengths of the fields of all documents.
func (s *Segment) FieldLengths() [Fields]uint64 { return s.lengths }

// Lookup returns the document with an id.
func (s *Segment) Lookup(id string) (uint32, bool) {
	i, found := slices.BinarySearchFunc(s.byID, id, func(doc uint32, id string) int { return cmp.Compare(s.docs[doc].ID, id) })
	if !found {
		return 0, false
	}
	return s.byID[i], true
}

// Tagged returns the documents with a tag, in rising order. The slice must not
// be changed.
func (s *Segment) Tagged(tag string) []uint32 { return s.tags[tag] }

// News returns the documents that tell what was new at some time. The bitmap
// must not be changed.
func (s *Segment) News() Bitmap { return s.news }

// Terms returns the number of terms.
func (s *Segment) Terms() int { return len(s.df) }

// Term returns a term by its number; terms are numbered in order of their
// bytes. The slice must not be changed.
func (s *Segment) Term(term int) []byte { return s.terms.at(term) }

// Find returns the number of a term.
func (s *Segment) Find(term string) (int, bool) { return s.terms.find(term) }

// Prefixed returns the numbers of the terms that start with a prefix, from
// from up to but without to.
func (s *Segment) Prefixed(prefix string) (from, to int) { return s.terms.prefixed(prefix) }

// Forms calls add for the numbers of the terms that have the stem of a word, in
// each of the languages that are wanted.
func (s *Segment) Forms(word string, wanted func(analysis.Stemmer) bool, add func(term int)) {
	for i := range s.terms.stems {
		if l := &s.terms.stems[i]; wanted(l.stemmer) && l.stemmer.Takes(word) {
			for _, term := range s.terms.sameStem(l, l.stemmer.Stem(word)) {
				add(int(term))
			}
		}
	}
}

// Frequency returns in how many documents a term stands.
func (s *Segment) Frequency(term int) int { return int(s.df[term]) }

// Cursor returns a cursor before the first posting of a term.
func (s *Segment) Cursor(term int) Cursor {
	from := uint64(0)
	if term > 0 {
		from = s.ends[term-1]
	}
	return newCursor(s.postings[from:s.ends[term]], s.df[term])
}

// Size returns about how many bytes of memory the segment takes.
func (s *Segment) Size() int {
	size := len(s.layouts) + len(s.postings) + 12*len(s.df) + s.terms.size()
	for _, p := range s.blocks {
		size += len(p.bytes) + 8*len(p.ends)
	}
	size += 152*len(s.docs) + 16*len(s.origins)
	for i := range s.docs {
		size += len(s.docs[i].ID) + len(s.docs[i].Title) + len(s.docs[i].Slug)
	}
	for tag, docs := range s.tags {
		size += 64 + len(tag) + 4*len(docs)
	}
	return size
}
