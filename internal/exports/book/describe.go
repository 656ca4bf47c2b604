package book

import "github.com/octavo-docs/octavo/internal/document"

// describe lets images that say nothing say what their assets do, and what the
// request says where those are silent (decision 53): the alternative text, and
// the caption as a title. An alternative text that is empty says that the image
// is an ornament.
func (b *Book) describe(p *Page, d *document.Document) {
	if len(p.Assets) == 0 {
		return
	}
	otherwise := b.Request.Rendering.Metadata
	d.Walk(func(n document.Node) bool {
		image, ok := n.(*document.Image)
		if !ok || image.Alt != "" && image.Title != "" {
			return true
		}
		a, found := b.Asset(p, image.Src)
		if !found {
			return true
		}
		say := func(to *string, own, other *string) {
			if own == nil {
				own = other
			}
			if *to == "" && own != nil {
				*to = *own
			}
		}
		say(&image.Alt, a.Metadata.Alt, otherwise.Alt)
		say(&image.Title, a.Metadata.Caption, otherwise.Caption)
		return true
	})
}
