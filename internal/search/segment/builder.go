package segment

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/klauspost/compress/s2"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

// Builder makes a segment from documents. Its zero value is ready to use. It
// is for one goroutine and may build several segments in turn.
type Builder struct {
	scanner analysis.Scanner
	ids     map[string]uint32
	terms   []string
	spoken  []stemmerSet // by term
	locals  []uint32     // by term: one more than its index in counts, within a document
	seg     *Segment
	layout  layoutWriter
	packed  []byte

	// State of the current document.
	occurrences []occurrence
	counts      []termCount
	field       Field
	stops       int
	places      []uint32

	log     []byte // the postings of all documents without their numbers
	entries []entry
}

// occurrence is a term at a place.
type occurrence struct {
	local uint32
	place uint32
}

// termCount counts the occurrences of a term in a document.
type termCount struct {
	term   uint32
	fields uint16
	count  Lengths
	places uint32 // their number, and then where they start in Builder.places
}

// entry is a posting in the log.
type entry struct {
	term, doc, from, to uint32
	plain               bool
}

// Build returns the segment of some documents with different ids.
func (b *Builder) Build(documents []Document) *Segment {
	if b.ids == nil {
		b.ids = make(map[string]uint32)
	}
	b.seg = &Segment{tags: make(map[string][]uint32), blocks: make([]textBlock, 1)}
	b.layout = layoutWriter{out: b.layout.out[:0], text: b.layout.text[:0], body: b.layout.body, seal: b.seal}
	for i := range documents {
		b.add(uint32(i), &documents[i])
	}
	s := b.seg
	s.layouts = slices.Clone(b.layout.out)
	b.write()
	s.finish()
	clear(b.ids)
	b.terms, b.spoken, b.locals, b.log, b.entries, b.seg = b.terms[:0], b.spoken[:0], b.locals[:0], b.log[:0], b.entries[:0], nil
	return s
}

// seal compresses a chunk of text.
func (b *Builder) seal(text []byte) {
	b.packed = s2.EncodeBetter(b.packed[:cap(b.packed)], text)
	b.seg.blocks[0].add(b.packed)
}

// add adds a document.
func (b *Builder) add(doc uint32, d *Document) {
	info := Info{
		ID: d.ID, Title: analysis.Clean(d.Title), Slug: d.Slug, Updated: d.UpdatedAt.UnixMilli(),
		layout: uint32(len(b.layout.out)), chunk: uint32(b.seg.chunks()),
		News: news(d.Title, d.Slug, d.Tags), stemmer: analysis.StemmerOf(d.Language),
	}
	b.occurrences, b.counts = b.occurrences[:0], b.counts[:0]
	sections := mergeSections(d.Sections)
	if d.Description != "" {
		sections = slices.Insert(slices.Clone(sections), 0, Section{})
	}
	place := b.scan(Title, info.Title, 0)
	lengths := &Lengths{Title: uint32(place)}
	b.layout.run(place, b.stops)
	place = b.links(lengths, d.LinkTexts, place+gapTitle)
	b.layout.labels(b.labels(d.Labels))
	b.layout.length(len(sections))
	for i, s := range sections {
		description := ""
		if i == 0 {
			description = d.Description
		}
		place = b.section(lengths, &s, description, place)
	}
	b.layout.end()
	for _, name := range []struct {
		field Field
		texts []string
	}{
		{Slug, []string{d.Slug}},
		{Tag, d.Tags},
		{Ancestor, d.Ancestors},
		{Former, d.FormerSlugs},
	} {
		for _, text := range name.texts {
			lengths[name.field] += uint32(b.scan(name.field, analysis.Clean(text), 0))
		}
	}
	for _, tag := range append(d.Tags[:len(d.Tags):len(d.Tags)], languages(d.Language)...) {
		if docs := b.seg.tags[tag]; len(docs) == 0 || docs[len(docs)-1] != doc {
			b.seg.tags[tag] = append(docs, doc)
		}
	}
	b.seg.addOrigins(doc, d.Origins)
	b.seg.docs = append(b.seg.docs, info)
	b.seg.long, b.seg.body = append(b.seg.long, shorten(lengths)), append(b.seg.body, lengths[Body])
	b.logDocument(doc)
}

// links adds link texts, each once, and returns the next free position.
func (b *Builder) links(lengths *Lengths, texts []string, place int) int {
	texts = linkTexts(texts)
	b.layout.length(len(texts))
	for _, text := range texts {
		end := b.scan(Link, text, place)
		lengths[Link] += uint32(end - place)
		b.layout.run(end-place, b.stops)
		place = end + gapHeading
	}
	if len(texts) > 0 {
		place += gapTitle
	}
	return place
}

