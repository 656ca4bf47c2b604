// Package writer writes a file of PDF 1.7 as it is made: each page is compressed
// and written as soon as it is full, small objects are gathered in object
// streams, and only numbers and names stay in memory. It owns the form of the
// file: objects, the cross-reference stream, the tree of pages with their
// labels, named destinations, the outline, tags and document information. One
// input gives the same bytes every time.
//
// The package knows neither fonts nor text: its callers draw the pages. Errors of the
// output are stored and returned by Close.
package writer

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"strconv"

	"github.com/klauspost/compress/zlib"
)

// Ref is the number of an object; 0 is none.
type Ref uint32

// String returns a reference as it stands in the file.
func (r Ref) String() string { return strconv.Itoa(int(r)) + " 0 R" }

// Writer writes one file. It is not safe for use by several goroutines, but may
// have one of its own.
type Writer struct {
	out    io.Writer
	sum    hash.Hash
	offset int64
	err    error

	entries []entry // by number
	small   []byte  // bodies of objects that wait for an object stream
	starts  []int   // where each begins
	numbers []Ref   // and its number
	zip     *zlib.Writer
	zipped  bytes.Buffer

	beside *queue // of streams that a goroutine writes, which alone uses the output meanwhile; nil without one
	told   error  // the first of the output, as the last stream that came back has it

	info      Info
	catalog   Ref
	pages     pageTree
	resources Ref
	dests     destinations
	noPin     Ref // an empty form
	outline   []OutlineItem
	parents   []Ref // what owns the content of a page, or a link, by its key
	treeRoot  Ref
	root      *Element
}

// entry tells where an object lies: its offset, or the number of its object
// stream and its place in there.
type entry struct {
	at    uint64
	index uint16
	kind  uint8
}

// The kinds of entries, as the cross-reference stream has them.
const (
	free uint8 = iota
	direct
	packed
)

// perStream is how many objects share an object stream.
const perStream = 500

// New starts a file. The writer does not close out.
func New(out io.Writer, info Info) *Writer {
	w := &Writer{out: out, sum: sha256.New(), info: info, entries: make([]entry, 1)}
	w.zip = zlib.NewWriter(&w.zipped)
	w.write([]byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"))
	w.catalog = w.Reserve()
	w.resources = w.Reserve()
	w.treeRoot = w.Reserve()
	w.root = &Element{w: w, ref: w.Reserve(), role: "Document", holds: 1}
	w.dests.placed = map[string]place{}
	w.dests.wanted = map[string]struct{}{}
	return w
}

// Reserve returns the number of an object that is written later.
func (w *Writer) Reserve() Ref {
	w.entries = append(w.entries, entry{})
	return Ref(len(w.entries) - 1)
}

// Object writes an object that is no stream.
func (w *Writer) Object(ref Ref, body string) {
	w.starts = append(w.starts, len(w.small))
	w.numbers = append(w.numbers, ref)
	w.small = append(append(w.small, body...), '\n')
	if len(w.numbers) == perStream {
		w.pack()
	}
}

// pack writes the objects that wait as one object stream.
func (w *Writer) pack() {
	if len(w.numbers) == 0 {
		return
	}
	stream := w.Reserve()
	var head []byte
	for i, ref := range w.numbers {
		w.entries[ref] = entry{at: uint64(stream), index: uint16(i), kind: packed}
		head = strconv.AppendInt(head, int64(ref), 10)
		head = append(head, ' ')
		head = strconv.AppendInt(head, int64(w.starts[i]), 10)
		head = append(head, ' ')
	}
	dict := fmt.Sprintf("/Type/ObjStm/N %d/First %d", len(w.numbers), len(head))
	w.Stream(stream, dict, append(head, w.small...))
	w.small, w.starts, w.numbers = w.small[:0], w.starts[:0], w.numbers[:0]
}

// Stream compresses data and writes it. Entries are those of its dictionary
// beside length and filter.
func (w *Writer) Stream(ref Ref, entries string, data []byte) {
	if w.beside == nil {
		w.StreamOf(ref, entries, all(data))
	} else {
		w.give(ref, entries, data)
	}
}

// all writes all of the data.
func all(data []byte) func(out io.Writer) error {
	return func(out io.Writer) error {
		_, err := out.Write(data)
		return err
	}
}

// StreamOf compresses what a function writes, as Stream does.
func (w *Writer) StreamOf(ref Ref, entries string, write func(out io.Writer) error) {
	w.wait()
	w.entries[ref] = entry{at: uint64(w.compress(ref, entries, write)), kind: direct}
}

// Raw writes a stream of data as it is, with the entries of its dictionary
// beside its length.
func (w *Writer) Raw(ref Ref, entries string, data []byte) {
	w.wait()
	w.entries[ref] = entry{at: uint64(w.put(ref, entries, data)), kind: direct}
}

// compress writes a stream of what a function writes, and returns where it
// begins.
func (w *Writer) compress(ref Ref, entries string, write func(out io.Writer) error) int64 {
	w.zipped.Reset()
	w.zip.Reset(&w.zipped)
	if err := write(w.zip); err != nil {
		w.fail(fmt.Errorf("compress: %w", err))
	}
	if err := w.zip.Close(); err != nil {
		w.fail(fmt.Errorf("compress: %w", err))
	}
	return w.put(ref, entries+"/Filter/FlateDecode", w.zipped.Bytes())
}

// put writes a stream and returns where it begins.
func (w *Writer) put(ref Ref, entries string, data []byte) int64 {
	at := w.offset
	w.write(fmt.Appendf(nil, "%d 0 obj\n<<%s/Length %d>>stream\n", ref, entries, len(data)))
	w.write(data)
	w.write([]byte("\nendstream\nendobj\n"))
	return at
}

func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
}

