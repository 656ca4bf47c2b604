package pdf

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/element"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/pdf/font"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/picture"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

const (
	pixel    = 0.75 // points
	tallest  = 420  // points
	imageGap = 4
)

// imageIn is an image in a paragraph, with its link if any.
type imageIn struct {
	image *document.Image
	href  string
}

func imagesOf(nodes []document.Inline, all []imageIn) []imageIn {
	for _, n := range nodes {
		before := len(all)
		if image, ok := n.(*document.Image); ok && !isDark(image) {
			all = append(all, imageIn{image: image})
		} else {
			all = imagesOf(document.Children(n), all)
		}
		if link, ok := n.(*document.Link); ok {
			for i := before; i < len(all); i++ {
				all[i].href = link.Href
			}
		}
	}
	return all
}

type figure struct {
	imageIn
	picture       *picture.Picture
	width, height float64
}

// The maximal height of inline images, in text and in a heading or table cell.
const (
	lineHigh = 40.0
	cellHigh = 90.0
)

// widest limits the author's width in pixels, which may even be infinity.
const widest = 100_000

// natural returns the size of an image in points, at the author's width.
func natural(pic *picture.Picture, n *document.Image) (width, height float64) {
	width, height = float64(pic.Width)*pixel, float64(pic.Height)*pixel
	if wanted, err := strconv.ParseFloat(strings.TrimSuffix(n.Attributes.String("width"), "px"), 64); err == nil && wanted > 0 && wanted <= widest {
		height *= wanted * pixel / width
		width = wanted * pixel
	}
	return width, height
}

// inlineSize returns the size of an image in a line with a font size and width. In a heading it is
// about as high as the letters.
func inlineSize(pic *picture.Picture, n *document.Image, size, room float64) (width, height float64) {
	width, height = natural(pic, n)
	most := cellHigh
	if size > bodySize+1 {
		most = 1.5 * size
	}
	shrink := min(1, room/width, most/height)
	return width * shrink, height * shrink
}

func onlyImages(nodes []document.Inline) bool {
	for _, n := range nodes {
		switch n := n.(type) {
		case *document.Image, *document.Break:
		case *document.Text:
			if strings.TrimSpace(n.Text) != "" {
				return false
			}
		default:
			if inside := document.Children(n); len(inside) == 0 || !onlyImages(inside) {
				return false
			}
		}
	}
	return true
}

// illustrated sets a paragraph with images. Small ones in text are inline; the others follow
// it, side by side if they fit.
func (b *builder) illustrated(at area, p *document.Paragraph, images []imageIn, s spacing) {
	var figures []figure
	b.shown = map[*document.Image]bool{}
	alone := onlyImages(p.Inlines)
	for _, one := range images {
		pic := b.picture(one.image)
		if pic == nil {
			b.shown[one.image] = false
			continue
		}
		f := figure{imageIn: one, picture: pic}
		f.width, f.height = natural(pic, one.image)
		if !alone && f.height <= lineHigh {
			continue
		}
		b.shown[one.image] = true
		shrink := min(1, at.width/f.width, tallest/f.height)
		f.width, f.height = f.width*shrink, f.height*shrink
		figures = append(figures, f)
	}
	text := s
	if len(figures) > 0 {
		text.keep = true
	}
	first := 0 // number of leading images, which are above their caption
	for first < len(p.Inlines) && onlyImages(p.Inlines[first:first+1]) {
		first++
	}
	if alone || len(figures) < len(images) || len(imagesOf(p.Inlines[first:], nil)) > 0 {
		b.text(at, "P", p.Inlines, at.style, text)
		b.shown = nil
		b.beside(at, figures)
		return
	}
	b.shown = nil
	b.beside(at, figures)
	b.text(at, "P", p.Inlines[first:], at.style, s)
}

// beside sets images side by side as far as they fit.
func (b *builder) beside(at area, figures []figure) {
	for len(figures) > 0 {
		n, width, height := 0, 0.0, 0.0
		for n < len(figures) && (n == 0 || width+figures[n].width <= at.width) {
			width += figures[n].width + imageGap
			height = max(height, figures[n].height)
			n++
		}
		b.figures(at, figures[:n], height)
		figures = figures[n:]
	}
}

