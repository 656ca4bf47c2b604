package pdf

import (
	"crypto/sha256"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/pdf/layout"
	"github.com/octavo-docs/octavo/internal/pdf/picture"
	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

const (
	pixel    = 0.75 // points
	tallest  = 420  // points, of an image
	imageGap = 4
)

// imageIn is an image in a paragraph, with the link around it.
type imageIn struct {
	image *document.Image
	href  string
}

// imagesOf returns the images within inlines.
func imagesOf(nodes []document.Inline, all []imageIn) []imageIn {
	for _, n := range nodes {
		before := len(all)
		if image, ok := n.(*document.Image); ok {
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

// figure is an image as it is shown.
type figure struct {
	imageIn
	picture       *picture.Picture
	width, height float64
}

// illustrated sets a paragraph that has images: its text, and below it the
// images beside each other as far as there is room.
func (b *builder) illustrated(at place, p *document.Paragraph, images []imageIn, s spacing) {
	var figures []figure
	b.shown = map[*document.Image]bool{}
	for _, one := range images {
		pic := b.picture(one.image)
		b.shown[one.image] = pic != nil
		if pic != nil {
			f := figure{imageIn: one, picture: pic, width: float64(pic.Width) * pixel, height: float64(pic.Height) * pixel}
			if wanted, err := strconv.ParseFloat(strings.TrimSuffix(one.image.Attributes.String("width"), "px"), 64); err == nil && wanted > 0 {
				f.height *= wanted * pixel / f.width
				f.width = wanted * pixel
			}
			shrink := min(1, at.width/f.width, tallest/f.height)
			f.width, f.height = f.width*shrink, f.height*shrink
			figures = append(figures, f)
		}
	}
	text := s
	if len(figures) > 0 {
		text.keep = true
	}
	b.text(at, "P", p.Inlines, at.style, text)
	b.shown = nil
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

// figures sets images beside each other.
func (b *builder) figures(at place, side []figure, height float64) {
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
		alt := f.image.Alt
		if alt == "" {
			alt = f.image.Title
		}
		if alt != "" {
			elements[i] = parent.Child("Figure", writer.Properties{Alt: alt})
		}
	}
	b.add(at, row{before: imageGap, after: paragraphSpace, height: height, paint: func(s *sheet, top float64) {
		x := at.left
		for i, f := range side {
			r := writer.Rect{Left: x, Bottom: top - f.height, Right: x + f.width, Top: top}
			x += f.width + imageGap
			if elements[i] == nil { // an ornament
				s.canvas.BeginArtifact()
			} else {
				s.canvas.Begin(s.page, elements[i])
			}
			s.canvas.Image(f.picture.Name, r)
			s.canvas.End()
			if link := links[i]; link != nil {
				if link.Destination != "" {
					s.page.LinkTo(r, link.Destination, link.Contents, link.Element)
				} else {
					s.page.LinkOut(r, link.URI, link.Contents, link.Element)
				}
				link.Element.Release()
			}
			if elements[i] != nil {
				elements[i].Release()
			}
		}
	}})
}

// picture returns the picture of an image, nil with a notice when there is
// none. Equal pictures are written once.
func (b *builder) picture(n *document.Image) *picture.Picture {
	var data []byte
	found := false
	if b.options.Image != nil {
		data, found = b.options.Image(b.page, n.Src)
	}
	if !found {
		b.warn(document.UnresolvedImage, n, n.Src)
		return nil
	}
	key := sha256.Sum256(data)
	if known, ok := b.pictures[key]; ok {
		if known == nil {
			b.warn(document.UnresolvedImage, n, n.Src)
		}
		return known
	}
	pic, err := picture.Write(b.file, data)
	if err != nil {
		b.warn(document.UnresolvedImage, n, err.Error())
		pic = nil
	} else {
		if len(pic.Left) > 0 {
			b.warn(document.ElementOmitted, n, strings.Join(pic.Left, ", "))
		}
		pic.Name = "I" + strconv.Itoa(len(b.pictures))
		b.images += writer.Name(pic.Name) + " " + pic.Ref.String()
	}
	b.pictures[key] = pic
	return pic
}
