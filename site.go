package octavo

import "encoding/json"

// Site is how the site for readers looks and behaves (decision 64).
type Site struct {
	Title       string  `json:"title"`
	Description string  `json:"description"`
	Home        *ID     `json:"home"`     // a page; nil for the first page without a parent
	Language    string  `json:"language"` // a tag of BCP 47; "" for that of the home page
	Dialect     Dialect `json:"dialect"`  // of new pages without a parent that has one; "" for none

	Logo    SiteLogo `json:"logo"`
	Favicon *ID      `json:"favicon"` // an image; nil for none

	CSS    string     `json:"css"`   // added to the styles of the site
	Theme  SiteTheme  `json:"theme"` // by [ThemeTokens]
	Header []SiteLink `json:"header"`
	Footer []SiteLink `json:"footer"`

	FooterText string  `json:"footerText"` // plain
	Banner     *Banner `json:"banner"`     // nil for none

	Robots Robots `json:"robots"`
	Source bool   `json:"source"` // whether readers get pages as Markdown

	RemoteImages RemoteImages `json:"remoteImages"`
	Feedback     bool         `json:"feedback"`    // whether readers are asked what they think of a page
	Suggestions  bool         `json:"suggestions"` // whether readers who are signed in may propose changes
	Review       SiteReview   `json:"review"`
}

// SiteReview says what changes of published pages need (decision 74).
type SiteReview struct {
	Approvals int  `json:"approvals"` // by other people; 0 lets whoever may write do so at once
	UpToDate  bool `json:"upToDate"`  // whether a change has to be of the newest revision
}

// SiteLogo has the images that stand for the name of the site; nil for none.
type SiteLogo struct {
	Light *ID `json:"light"`
	Dark  *ID `json:"dark"` // nil for Light
}

// Files returns the assets that the site itself shows, by the JSON Pointer of
// their member.
func (s Site) Files() map[string]ID {
	files := map[string]ID{}
	for pointer, id := range map[string]*ID{"/logo/light": s.Logo.Light, "/logo/dark": s.Logo.Dark, "/favicon": s.Favicon} {
		if id != nil {
			files[pointer] = *id
		}
	}
	return files
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

// RemoteImages says what pages show of images of other sites.
type RemoteImages string

// What they show: the images, or links to them, with which no other site learns who
// reads.
const (
	RemoteImagesLoad RemoteImages = "load"
	RemoteImagesLink RemoteImages = "link"
)

// DefaultSite returns the settings of a new installation.
func DefaultSite() Site {
	return Site{
		Theme:  SiteTheme{Light: map[string]string{}, Dark: map[string]string{}},
		Header: []SiteLink{}, Footer: []SiteLink{}, Robots: RobotsIndex, Source: true, RemoteImages: RemoteImagesLoad, Feedback: true,
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