// figures sets one row of images.
func (b *builder) figures(at area, side []figure, height float64) {
	elements := make([]*writer.Element, len(side))
	links := make([]*layout.Link, len(side))
	for i, f := range side {
		parent := at.element
		if f.href != "" {
			if links[i] = b.resolve(f.image, f.href); links[i] != nil {
				links[i].Element = parent.Child("Link", writer.Properties{})
				parent = links[i].Element
				if links[i].Contents == "" {
					links[i].Contents = f.image.Alt
				}
			}
		}
		alt := cmp.Or(f.image.Alt, f.image.Title)
		if alt != "" {
			elements[i] = parent.Child("Figure", writer.Properties{Alt: alt})
		}
	}
	together := float64(len(side)-1) * imageGap
	for _, f := range side {
		together += f.width
	}
	b.add(at, row{before: imageGap, after: paragraphSpace, height: height, paint: func(s *sheet, top float64) {
		x := at.edge(together, false)
		for i, f := range side {
			r := writer.Rect{Left: x, Bottom: top - f.height, Right: x + f.width, Top: top}
			x += f.width + imageGap
			if elements[i] == nil { // decorative
				s.canvas.BeginArtifact()
			} else {
				s.canvas.Begin(s.page, elements[i])
			}
			s.canvas.Image(f.picture.Name, r, f.picture.Turn.Matrix())
			s.canvas.End()
			if link := links[i]; link != nil {
				link.Cover(s.page, r)
				link.Element.Release()
			}
			if elements[i] != nil {
				elements[i].Release()
			}
		}
	}})
}

// isDark reports whether an image is only for dark mode, as marked by GitHub and Material
// for MkDocs.
func isDark(n *document.Image) bool {
	f := reference.Fragment(n.Src + element.Mode(n.Attributes))
	return f == "gh-dark-mode-only" || f == "only-dark"
}

// picture returns the picture of an image, or nil with a notice. Equal pictures are shared.
func (b *builder) picture(n *document.Image) *picture.Picture {
	pic, trouble := b.load(n)
	switch {
	case pic == nil:
		b.warn(document.UnresolvedImage, n, trouble)
	case len(pic.Left) > 0:
		b.warn(document.ElementOmitted, n, strings.Join(pic.Left, ", "))
		pic.Left = nil // reported once
	}
	return pic
}

// loaded is a picture, or the reason why it could not be loaded.
type loaded struct {
	pic     *picture.Picture
	trouble string
}

// load returns the picture of an image, or the reason for a failure. It loads it once.
func (b *builder) load(n *document.Image) (pic *picture.Picture, trouble string) {
	if known, ok := b.loaded[n]; ok {
		return known.pic, known.trouble
	}
	pic, trouble = b.read(n)
	b.loaded[n] = loaded{pic, trouble}
	return pic, trouble
}

func (b *builder) read(n *document.Image) (pic *picture.Picture, trouble string) {
	var data []byte
	found := false
	if src, safe := reference.Safe(n.Src); safe && b.options.Image != nil {
		data, found = b.options.Image(b.page, src)
	}
	if !found {
		return nil, n.Src
	}
	key := sha256.Sum256(data)
	if known, ok := b.pictures[key]; ok {
		if known == nil {
			return nil, n.Src
		}
		return known, ""
	}
	pic, err := picture.Write(b.file, data, picture.Letters{Fonts: b.fontList, Set: b.letter})
	if err != nil {
		pic, trouble = nil, err.Error()
	} else {
		pic.Name = "I" + strconv.Itoa(len(b.pictures))
		b.images += writer.Name(pic.Name) + " " + pic.Ref.String()
	}
	b.pictures[key] = pic
	return pic, trouble
}

// letter sets a line of text in a drawing.
func (b *builder) letter(text string, look picture.Look) (operators []byte, width float64) {
	const size = 16.0 // for sufficient precision
	style := &layout.Style{Size: size, Color: layout.Color(look.Color)}
	for _, one := range []struct {
		is    bool
		style font.Style
	}{{look.Bold, font.Bold}, {look.Italic, font.Italic}, {look.Mono, font.Mono}} {
		if one.is {
			style.Font |= one.style
		}
	}
	// Spaces at the ends of a line would be lost.
	spaces := strings.NewReplacer(" ", "\u00a0", "\n", "\u00a0")
	var canvas layout.Canvas
	lines := b.typesetter.Lines([]layout.Span{{Text: spaces.Replace(text), Style: style}}, math.Inf(1), false)
	for i := range lines[:min(len(lines), 1)] {
		lines[i].PaintPlain(&canvas, 0, 0)
		width = lines[i].Width / size
	}
	operators = fmt.Appendf(nil, "q\n%g 0 0 %g 0 0 cm\n", 1/size, 1/size)
	if look.Edge > 0 {
		operators = fmt.Appendf(operators, "%.3f %.3f %.3f RG %.4f w 1 Tr\n", float64(look.Color[0])/255, float64(look.Color[1])/255, float64(look.Color[2])/255, look.Edge*size)
	}
	return append(append(operators, canvas.Bytes()...), "\nQ\n"...), width
}