func (w *Writer) write(b []byte) {
	if w.err != nil {
		return
	}
	n, err := w.out.Write(b)
	if err != nil {
		w.err = fmt.Errorf("write PDF: %w", err)
	}
	w.sum.Write(b[:n])
	w.offset += int64(n)
}

// Close writes what belongs at the end of the file. Every element must have
// been released, every reserved object written. Resources is the dictionary
// that all pages share.
func (w *Writer) Close(resources string) error {
	w.root.Release()
	w.Object(w.resources, resources)
	w.finish()
	w.pack()
	w.crossReference()
	return w.err
}

// crossReference writes the table of objects as a stream, line by line as the
// difference to the line above, which compresses to little.
func (w *Writer) crossReference() {
	w.wait()
	ref, start := w.Reserve(), w.offset
	w.entries[ref] = entry{at: uint64(start), kind: direct}
	const columns = 8
	var above [columns]byte
	table := make([]byte, 0, len(w.entries)*(columns+1))
	for i, e := range w.entries {
		line := [columns]byte{
			e.kind,
			byte(e.at >> 32), byte(e.at >> 24), byte(e.at >> 16), byte(e.at >> 8), byte(e.at),
			byte(e.index >> 8), byte(e.index),
		}
		if i == 0 {
			line[6], line[7] = 0xff, 0xff // the free object has the last generation
		} else if e.kind == free {
			w.fail(fmt.Errorf("object %d was reserved and not written", i))
		}
		table = append(table, 2) // the predictor "up"
		for c := range line {
			table = append(table, line[c]-above[c])
		}
		above = line
	}
	id := w.sum.Sum(nil)[:16]
	dict := fmt.Sprintf("/Type/XRef/Size %d/W[1 5 2]/Root %v/Info %v/ID[<%x><%x>]/DecodeParms<</Predictor 12/Columns %d>>",
		len(w.entries), w.catalog, w.info.ref, id, id, columns)
	w.StreamOf(ref, dict, all(table))
	w.write(fmt.Appendf(nil, "startxref\n%d\n%%%%EOF\n", start))
}

// Resources returns the number of the dictionary that all pages share.
func (w *Writer) Resources() Ref { return w.resources }
