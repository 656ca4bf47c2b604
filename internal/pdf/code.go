package pdf

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/token"
	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

const (
	codeSize    = 8.4
	codeLeading = 1.42
	codePad     = 7
	shortCode   = 9 // lines that stay together
)

func (b *builder) code(at area, c *document.Code) {
	fr := &frame{back: &b.theme.codeBackground, border: &b.theme.border}
	b.framed(at, fr, codePad, func(in area) {
		title := cmp.Or(c.Title, c.Label)
		if title != "" {
			style := &layout.Style{Font: font.Bold, Size: codeSize, Color: b.theme.muted}
			b.lines(in, "P", []layout.Span{{Text: title, Style: style}}, spacing{after: 3, keep: true})
		}
		b.codeLines(in, c)
	})
}

func (b *builder) codeLines(at area, c *document.Code) {
	numbers := 0.0
	if c.Numbered {
		numbers = 6 + 5.1*float64(len(strconv.Itoa(c.First+strings.Count(c.Text, "\n"))))
	}
	spans := b.colored(c)
	lines, counts := b.typesetter.Code(spans, max(at.width-numbers, narrowestArea))
	even(lines)
	paragraph := at.element.Child("P", writer.Properties{})
	e := paragraph.Child("Code", writer.Properties{})
	in := at
	in.left, in.width = in.left+numbers, max(in.width-numbers, narrowestArea)
	next := 0
	for number, count := range counts {
		for part := range count {
			l := &lines[next]
			r := b.codeRow(at, in, e, l, c, number, part == 0)
			left := len(lines) - 1 - next
			r.keep = left > 0 && (len(lines) <= shortCode || next == 0 || left == 1 || part+1 < count && count < shortCode)
			b.add(in, r)
			next++
		}
	}
	e.Release()
	paragraph.Release()
}

// codeRow returns the row of a line of code, or of a continuation if first is false.
func (b *builder) codeRow(at, in area, e *writer.Element, l *layout.Line, c *document.Code, number int, first bool) row {
	e.Hold()
	height := max(codeSize*codeLeading, l.Ascent+l.Descent)
	back, marked := b.markColor(c.MarkOf(number + 1))
	return row{height: height, paint: func(s *sheet, top float64) {
		if marked {
			s.canvas.Fill(writer.Rect{Left: at.left - 11, Bottom: top - height, Right: at.left + at.width + 9, Top: top}, back)
		}
		if c.Numbered && first {
			style := &layout.Style{Font: font.Mono, Size: codeSize, Color: b.theme.muted}
			for _, n := range b.typesetter.Lines([]layout.Span{{Text: strconv.Itoa(c.First + number), Style: style}}, at.width, false) {
				n.Paint(s.canvas, s.page, nil, in.left-8-n.Width, baseLine(top, height, &n))
			}
		}
		l.Paint(s.canvas, s.page, e, in.left+l.Indent, baseLine(top, height, l))
		e.Release()
	}}
}

// markColor returns the background of marked lines.
func (b *builder) markColor(kind string) (layout.Color, bool) {
	name := ""
	switch kind {
	case "", "focused":
		return layout.Color{}, false
	case "highlighted":
		return mix(b.theme.accent, b.theme.codeBackground, 0.13), true
	case "added":
		name = "tip"
	case "warned":
		name = "warning"
	default:
		name = "danger"
	}
	return mix(b.theme.variants[name], b.theme.codeBackground, 0.14), true
}

func (b *builder) colored(c *document.Code) []layout.Span {
	plain := &layout.Style{Font: font.Mono, Size: codeSize, Color: b.theme.codeText}
	tokens := []token.Token{{Text: c.Text}}
	if b.options.Colors != nil && c.Colored() {
		var err error
		if tokens, err = b.options.Colors.Tokens(b.ctx, c.Language, c.Text); err != nil {
			b.warn(document.NotHighlighted, c, err.Error())
		}
	}
	styles := map[token.Class]*layout.Style{}
	spans := make([]layout.Span, 0, len(tokens))
	for _, t := range tokens {
		s := styles[t.Class]
		if s == nil {
			s = plain
			if color, ok := b.theme.classes[t.Class]; ok {
				s = with(plain, func(s *layout.Style) { s.Color = color })
			}
			if t.Class == token.Strong || t.Class == token.Heading {
				s = with(s, func(s *layout.Style) { s.Font |= font.Bold })
			}
			styles[t.Class] = s
		}
		spans = append(spans, layout.Span{Text: t.Text, Style: s})
	}
	return spans
}
