package picture

import (
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo/internal/pdf/writer"
)

// maxInner limits the nesting of drawings as pictures.
const maxInner = 3

// image draws an embedded picture. Others are not loaded.
func (d *drawing) image(e *element, s style) error {
	if s.hidden || s.gone {
		return nil
	}
	p := d.embedded(e.attribute("href"))
	if p == nil {
		d.left["image"] = true
		return nil
	}
	width, height := s.length(e.attribute("width"), along), s.length(e.attribute("height"), down)
	natural := [2]float64{float64(p.Width), float64(p.Height)}
	switch {
	case width <= 0 && height <= 0:
		width, height = natural[0], natural[1]
	case width <= 0:
		width = height * natural[0] / natural[1]
	case height <= 0:
		height = width * natural[1] / natural[0]
	}
	d.raw("q\n")
	d.transform(s.transform)
	d.matrix(1, 0, 0, 1, s.length(e.attribute("x"), along), s.length(e.attribute("y"), down))
	err := d.enclose(s, []step{{"re", []float64{0, 0, width, height}}})
	if err == nil {
		if strings.Contains(e.attribute("preserveAspectRatio"), "slice") {
			d.operator("re\nW n\n", 0, 0, width, height)
		}
		d.state(s.opacity, 1)
		f := fit(e, [4]float64{0, 0, natural[0], natural[1]}, width, height)
		d.matrix(f[:]...)
		d.matrix(natural[0], 0, 0, -natural[1], 0, natural[1]) // the y axis of pictures points up
		turn := p.Turn.Matrix()
		d.matrix(turn[:]...)
		d.raw("/" + p.Name + " Do\n")
	}
	d.raw("Q\n")
	return err
}

// embedded returns the picture in a data URL, or nil.
func (d *drawing) embedded(address string) *Picture {
	if p, known := d.pictures[address]; known {
		return p
	}
	d.pictures[address] = nil
	head, body, ok := strings.Cut(address, ",")
	if !ok || !strings.HasPrefix(head, "data:image/") || d.inner >= maxInner {
		return nil
	}
	data := []byte(body)
	if plain, err := url.PathUnescape(body); err == nil {
		data = []byte(plain)
	}
	if strings.HasSuffix(head, ";base64") {
		plain, err := base64.RawStdEncoding.DecodeString(strings.NewReplacer(" ", "", "\n", "", "\r", "", "\t", "", "=", "").Replace(string(data)))
		if err != nil {
			return nil
		}
		data = plain
	}
	d.inner++
	p, err := write(d.file, data, d.letters, d.effort)
	d.inner--
	if err != nil {
		return nil
	}
	for _, name := range p.Left {
		d.left[name] = true
	}
	p.Name = d.object(p.Ref)
	d.pictures[address] = p
	return p
}

// object adds a form or picture to the resources and returns its name.
func (d *drawing) object(ref writer.Ref) string {
	name := "X" + strconv.Itoa(len(d.objects))
	d.objects = append(d.objects, "/"+name+" "+ref.String())
	return name
}
