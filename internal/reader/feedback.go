package reader

import (
	"fmt"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/words"
	"github.com/octavo-docs/octavo/internal/outline"
	"github.com/octavo-docs/octavo/internal/site/look"
)

// ask writes the feedback form of a page.
func (x *Site) ask(out look.Out, w *words.Words, p *page, said *outline.Said) {
	out.Raw(`<form class="site-feedback" method="post" action="`, x.own, `/feedback">
<input type="hidden" name="page" value="`, string(p.id), `"><input type="hidden" name="revision" value="`, strconv.FormatInt(said.Revision, 10), "\">\n<p id=\"Helpful\">")
	out.Text(w.Helpful)
	out.Raw("</p>\n")
	for _, b := range []struct{ value, text string }{{"yes", w.Yes}, {"no", w.No}} {
		out.Raw(`<button type="submit" name="helpful" aria-describedby="Helpful" value="`, b.value, `">`)
		out.Text(b.text)
		out.Raw("</button>\n")
	}
	out.Raw("<details>\n<summary>")
	out.Text(w.SayMore)
	out.Raw(`</summary>
<textarea name="text" rows="3"`)
	out.Attribute("aria-label", w.SayMore)
	out.Raw(fmt.Sprintf(" maxlength=\"%d\"></textarea>\n</details>\n</form>\n", octavo.MaxFeedbackText))
}

// About adds the page to feedback. ok is false if readers do not see it, or
// feedback is off.
func (x *Site) About(f *octavo.Feedback) (ok bool) {
	p := x.pages[f.PageID]
	if p == nil || !x.settings.Feedback {
		return false
	}
	f.Slug = p.slug
	if newest := p.said.Load().Revision; f.Revision < 1 || f.Revision > newest {
		f.Revision = newest
	}
	return true
}

// Thanks returns the page after sending feedback.
func (x *Site) Thanks(slug string) (*File, error) {
	p := x.slugs[slug]
	if p == nil {
		return nil, errNoPage()
	}
	return x.framed(x.tongue.Thanks, p, func(out look.Out) {
		out.Raw("<p>")
		out.Link(p.Href, x.tongue.BackToPage)
		out.Raw("</p>\n")
	})
}
