package octavo

import (
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"
)

// Limits of site settings: characters of texts, bytes of styles, links in a list.
const (
	maxSiteTitle = 200
	maxSiteText  = 1000
	maxSiteCSS   = 64 << 10
	maxSiteLinks = 50
)

// Patch returns the settings with a merge patch applied (RFC 7396): null resets a
// member to its default. An unknown member is an error.
func (s Site) Patch(v Value) (Site, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	f.plain("title", maxSiteTitle, &s.Title)
	f.plain("description", maxSiteText, &s.Description)
	f.id("home", PrefixPage, &s.Home)
	if v, ok := f.nullable("language", KindString); ok {
		if s.Language = v.Str; v.Str != "" {
			if msg := CheckLanguage(v.Str); msg != "" {
				faults.Add("/language", "%s", msg)
			}
		}
	}
	if v, ok := f.nullable("logo", KindObject); ok {
		if v.Kind == KindNull {
			s.Logo = SiteLogo{}
		} else {
			l := readObject(v, "/logo", &faults)
			l.id("light", PrefixAsset, &s.Logo.Light)
			l.id("dark", PrefixAsset, &s.Logo.Dark)
			l.closed(true)
		}
	}
	if d := f.dialect(); d != nil {
		s.Dialect = *d
	}
	f.id("favicon", PrefixAsset, &s.Favicon)
	if v, ok := f.nullable("css", KindString); ok {
		if s.CSS = v.Str; strings.ContainsRune(s.CSS, 0) {
			faults.Add("/css", "must not contain the NUL character")
		}
		if len(s.CSS) > maxSiteCSS {
			faults.Add("/css", "must have at most %d bytes; it has %d", maxSiteCSS, len(s.CSS))
		}
	}
	if v, ok := f.nullable("theme", KindObject); ok {
		if v.Kind == KindNull {
			s.Theme = DefaultSite().Theme
		} else {
			t := readObject(v, "/theme", &faults)
			s.Theme = SiteTheme{Light: t.colours("light", s.Theme.Light), Dark: t.colours("dark", s.Theme.Dark)}
			t.closed(true)
		}
	}
	f.links("header", &s.Header)
	f.links("footer", &s.Footer)
	f.plain("footerText", maxSiteText, &s.FooterText)
	if v, ok := f.nullable("banner", KindObject); ok {
		s.Banner = patchBanner(s.Banner, v, &faults)
	}
	choose(f, "robots", &s.Robots, RobotsIndex, RobotsNoIndex)
	f.switched("source", true, &s.Source)
	f.switched("feedback", true, &s.Feedback)
	f.switched("suggestions", false, &s.Suggestions)
	if v, ok := f.nullable("review", KindObject); ok {
		s.Review = patchReview(s.Review, v, &faults)
	}
	choose(f, "remoteImages", &s.RemoteImages, RemoteImagesLoad, RemoteImagesLink)
	f.closed(true)
	return s, faults.Err()
}

// switched reads a boolean; null means its default.
func (f *fields) switched(name string, byDefault bool, dest *bool) {
	v, ok := f.nullable(name, KindBool)
	switch {
	case !ok:
	case v.Kind == KindNull:
		*dest = byDefault
	default:
		*dest = v.Bool
	}
}

// id reads an identifier, or null.
func (f *fields) id(name string, prefix Prefix, dest **ID) {
	v, ok := f.nullable(name, KindString)
	if !ok {
		return
	}
	*dest = nil
	if id := ID(v.Str); id.Is(prefix) {
		*dest = &id
	} else if v.Kind != KindNull {
		f.faults.Add(Pointer(f.path, name), "must be an identifier such as %s_01h455vb4pex5vsknk084sn02q", prefix)
	}
}

// maxApprovals is the maximum number of approvals that a site may require.
const maxApprovals = 10

