package segment

import "encoding/binary"

// PassageKind is the content of a passage.
type PassageKind uint8

// The kinds of passages.
const (
	TextPassage PassageKind = iota
	CodePassage
	DescriptionPassage
)

// Layout is how the positions of a document are divided. Position 0 is the
// first word of the title.
type Layout struct {
	Title    Run
	Links    []Run   // the link texts of the document
	Start    uint32  // of the sections
	Labels   []Label // of the links to other documents, in order
	Sections []SectionLayout
	passages []Passage
}

// Run is a range of positions: of a title, a heading or a link text.
type Run struct {
	From, To uint32
	Stops    uint32 // its number of stop words
}

// SectionLayout is the position of a section. The description, if any, is
// the first section.
type SectionLayout struct {
	Heading  Run
	To       uint32 // end of the section
	Passages []Passage
	names    stretch // the anchor and the heading
	anchor   uint32  // bytes of names that are the anchor
}

// Passage is a piece of a section, about a paragraph.
type Passage struct {
	Kind     PassageKind
	From, To uint32 // positions
	text     stretch
}

// stretch is a range in the text of a document.
type stretch struct {
	chunk, from, to uint32
}

// layoutWriter writes the layout of a document and its text.
type layoutWriter struct {
	out   []byte
	text  []byte       // of the current chunk
	seal  func([]byte) // receives a full chunk
	count int          // passages of the current section
	body  []byte       // their encoding
}

// advance counts n more bytes of text, as advanceChunk does when the layout is read.
func (w *layoutWriter) advance(text string) {
	w.text = append(w.text, text...)
	if len(w.text) >= chunkSize {
		w.seal(w.text)
		w.text = w.text[:0]
	}
}

// end seals the rest at the end of a document.
func (w *layoutWriter) end() {
	if len(w.text) > 0 {
		w.seal(w.text)
		w.text = w.text[:0]
	}
}

func (w *layoutWriter) passage(kind PassageKind, places int, text string) {
	w.body = binary.AppendUvarint(w.body, uint64(places)<<2|uint64(kind))
	w.body = binary.AppendUvarint(w.body, uint64(len(text)))
	w.count++
	w.advance(text)
}

// length writes the number of following link texts, each of which is a run,
// or sections.
func (w *layoutWriter) length(n int) { w.out = binary.AppendUvarint(w.out, uint64(n)) }

// run writes the title, with which a layout starts, or a link text.
func (w *layoutWriter) run(places, stops int) {
	w.out = binary.AppendUvarint(w.out, uint64(places))
	w.out = binary.AppendUvarint(w.out, uint64(stops))
}

// labels writes the labels of the document's links to others.
func (w *layoutWriter) labels(sums []Label) {
	w.length(len(sums))
	for _, sum := range sums {
		w.out = binary.AppendUvarint(w.out, uint64(sum))
	}
}

// heading starts a section.
func (w *layoutWriter) heading(anchor, heading string, places, stops int) {
	w.body, w.count = w.body[:0], 0
	for _, n := range []int{places, stops, len(anchor), len(heading)} {
		w.out = binary.AppendUvarint(w.out, uint64(n))
	}
	w.advance(anchor + heading)
}

// endSection ends a section.
func (w *layoutWriter) endSection() {
	w.out = binary.AppendUvarint(w.out, uint64(w.count))
	w.out = append(w.out, w.body...)
}

// Layout reads the layout of a document into l, reusing its memory.
func (s *Segment) Layout(doc uint32, l *Layout) {
	r := reader{rest: s.layouts[s.docs[doc].layout:]}
	l.read(&r)
}

// read reads a layout, and stops if it is damaged.
func (l *Layout) read(r *reader) {
	l.Sections, l.passages = l.Sections[:0], l.passages[:0]
	l.names(r)
	place := l.Start
	at := stretch{}
	for n := r.count(5); n > 0 && !r.bad; n-- {
		var s SectionLayout
		s.Heading = Run{From: place, To: place + r.uint32(), Stops: r.uint32()}
		place = s.Heading.To
		if s.Heading.To > s.Heading.From {
			place += gapHeading
		}
		s.anchor = r.uint32()
		s.names = at.take(s.anchor + r.uint32())
		first := len(l.passages)
		for m := r.count(2); m > 0; m-- {
			head := r.uvarint()
			p := Passage{Kind: PassageKind(head & 3), From: place, To: place + uint32(head>>2), text: at.take(r.uint32())}
			place = p.To
			if p.Kind == CodePassage {
				place += gapCode
			}
			l.passages = append(l.passages, p)
		}
		s.Passages = l.passages[first:len(l.passages):len(l.passages)]
		s.To = place
		place += gapSection
		l.Sections = append(l.Sections, s)
	}
}

// names reads what precedes the sections of a layout.
func (l *Layout) names(r *reader) {
	l.Links = l.Links[:0]
	l.Title = Run{To: r.uint32(), Stops: r.uint32()}
	place := l.Title.To + gapTitle
	for n := r.count(2); n > 0 && !r.bad; n-- {
		run := Run{From: place, To: place + r.uint32(), Stops: r.uint32()}
		l.Links = append(l.Links, run)
		place = run.To + gapHeading
	}
	if len(l.Links) > 0 {
		place += gapTitle
	}
	l.Start = place
	l.Labels = l.Labels[:0]
	for n := r.count(1); n > 0 && !r.bad; n-- {
		l.Labels = append(l.Labels, Label(r.uint32()))
	}
}

// Names reads the layout of a document into l, without its sections.
func (s *Segment) Names(doc uint32, l *Layout) {
	l.Sections, l.passages = l.Sections[:0], l.passages[:0]
	r := reader{rest: s.layouts[s.docs[doc].layout:]}
	l.names(&r)
}

// take returns the stretch of the next n bytes and moves past them.
func (at *stretch) take(n uint32) stretch {
	taken := stretch{chunk: at.chunk, from: at.to, to: at.to + n}
	at.to += n
	if at.to >= chunkSize {
		at.chunk++
		at.to = 0
	}
	return taken
}
