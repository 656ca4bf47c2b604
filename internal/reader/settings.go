package reader

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/words"
	"github.com/octavo-docs/octavo/internal/site/look"
)

// settings are the site settings of one version.
type settings struct {
	octavo.Site
	version int64
	files   map[octavo.ID]picture // of Logo and Favicon, if they exist
}

// picture is an image that every page shows.
type picture struct {
	address       string
	width, height int
}

// isSame reports whether everything that pages show is equal. The home page
// may appear and disappear without a change of the settings.
func (a *settings) isSame(b *settings) bool {
	home := func(s *settings) octavo.ID {
		if s.Home == nil {
			return ""
		}
		return *s.Home
	}
	return a.version == b.version && home(a) == home(b) && maps.Equal(a.files, b.files)
}

func (s *Service) readSettings(ctx context.Context) (*settings, error) {
	site, version, err := s.Store.Sites.Get(ctx, audience())
	if err != nil {
		return nil, err
	}
	set := &settings{Site: site, version: version}
	ids := slices.Collect(maps.Values(site.Files()))
	if len(ids) == 0 {
		return set, nil
	}
	found, err := s.Store.Assets.FilesByID(ctx, audience(), ids)
	set.files = make(map[octavo.ID]picture, len(found))
	for id, f := range found {
		set.files[id] = picture{s.fileAddress(f.Asset), f.Width, f.Height}
	}
	return set, err
}

// Shows reports whether the site itself shows an asset, for example as its logo.
func (x *Site) Shows(id octavo.ID) bool {
	_, shown := x.settings.files[id]
	return shown
}

// logo is the image in place of the title, or "".
func (o *tree) logo() string {
	var text bytes.Buffer
	out := look.Out{Buffer: &text}
	image := func(id *octavo.ID, class string) bool {
		if id == nil {
			return false
		}
		p, found := o.settings.files[*id]
		if found {
			out.Raw(`<img class="site-logo`, class, `"`)
			out.Attribute("src", p.address)
			out.Attribute("alt", o.look.Title)
			if p.width > 0 && p.height > 0 {
				out.Raw(fmt.Sprintf(` width="%d" height="%d"`, p.width, p.height))
			}
			out.Raw(">")
		}
		return found
	}
	shown := func(id *octavo.ID) bool { return id != nil && o.settings.files[*id].address != "" }
	light, dark := o.settings.Logo.Light, o.settings.Logo.Dark
	if shown(light) && shown(dark) {
		image(light, " site-day")
		image(dark, " site-night")
	} else if !image(light, "") {
		image(dark, "")
	}
	return text.String()
}

// Source reports whether readers get pages as Markdown.
func (x *Site) Source() bool { return x.settings.Source }

// maxHops limits the redirects that are followed.
const maxHops = 10

// Redirect returns the target of a path below the site by the redirects. It
// never leads to a hidden page or in circles.
func (x *Site) Redirect(ctx context.Context, path string) (to string, found bool, err error) {
	to, found, err = x.Store.Sites.Lead(ctx, "/"+path)
	if page, file := strings.CutSuffix(path, ".html"); file && !found && err == nil { // imports leave the ending out
		to, found, err = x.Store.Sites.Lead(ctx, "/"+strings.TrimSuffix(page, "/index"))
	}
	for hop := 0; found && err == nil && hop < maxHops; hop++ {
		if !strings.HasPrefix(to, "/") {
			return ascii(to), true, nil
		}
		end := strings.IndexAny(to+"#", "?#")
		rest := to[end:]
		written := strings.TrimRight(to[1:end], "/")
		plain, fault := url.PathUnescape(written)
		slug := strings.TrimSuffix(plain, ".md")
		if fault == nil && (plain == "" || x.slugs[plain] != nil || x.slugs[slug] != nil) {
			return ascii(x.At(strings.TrimSuffix("/"+written, "/")) + rest), true, nil
		}
		moved, there, err := x.Moved(ctx, plain)
		if there || err != nil {
			return ascii(moved + rest), there, err
		}
		further, again, err := x.Store.Sites.Lead(ctx, "/"+plain)
		if err != nil || !again && octavo.CheckSlug(slug) == "" {
			return "", false, err // it is hidden, or nowhere
		}
		if !again {
			return ascii(x.At("/"+written) + rest), true, nil
		}
		to = further
	}
	return "", false, err
}