func patchReview(have SiteReview, v Value, faults *Faults) SiteReview {
	if v.Kind == KindNull {
		return SiteReview{}
	}
	f := readObject(v, "/review", faults)
	if n, ok := f.nullable("approvals", KindNumber); ok {
		approvals, whole := n.Int()
		if n.Kind != KindNull && (!whole || approvals < 0 || approvals > maxApprovals) {
			faults.Add("/review/approvals", "must be a whole number from 0 to %d", maxApprovals)
		}
		have.Approvals = int(approvals)
	}
	f.switched("upToDate", false, &have.UpToDate)
	f.closed(true)
	return have
}

func patchBanner(have *Banner, v Value, faults *Faults) *Banner {
	if v.Kind == KindNull {
		return nil
	}
	b := Banner{Kind: BannerInfo}
	if have != nil {
		b = *have
	}
	f := readObject(v, "/banner", faults)
	f.plain("text", maxSiteText, &b.Text)
	if b.Text == "" {
		faults.Add("/banner/text", "is required")
	}
	if v, ok := f.nullable("href", KindString); ok {
		if b.Href = v.Str; b.Href != "" {
			f.href(v.Str)
		}
	}
	choose(f, "kind", &b.Kind, BannerInfo, BannerWarning, BannerSuccess)
	f.closed(true)
	return &b
}

