package pdf

import (
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// The size and margins of a sheet (A4), in points.
const (
	sheetWidth   = 595.276
	sheetHeight  = 841.89
	marginLeft   = 72.0
	marginRight  = 72.0
	marginTop    = 76.0
	marginBottom = 72.0
)

// row is an indivisible part of the text: a line, a table row, the edge of a box.
type row struct {
	before, after float64 // space above and below; between rows the larger counts
	height        float64
	base          float64 // distance of the base line from the top; 0 if it is not text
	keep          bool    // on the same sheet as the next row
	frame         *frame
	head          *row // repeated above the row if it starts a sheet
	paint         func(s *sheet, top float64)
	placed        []func(s *sheet, top float64)
}

// frame is a box behind rows, or a bar next to them.
type frame struct {
	outer       *frame
	left, width float64
	mirrored    bool
	back        *layout.Color
	bar         *layout.Color // at the start of lines
	border      *layout.Color

	sheet int // the last sheet with the frame
	box   int // index in the boxes of that sheet
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
	title  string // of the first page on the sheet
}

// flow puts rows on sheets from top to bottom. Rows to be kept together wait for the last of
// them.
type flow struct {
	b       *builder
	waiting []row
	marks   []func(s *sheet, top float64) // for the next row
	sheet   *sheet
	canvas  layout.Canvas
	under   layout.Canvas // what is behind the rows
	number  int           // number of sheets, including the current one
	y       float64
	empty   bool
	after   float64 // space below the last row
	front   bool    // the sheets are those at the front
}

func newFlow(b *builder) *flow { return &flow{b: b} }

func (f *flow) add(r row) {
	if n := len(f.waiting); n > 0 && !f.waiting[n-1].keep {
		f.putWaiting()
	}
	r.placed, f.marks = append(r.placed, f.marks...), nil
	f.waiting = append(f.waiting, r)
}

// join keeps the last row on the same sheet as the next one, with no space between.
func (f *flow) join() {
	if n := len(f.waiting); n > 0 {
		f.waiting[n-1].keep, f.waiting[n-1].after = true, 0
	}
}

// destination names the position of the next row.
func (f *flow) destination(name string) {
	f.marks = append(f.marks, func(s *sheet, top float64) { f.b.file.Destination(name, s.page, top+6) })
}

// flush puts all waiting rows on sheets.
func (f *flow) flush() {
	if len(f.waiting) > 0 {
		f.putWaiting()
	}
	if len(f.marks) > 0 { // there was no further row
		f.add(row{paint: func(*sheet, float64) {}})
		f.putWaiting()
	}
}

// putWaiting puts the waiting rows on a sheet, together if they fit.
func (f *flow) putWaiting() {
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

// put puts a row on the sheet, or on the next one if it does not fit.
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

// breakSheet starts a sheet before the next row.
func (f *flow) breakSheet() {
	f.flush()
	if f.sheet != nil && !f.empty {
		f.endSheet()
	}
}

// overhang is how far a box that continues on another sheet extends beyond its rows.
const overhang = 5.0

// endSheetBefore ends the current sheet before a row.
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

// space sets a minimal space below the last row.
func (f *flow) space(after float64) {
	if n := len(f.waiting); n > 0 {
		f.waiting[n-1].after = max(f.waiting[n-1].after, after)
	} else {
		f.after = max(f.after, after)
	}
}
