package pdf

import (
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// The size and margins of a sheet (A4).
const (
	sheetWidth   = 595.276
	sheetHeight  = 841.89
	marginLeft   = 72.0
	marginRight  = 72.0
	marginTop    = 76.0
	marginBottom = 72.0
)

// row is a part of the text that is not divided between sheets: a line, a row
// of a table, the edge of a box.
type row struct {
	before, after float64 // space wanted above and below, of which the larger counts
	height        float64
	base          float64 // how far below its top the text stands; 0 where it is no line of text
	keep          bool    // on the same sheet as the next row
	frame         *frame
	head          *row // shown above again when the row starts a sheet
	paint         func(s *sheet, top float64)
	placed        []func(s *sheet, top float64)
}

// frame is a box behind rows, or a bar beside them.
type frame struct {
	outer       *frame
	left, width float64
	mirrored    bool
	back        *layout.Color
	bar         *layout.Color // at the edge where lines start
	border      *layout.Color

	sheet int // on which it was seen last
	box   int // among the boxes of that sheet
}

func (f *frame) depth() int {
	n := 0
	for ; f != nil; f = f.outer {
		n++
	}
	return n
}

// box is the part of a frame on one sheet.
type box struct {
	frame       *frame
	top, bottom float64
}

type sheet struct {
	page   *writer.Page
	canvas *layout.Canvas
	boxes  []box
	title  string // of the page that it starts with
}

// flow puts rows on sheets, one below the other. Rows that are to be kept
// together wait until the last of them is known.
type flow struct {
	b       *builder
	waiting []row
	marks   []func(s *sheet, top float64) // for the next row that comes
	sheet   *sheet
	canvas  layout.Canvas
	under   layout.Canvas // what lies behind the rows
	number  int           // of sheets, with the one under way
	y       float64
	empty   bool
	after   float64 // space wanted below the last row
	front   bool    // whether sheets are made for the front
}

func newFlow(b *builder) *flow { return &flow{b: b} }

func (f *flow) add(r row) {
	if n := len(f.waiting); n > 0 && !f.waiting[n-1].keep {
		f.place()
	}
	r.placed, f.marks = append(r.placed, f.marks...), nil
	f.waiting = append(f.waiting, r)
}

// join keeps the last row on the same sheet as what comes, without space below
// it.
func (f *flow) join() {
	if n := len(f.waiting); n > 0 {
		f.waiting[n-1].keep, f.waiting[n-1].after = true, 0
	}
}

// destination names the place of the next row.
func (f *flow) destination(name string) {
	f.marks = append(f.marks, func(s *sheet, top float64) { f.b.file.Destination(name, s.page, top+6) })
}

// flush puts all rows that wait on sheets.
func (f *flow) flush() {
	if len(f.waiting) > 0 {
		f.place()
	}
	if len(f.marks) > 0 { // nothing followed
		f.add(row{paint: func(*sheet, float64) {}})
		f.place()
	}
}

// place puts the rows that wait on a sheet, together if they fit on one.
func (f *flow) place() {
	needed, after := 0.0, f.after
	for _, r := range f.waiting {
		needed += max(after, r.before) + r.height
		after = r.after
	}
	if f.sheet != nil && !f.empty && f.y-needed < marginBottom {
		f.endSheetBefore(&f.waiting[0])
	}
	rows := f.waiting
	f.waiting = nil
	for i := range rows {
		f.put(&rows[i])
	}
}

// put puts one row on the sheet, or on the next one if it does not fit.
func (f *flow) put(r *row) {
	if f.sheet != nil && !f.empty && f.y-max(f.after, r.before)-r.height < marginBottom {
		f.endSheetBefore(r)
	}
	if f.sheet == nil {
		f.beginSheet()
		if r.head != nil {
			f.show(r.head)
		}
	}
	if !f.empty {
		f.y -= max(f.after, r.before)
	}
	f.show(r)
}

func (f *flow) show(r *row) {
	top := f.y
	f.y -= r.height
	f.empty, f.after = false, r.after
	for fr := r.frame; fr != nil; fr = fr.outer {
		if fr.sheet != f.number || fr.box >= len(f.sheet.boxes) || f.sheet.boxes[fr.box].frame != fr {
			start := top
			if fr.sheet != 0 {
				start += overhang
			}
			fr.sheet, fr.box = f.number, len(f.sheet.boxes)
			f.sheet.boxes = append(f.sheet.boxes, box{frame: fr, top: start})
		}
		f.sheet.boxes[fr.box].bottom = f.y
	}
	for _, call := range r.placed {
		call(f.sheet, top)
	}
	r.paint(f.sheet, top)
}

func (f *flow) beginSheet() {
	f.number++
	f.canvas.Reset()
	f.sheet = &sheet{page: f.b.file.Begin(f.front), canvas: &f.canvas, title: f.b.page.Title}
	f.y, f.empty, f.after = sheetHeight-marginTop, true, 0
}

// breakSheet lets the next row start a sheet.
func (f *flow) breakSheet() {
	f.flush()
	if f.sheet != nil && !f.empty {
		f.endSheet()
	}
}

// overhang is how far a box that goes on on another sheet reaches beyond its
// rows.
const overhang = 5.0

// endSheetBefore finishes the sheet under way, as a row is to be on the next one.
func (f *flow) endSheetBefore(r *row) {
	for fr := r.frame; fr != nil; fr = fr.outer {
		if fr.sheet == f.number {
			f.sheet.boxes[fr.box].bottom -= overhang
		}
	}
	f.endSheet()
}

func (f *flow) endSheet() {
	if f.sheet == nil {
		return
	}
	f.b.furniture(f.sheet, f.number, f.front)
	f.under.Reset()
	f.b.backs(&f.under, f.sheet.boxes)
	f.under.Append(&f.canvas)
	f.sheet.page.End(sheetWidth, sheetHeight, f.under.Bytes())
	f.sheet = nil
}

// space wants that much space below the last row.
func (f *flow) space(after float64) {
	if n := len(f.waiting); n > 0 {
		f.waiting[n-1].after = max(f.waiting[n-1].after, after)
	} else {
		f.after = max(f.after, after)
	}
}