// section adds a section and returns the next free position.
func (b *Builder) section(lengths *Lengths, s *Section, description string, place int) int {
	heading, anchor := cut(analysis.Clean(s.Heading)), s.Anchor
	if len(anchor) > maxName {
		anchor = "" // no link would lead there
	}
	end := b.scan(Heading, heading, place)
	lengths[Heading] += uint32(end - place)
	b.layout.heading(anchor, heading, end-place, b.stops)
	if end > place {
		place = end + gapHeading
	}
	for _, part := range []struct {
		field Field
		kind  PassageKind
		text  string
	}{{Description, DescriptionPassage, description}, {Body, TextPassage, s.Text}, {Code, CodePassage, s.Code}} {
		for text := range passages(analysis.Clean(part.text)) {
			end := b.scan(part.field, text, place)
			lengths[part.field] += uint32(end - place)
			b.layout.passage(part.kind, end-place, text)
			place = end
			if part.kind == CodePassage {
				place += gapCode
			}
		}
	}
	b.layout.endSection()
	return place + gapSection
}

// scan adds the terms of a text and returns the next free position.
func (b *Builder) scan(field Field, text string, place int) int {
	b.field, b.stops = field, 0
	return b.scanner.Scan(text, place, b.note)
}

func (b *Builder) note(t analysis.Token) {
	term, known := b.ids[string(t.Text)]
	if !known {
		text := string(t.Text)
		term = uint32(len(b.terms))
		b.ids[text] = term
		b.terms = append(b.terms, text)
		b.locals = append(b.locals, 0)
		b.spoken = append(b.spoken, 0)
	}
	if b.locals[term] == 0 {
		b.counts = append(b.counts, termCount{term: term})
		b.locals[term] = uint32(len(b.counts))
	}
	local := b.locals[term] - 1
	c, field := &b.counts[local], b.field
	if field == Heading && t.Name {
		field = Name
	}
	c.fields |= 1 << field
	c.count[field]++
	if b.field.Positional() {
		c.places++
		b.occurrences = append(b.occurrences, occurrence{local, uint32(t.Pos)})
		if (b.field == Title || b.field == Heading || b.field == Link) && t.Kind == analysis.Word && analysis.StopWord(b.terms[term]) {
			b.stops++
		}
	}
}

// logDocument writes the postings of the current document to the log.
func (b *Builder) logDocument(doc uint32) {
	b.places = slices.Grow(b.places[:0], len(b.occurrences))[:len(b.occurrences)]
	next := uint32(0)
	for i := range b.counts {
		b.counts[i].places, next = next, next+b.counts[i].places
	}
	for _, o := range b.occurrences {
		c := &b.counts[o.local]
		b.places[c.places] = o.place
		c.places++ // ends at the start of the next term's positions
	}
	from := uint32(0)
	for i := range b.counts {
		c := &b.counts[i]
		b.locals[c.term] = 0
		b.spoken[c.term].add(b.seg.docs[doc].stemmer)
		b.logPosting(doc, c, b.places[from:c.places])
		from = c.places
	}
}

func (b *Builder) logPosting(doc uint32, c *termCount, places []uint32) {
	e := entry{term: c.term, doc: doc, from: uint32(len(b.log))}
	slices.Sort(places) // joined forms come after their parts
	if e.plain = c.fields == 1<<Body && c.count[Body] == 1; e.plain {
		b.log = binary.AppendUvarint(b.log, uint64(places[0]))
	} else {
		b.log = binary.AppendUvarint(b.log, uint64(c.fields))
		for f := range Fields {
			if c.fields&(1<<f) != 0 {
				b.log = binary.AppendUvarint(b.log, uint64(c.count[f]))
			}
		}
		last := uint32(0)
		for _, p := range places {
			b.log, last = binary.AppendUvarint(b.log, uint64(p-last)), p
		}
	}
	e.to = uint32(len(b.log))
	b.entries = append(b.entries, e)
}

// write sorts the postings of the log by term and writes them.
func (b *Builder) write() {
	order := make([]uint32, len(b.terms)) // term ids in order of their text
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int { return cmp.Compare(b.terms[x], b.terms[y]) })
	start := make([]uint32, len(b.terms)+1)
	for _, e := range b.entries {
		start[e.term+1]++
	}
	for i := range b.terms {
		start[i+1] += start[i]
	}
	sorted := make([]uint32, len(b.entries))
	fill := slices.Clone(start)
	for i, e := range b.entries {
		sorted[fill[e.term]] = uint32(i)
		fill[e.term]++
	}
	w := listWriter{}
	for _, term := range order {
		for _, i := range sorted[start[term]:start[term+1]] {
			e := &b.entries[i]
			w.add(e.doc, e.plain, b.log[e.from:e.to])
		}
		df := w.finish()
		b.seg.addTerm(b.terms[term], b.spoken[term], df, len(w.out))
	}
	b.seg.postings = w.out
}