// ascii escapes characters that are not allowed in a header field.
func ascii(address string) string {
	var b strings.Builder
	for _, c := range []byte(address) {
		if c >= 0x80 || c == ' ' {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// customName is the name of the style sheet with the settings' colours and styles.
const customName = "custom.css"

// Custom reports whether a path is that style sheet, which on a members'
// site only members can read.
func Custom(path string) bool { return strings.HasSuffix(path, "/"+customName) }

// Static is [Service.Static], including the style sheet of the settings.
func (x *Site) Static(name string) (*File, error) {
	if name == customName && x.custom != nil {
		return x.custom, nil
	}
	return x.Service.Static(name)
}

// customize prepares what the settings add to every page.
func (s *Service) customize(o *tree) (err error) {
	o.look.Title = cmp.Or(o.settings.Title, o.look.Title)
	o.look.Logo = o.logo()
	if id := o.settings.Favicon; id != nil {
		o.look.Icon = o.settings.files[*id].address
	}
	o.look.Banner, o.look.Links = s.banner(o.settings.Banner), s.bar(o.settings.Header)
	o.look.Footer = s.footer(&o.tongue, o.settings)
	style := colours(o.settings.Theme) + o.settings.CSS
	if style == "" {
		return nil
	}
	o.custom, err = s.file(typeStyle, []byte(style))
	o.look.Files += o.style(s.own)
	return err
}

// style returns the link to the styles of the settings.
func (o *tree) style(own string) string {
	if o.custom == nil {
		return ""
	}
	return `<link rel="stylesheet" href="` + own + "/look/" + o.custom.Tag + "/" + customName + "\">\n"
}

// colours returns the CSS rules for the tokens of a theme. Paper is light.
func colours(t octavo.SiteTheme) string {
	var b strings.Builder
	rule := func(around, element string, tokens map[string]string) {
		if len(tokens) == 0 {
			return
		}
		fmt.Fprintf(&b, "%s { %s {\n", around, element)
		for _, name := range slices.Sorted(maps.Keys(tokens)) {
			fmt.Fprintf(&b, "\t--oct-%s: %s;\n", name, tokens[name])
		}
		b.WriteString("} }\n")
	}
	rule("@media screen", ".oct:not(.oct-dark, .oct-system)", t.Light)
	rule("@media print, (prefers-color-scheme: light)", ".oct.oct-system", t.Light)
	rule("@media screen", ".oct.oct-dark", t.Dark)
	rule("@media screen and (prefers-color-scheme: dark)", ".oct.oct-system", t.Dark)
	return b.String()
}

func (s *Service) banner(b *octavo.Banner) string {
	if b == nil {
		return ""
	}
	var text bytes.Buffer
	out := look.Out{Buffer: &text}
	out.Raw(`<aside class="site-banner site-`, string(b.Kind), `">`)
	if b.Href == "" {
		out.Text(b.Text)
	} else {
		s.link(out, octavo.SiteLink{Label: b.Text, Href: b.Href})
	}
	out.Raw("</aside>\n")
	return text.String()
}

func (s *Service) bar(list []octavo.SiteLink) string {
	if len(list) == 0 {
		return ""
	}
	var text bytes.Buffer
	out := look.Out{Buffer: &text}
	out.Raw("<ul class=\"site-links\">\n")
	for _, l := range list {
		out.Raw("<li>")
		s.link(out, l)
		out.Raw("</li>\n")
	}
	out.Raw("</ul>\n")
	return text.String()
}

// link writes a link. A path is below the public address.
func (s *Service) link(out look.Out, l octavo.SiteLink) {
	if strings.HasPrefix(l.Href, "/") {
		l.Href = s.server + l.Href
	}
	out.Raw("<a")
	out.Attribute("href", l.Href)
	out.Raw(">")
	out.Text(l.Label)
	out.Raw("</a>")
}

// footer returns the footer of every page.
func (s *Service) footer(w *words.Words, set *settings) string {
	var text bytes.Buffer
	out := look.Out{Buffer: &text}
	out.Raw("<footer class=\"site-end\">\n", s.bar(set.Footer))
	if set.FooterText != "" {
		out.Raw("<p>")
		out.Text(set.FooterText)
		out.Raw("</p>\n")
	}
	out.Link(s.server+"/reference", w.Reference)
	out.Raw("\n")
	me := ""
	if !s.Apart() {
		me = ` data-me="` + s.own + `/me"`
	}
	out.Raw(`<a href="`, s.server, `/account"`, me, ">")
	out.Text(w.Account)
	out.Raw("</a>\n</footer>\n")
	return text.String()
}