// plain reads a single-line text of at most most characters.
func (f *fields) plain(name string, most int, dest *string) {
	v, ok := f.nullable(name, KindString)
	if !ok {
		return
	}
	if n := utf8.RuneCountInString(v.Str); n > most {
		f.faults.Add(Pointer(f.path, name), "must have at most %d characters; it has %d", most, n)
	}
	if strings.ContainsFunc(v.Str, isControl) {
		f.faults.Add(Pointer(f.path, name), "must not contain control characters")
	}
	*dest = v.Str
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// choose reads one of the values; null means the first.
func choose[T ~string](f *fields, name string, dest *T, values ...T) {
	v, ok := f.nullable(name, KindString)
	switch {
	case !ok:
	case v.Kind == KindNull:
		*dest = values[0]
	case slices.Contains(values, T(v.Str)):
		*dest = T(v.Str)
	default:
		var names []string
		for _, value := range values {
			names = append(names, string(value))
		}
		f.faults.Add(Pointer(f.path, name), "must be one of %s", strings.Join(names, ", "))
	}
}

// colours reads the tokens of a theme.
func (f *fields) colours(name string, have map[string]string) map[string]string {
	v, ok := f.nullable(name, KindObject)
	if !ok {
		return have
	}
	colours := map[string]string{}
	if v.Kind == KindObject {
		maps.Copy(colours, have)
	}
	for _, m := range v.Members {
		at := Pointer(Pointer(f.path, name), m.Name)
		switch {
		case !slices.Contains(ThemeTokens(), m.Name):
			f.faults.Add(at, "is not a known token: use one of %s", strings.Join(ThemeTokens(), ", "))
		case m.Value.Kind == KindNull:
			delete(colours, m.Name)
			continue
		case m.Value.Kind != KindString || !isHexColour(m.Value.Str):
			f.faults.Add(at, "must be a colour such as #336699 or #369")
		}
		colours[m.Name] = m.Value.Str
	}
	return colours
}

// links reads a list of links.
func (f *fields) links(name string, dest *[]SiteLink) {
	v, ok := f.nullable(name, KindArray)
	if !ok {
		return
	}
	*dest = []SiteLink{}
	path := Pointer(f.path, name)
	if n := len(v.Items); n > maxSiteLinks {
		f.faults.Add(path, "must have at most %d links; it has %d", maxSiteLinks, n)
		return
	}
	for i, item := range v.Items {
		l := readObject(item, PointerIndex(path, i), f.faults)
		l.require("label", "href")
		var link SiteLink
		l.plain("label", maxSiteTitle, &link.Label)
		if link.Label == "" && l.has("label") {
			f.faults.Add(Pointer(l.path, "label"), "must not be empty")
		}
		if v, ok := l.get("href", KindString); ok {
			l.href(v.Str)
			link.Href = v.Str
		}
		l.closed(true)
		*dest = append(*dest, link)
	}
}

// href checks the target of a link.
func (f *fields) href(s string) {
	at := Pointer(f.path, "href")
	switch {
	case strings.HasPrefix(s, "/"):
		if fault := checkSitePath(s); fault != "" {
			f.faults.Add(at, "%s", fault)
		}
	case strings.HasPrefix(strings.ToLower(s), "mailto:"):
		if len(s) > MaxCallbackURL || strings.ContainsFunc(s, isControl) || !strings.Contains(s, "@") {
			f.faults.Add(at, "must be an address such as mailto:docs@example.com")
		}
	default:
		if CheckHTTPURL(s) != "" {
			f.faults.Add(at, "must be a path such as /guide, or an address that begins with https:, http: or mailto:")
		}
	}
}

// checkSitePath returns what is wrong with a path, or "". Browsers read two slashes, or
// a slash and a backslash, as the beginning of another host.
func checkSitePath(s string) string {
	switch {
	case len(s) > MaxCallbackURL:
		return "must have at most 2048 bytes"
	case !strings.HasPrefix(s, "/") || strings.HasPrefix(s, "//") || strings.ContainsRune(s, '\\'):
		return "must begin with one slash and have no backslash"
	case !utf8.ValidString(s) || strings.ContainsFunc(s, isControl):
		return "must not contain control characters"
	}
	return ""
}

// DecodeRedirect reads a redirect. Unknown members are errors if strict (decision 48).
// From is decoded, without a trailing slash.
func DecodeRedirect(v Value, strict bool) (Redirect, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	f.require("from", "to")
	var r Redirect
	if s := f.str("from"); s != nil {
		r.From = f.redirectFrom(*s)
	}
	if s := f.str("to"); s != nil {
		r.To = *s
		fault := checkSitePath(r.To)
		if fault != "" && CheckHTTPURL(strings.TrimSuffix(r.To, "*")) == "" {
			fault = ""
		}
		switch path, star := strings.CutSuffix(r.To, "*"); {
		case fault != "":
			faults.Add("/to", "must be a path such as /guide, or an address that begins with https: or http:")
		case strings.Contains(path, "*"):
			faults.Add("/to", "may have * at its end only")
		case star && !strings.HasSuffix(r.From, "*"):
			faults.Add("/to", "may end with * only if from does")
		case star && !strings.HasPrefix(path, "/") && strings.Count(path, "/") < 3:
			faults.Add("/to", "must have a slash after the host, before *")
		case r.From != "" && strings.TrimSuffix(r.To, "/") == strings.TrimSuffix(r.From, "/"):
			faults.Add("/to", "must not be from")
		}
	}
	f.closed(strict)
	return r, faults.Err()
}

// redirectFrom reads the source of a redirect.
func (f *fields) redirectFrom(s string) string {
	at := Pointer(f.path, "from")
	path, star := strings.CutSuffix(s, "*")
	decoded, err := url.PathUnescape(path)
	fault := checkSitePath(decoded)
	switch {
	case err != nil || strings.ContainsAny(path, "?#"):
		f.faults.Add(at, "must be a path without query and fragment, with other characters percent-encoded")
	case fault != "":
		f.faults.Add(at, "%s", fault)
	case len(s) > MaxRedirectFrom:
		f.faults.Add(at, "must have at most %d bytes", MaxRedirectFrom)
	case strings.Contains(decoded, "*"):
		f.faults.Add(at, "may have * at its end only")
	case decoded == "/" || decoded == "/-" || strings.HasPrefix(decoded, "/-/"):
		f.faults.Add(at, "must not be the home page, nor below /-, which the server serves itself")
	case !star && slices.Contains([]string{"/sitemap.xml", "/llms.txt", "/llms-full.txt"}, decoded):
		f.faults.Add(at, "must not be %s, which the server serves itself", decoded)
	}
	if star {
		return decoded + "*"
	}
	return strings.TrimSuffix(decoded, "/")
}
