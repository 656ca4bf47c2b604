package octavo

import "encoding/json"

// Site is how the site for readers looks and behaves (decision 64).
type Site struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	Home        *ID    `json:"home"` // a page; nil for the first page without a parent

	CSS    string     `json:"css"`   // added to the styles of the site
	Theme  SiteTheme  `json:"theme"` // by [ThemeTokens]
	Header []SiteLink `json:"header"`
	Footer []SiteLink `json:"footer"`

	FooterText string  `json:"footerText"` // plain
	Banner     *Banner `json:"banner"`     // nil for none

	Robots Robots `json:"robots"`
	Source bool   `json:"source"` // whether readers get pages as Markdown
}

// SiteTheme has colours by the name of their token.
type SiteTheme struct {
	Light map[string]string `json:"light"`
	Dark  map[string]string `json:"dark"`
}

// SiteLink is a link in the header or footer of the site.
type SiteLink struct {
	Label string `json:"label"`
	Href  string `json:"href"` // a path, or an address of http, https or mailto
}

// Banner is a message above every page of the site.
type Banner struct {
	Text string     `json:"text"`
	Href string     `json:"href"` // as that of a SiteLink; "" for none
	Kind BannerKind `json:"kind"`
}

// BannerKind says how important a banner is.
type BannerKind string

// The kinds of a banner.
const (
	BannerInfo    BannerKind = "info"
	BannerWarning BannerKind = "warning"
	BannerSuccess BannerKind = "success"
)

// Robots says whether search engines may index the site.
type Robots string

// What robots are told.
const (
	RobotsIndex   Robots = "index"
	RobotsNoIndex Robots = "noindex"
)

// DefaultSite returns the settings of a new installation.
func DefaultSite() Site {
	return Site{
		Theme:  SiteTheme{Light: map[string]string{}, Dark: map[string]string{}},
		Header: []SiteLink{}, Footer: []SiteLink{}, Robots: RobotsIndex, Source: true,
	}
}

// AppendJSON appends the settings as they are read.
func (s Site) AppendJSON(dst []byte) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		panic("octavo: encode site settings: " + err.Error()) // they have texts and truth values only
	}
	return append(dst, text...)
}

// Redirect leads from a path of the site to another one, or to another site.
type Redirect struct {
	// From is a path below the root of the site. Where it ends with *, it is the
	// beginning of many.
	From string `json:"from"`
	// To is such a path, or an http or https address. A * at its end stands for
	// what follows the beginning.
	To string `json:"to"`
}

// Limits of redirects: how many an installation has, and bytes of a from.
const (
	MaxRedirects    = 100_000
	MaxRedirectFrom = 1000
)
