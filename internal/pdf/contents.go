package pdf

import (
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/words"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// longContents is the number of entries above which a table of contents only lists pages.
const longContents = 600

// resolveMissing redirects links to missing destinations to their page.
func (b *builder) resolveMissing() {
	for _, name := range b.file.Missing() {
		key, _, _ := strings.Cut(name, "#")
		if len(b.contents) > 0 {
			b.file.Alias(name, b.contents[0].destination) // for a missing page, to the first entry
		}
		b.file.Alias(name, key)
		if len(b.report.Notices) < maxReported {
			b.report.Notices = append(b.report.Notices, PageNotice{key, document.Notice{Kind: document.UnresolvedLink, Text: name}})
		}
	}
}

// front makes the sheets at the front: the title and the contents, whose sheet numbers are
// known by now.
func (b *builder) front() {
	b.writeHead()
	b.flow = newFlow(b)
	b.flow.front = true
	b.page = Page{}
	section := b.file.Root().Child("Sect", writer.Properties{Title: b.book.Title})
	at := b.whole(section, b.book.Language)
	b.titleSheet(at)
	if len(b.contents) > 0 {
		b.flow.breakSheet()
		b.lines(at, "P", []layout.Span{{Text: words.In(b.book.Language).Contents, Style: b.theme.heading(1)}}, spacing{after: 14, keep: true})
		b.tableOfContents(at)
	}
	b.flow.flush()
	b.flow.endSheet()
	section.Release()
}

func (b *builder) titleSheet(at area) {
	const down = 190
	b.flow.add(row{height: down, keep: true, paint: func(s *sheet, top float64) {
		left := at.start(0, 54)
		s.canvas.Fill(writer.Rect{Left: left, Bottom: top - down, Right: left + 54, Top: top - down + 4}, b.theme.accent)
	}})
	title := with(b.theme.heading(1), func(s *layout.Style) { s.Size = 34 })
	b.lines(at, "P", []layout.Span{{Text: b.book.Title, Style: title}}, spacing{before: 18, after: 10, keep: true})
	small := with(at.style, func(s *layout.Style) { s.Size = 10.5; s.Color = b.theme.muted })
	if !b.book.Made.IsZero() {
		b.lines(at, "P", []layout.Span{{Text: b.book.Made.UTC().Format("2006-01-02"), Style: small}}, spacing{})
	}
}

func (b *builder) tableOfContents(at area) {
	toc := at.element.Child("TOC", writer.Properties{})
	pagesOnly := len(b.contents) > longContents
	for _, one := range b.contents {
		isPage := !strings.Contains(one.destination, "#")
		if pagesOnly && !isPage {
			continue
		}
		b.contentsLine(at, toc, one, isPage)
	}
	toc.Release()
}

// leader draws dots from the title to the number.
func (b *builder) leader(s *sheet, title, at area, text, number *layout.Line, y float64) {
	const gap = 6
	from, to := title.left+text.Width+gap, at.left+at.width-number.Width-gap
	if at.mirrored {
		from, to = at.left+number.Width+gap, title.left+title.width-text.Width-gap
	}
	s.canvas.Dots(from, to, y, b.theme.border)
}

// contentsLine sets the title and sheet number of an entry.
func (b *builder) contentsLine(at area, toc *writer.Element, one entry, isPage bool) {
	style := at.style
	space := 2.0
	if isPage {
		if one.level == 0 || one.level == 1 && b.roots < 2 { // below a single root
			style, space = strong(style), 6
		}
	} else {
		style = with(style, func(s *layout.Style) { s.Color = b.theme.muted; s.Size -= 0.5 })
	}
	item := toc.Child("TOCI", writer.Properties{})
	link := &layout.Link{Destination: one.destination, Contents: one.title, Element: item.Child("Link", writer.Properties{})}
	style = with(style, func(s *layout.Style) { s.Link = link })
	const numberWidth = 34.0
	in := at.within(14*float64(min(one.level, 8)), numberWidth)
	lines := b.typesetter.Lines([]layout.Span{{Text: one.title, Style: style}}, in.width, false)
	numbers := b.typesetter.Lines([]layout.Span{{Text: strconv.Itoa(one.sheet), Style: style}}, numberWidth, false)
	for i := range lines {
		r := b.lineAt(in.start(0, lines[i].Width), item, &lines[i], style.Size) // all titles are aligned, in any script
		if i == 0 {
			r.before = space
		}
		if i == len(lines)-1 && len(numbers) > 0 {
			item.Hold()
			link.Element.Hold()
			paint, height, number := r.paint, r.height, &numbers[0]
			r.paint = func(s *sheet, top float64) {
				paint(s, top)
				base := baseLine(top, height, number)
				number.Paint(s.canvas, s.page, item, at.start(at.width-number.Width, number.Width), base)
				b.leader(s, in, at, &lines[i], number, base)
				link.Element.Release()
				item.Release()
			}
		} else {
			r.keep = true
		}
		b.add(in, r)
	}
	link.Element.Release()
	item.Release()
}
