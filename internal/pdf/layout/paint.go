package layout

import "github.com/octavo-docs/octavo/internal/pdf/writer"

// Paint paints a line from (x, y) on the base line. Its text belongs to the element or to those of its
// links; it is an artifact if the element is nil.
func (l *Line) Paint(c *Canvas, page *writer.Page, e *writer.Element, x, y float64) {
	l.backs(c, x, y)
	l.text(c, page, e, x, y)
	l.rules(c, x, y)
	if e != nil {
		l.links(page, x, y)
	}
}

// each calls f with each run of adjacent pieces that belong together, with its start and end.
func (l *Line) each(x float64, together func(a, b *Style) bool, f func(first, end int, from, to float64)) {
	for i := 0; i < len(l.pieces); {
		from, first := x, i
		for i < len(l.pieces) && together(l.pieces[first].style, l.pieces[i].style) {
			x += l.pieces[i].width
			i++
		}
		f(first, i, from, x)
	}
}

func sameLink(a, b *Style) bool { return a.Link == b.Link }

// backs paints the backgrounds of text.
func (l *Line) backs(c *Canvas, x, y float64) {
	l.each(x, func(a, b *Style) bool { return a.Back == b.Back }, func(first, _ int, from, to float64) {
		s := l.pieces[first].style
		if s.Back == nil {
			return
		}
		const around = 1.2
		c.Fill(writer.Rect{Left: from - around, Bottom: y - 0.26*s.Size, Right: to + around, Top: y + 0.92*s.Size}, *s.Back)
	})
}

func (l *Line) text(c *Canvas, page *writer.Page, e *writer.Element, x, y float64) {
	l.each(x, sameLink, func(first, end int, from, _ float64) {
		of := e
		if link := l.pieces[first].style.Link; link != nil && e != nil {
			of = link.Element
		}
		begun := false
		for _, p := range l.pieces[first:end] {
			if (p.picture != nil) == begun { // otherwise the run continues
				if begun {
					c.End()
				} else {
					c.begin(page, of)
				}
				begun = !begun
			}
			switch {
			case p.picture != nil:
				p.paint(c, page, from, y)
			case p.says != nil:
				c.Saying(*p.says, p.word, p.style, from, y)
			default:
				c.Word(p.word, p.style, from, y)
			}
			from += p.width
		}
		if begun {
			c.End()
		}
	})
}

func (p *piece) paint(c *Canvas, page *writer.Page, x, y float64) {
	y -= p.drop()
	c.begin(page, p.picture.Element)
	c.Image(p.picture.Name, writer.Rect{Left: x, Bottom: y, Right: x + p.width, Top: y + p.picture.Height}, p.picture.Turn)
	c.End()
}

// rules paints underlines and strikethroughs.
func (l *Line) rules(c *Canvas, x, y float64) {
	l.each(x, func(a, b *Style) bool {
		return a.Underline == b.Underline && a.Strike == b.Strike && a.Color == b.Color
	}, func(first, _ int, from, to float64) {
		s := l.pieces[first].style
		rule := func(height float64) {
			c.Fill(writer.Rect{Left: from, Bottom: y + height, Right: to, Top: y + height + 0.05*s.Size}, s.Color)
		}
		if s.Underline {
			rule(-0.14 * s.Size)
		}
		if s.Strike {
			rule(0.28 * s.Size)
		}
	})
}

func (l *Line) links(page *writer.Page, x, y float64) {
	l.each(x, sameLink, func(first, _ int, from, to float64) {
		link := l.pieces[first].style.Link
		if link == nil {
			return
		}
		link.Cover(page, writer.Rect{Left: from, Bottom: y - l.Descent, Right: to, Top: y + l.Ascent})
	})
}

// Cover links a rectangle of a page.
func (l *Link) Cover(page *writer.Page, r writer.Rect) {
	switch {
	case l.File != 0:
		page.LinkFile(r, l.File, l.Contents, l.Element)
	case l.Destination != "":
		page.LinkTo(r, l.Destination, l.Contents, l.Element)
	default:
		page.LinkOut(r, l.URI, l.Contents, l.Element)
	}
}

// PaintPlain paints a line without tags, for a form used in an artifact.
func (l *Line) PaintPlain(c *Canvas, x, y float64) {
	for _, p := range l.pieces {
		if p.word != nil {
			c.Word(p.word, p.style, x, y)
		}
		x += p.width
	}
	c.endText()
}
