// Package writer writes a PDF 1.7 file incrementally: each page is written when it is complete, small
// objects are grouped in object streams, and only numbers and names stay in memory. It
// implements objects, cross-reference stream, page tree, destinations, outline, tags and
// metadata. Output is deterministic.
//
// It knows neither fonts nor text: callers draw the pages. Output errors are stored and returned by
// Close.
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

// Ref is an object number; 0 is none.
type Ref uint32

// String formats an indirect reference.
func (r Ref) String() string { return strconv.Itoa(int(r)) + " 0 R" }

// Writer writes one file. It is not safe for concurrent use, but see Beside.
type Writer struct {
	out    io.Writer
	sum    hash.Hash
	offset int64
	err    error

	entries []entry // by object number
	small   []byte  // pending objects for an object stream
	starts  []int   // offsets of these
	numbers []Ref   // numbers of these
	zip     *zlib.Writer
	zipped  bytes.Buffer

	beside    *queue // nil without a writing goroutine, which then owns the output
	outputErr error  // first output error, as of the last returned stream

	info      Info
	catalog   Ref
	pages     pageTree
	resources Ref
	dests     destinations
	noPin     Ref // an empty form
	outline   []OutlineItem
	parents   []Ref // owner of a page's content or a link, by key
	treeRoot  Ref
	root      *Element
}

// entry locates an object: its offset, or its object stream and index.
type entry struct {
	at    uint64
	index uint16
	kind  uint8
}

// The kinds of entries in the cross-reference stream.
const (
	free uint8 = iota
	direct
	packed
)

// perStream is the number of objects per object stream.
const perStream = 500

// New starts a file. It does not close out.
func New(out io.Writer, info Info) *Writer {
	w := &Writer{out: out, sum: sha256.New(), info: info, entries: make([]entry, 1)}
	w.zip = zlib.NewWriter(&w.zipped)
	w.write([]byte("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n"))
	w.catalog = w.Reserve()
	w.resources = w.Reserve()
	w.treeRoot = w.Reserve()
	w.root = &Element{w: w, ref: w.Reserve(), role: "Document", holds: 1}
	w.dests.positions = map[string]position{}
	w.dests.wanted = map[string]struct{}{}
	return w
}

// Reserve returns the number for an object to be written later.
func (w *Writer) Reserve() Ref {
	w.entries = append(w.entries, entry{})
	return Ref(len(w.entries) - 1)
}

// Object writes an object without a stream.
func (w *Writer) Object(ref Ref, body string) {
	w.starts = append(w.starts, len(w.small))
	w.numbers = append(w.numbers, ref)
	w.small = append(append(w.small, body...), '\n')
	if len(w.numbers) == perStream {
		w.pack()
	}
}

// pack writes the pending objects as an object stream.
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

// Stream writes a compressed stream. entries are dictionary entries other than length and filter.
func (w *Writer) Stream(ref Ref, entries string, data []byte) {
	if w.beside == nil {
		w.StreamOf(ref, entries, all(data))
	} else {
		w.give(ref, entries, data)
	}
}

func all(data []byte) func(out io.Writer) error {
	return func(out io.Writer) error {
		_, err := out.Write(data)
		return err
	}
}

// StreamOf is Stream for the output of a function.
func (w *Writer) StreamOf(ref Ref, entries string, write func(out io.Writer) error) {
	w.wait()
	w.entries[ref] = entry{at: uint64(w.compress(ref, entries, write)), kind: direct}
}

// Raw writes an uncompressed stream. entries are dictionary entries other than length.
func (w *Writer) Raw(ref Ref, entries string, data []byte) {
	w.wait()
	w.entries[ref] = entry{at: uint64(w.put(ref, entries, data)), kind: direct}
}

// compress writes a compressed stream and returns its offset.
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

// put writes a stream and returns its offset.
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

// Close writes the end of the file. All elements must be released and all reserved objects written.
// resources is the dictionary shared by all pages.
func (w *Writer) Close(resources string) error {
	w.root.Release()
	w.Object(w.resources, resources)
	w.finish()
	w.pack()
	w.crossReference()
	return w.err
}

// crossReference writes the table of objects as a stream, with a predictor that subtracts the
// previous line.
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
			line[6], line[7] = 0xff, 0xff // maximal generation of the free object
		} else if e.kind == free {
			w.fail(fmt.Errorf("object %d was reserved and not written", i))
		}
		table = append(table, 2) // predictor "up"
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

// Resources returns the number of the shared resource dictionary.
func (w *Writer) Resources() Ref { return w.resources }
