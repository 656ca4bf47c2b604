package octavo

import "encoding/json"

// Site has the settings of the site for readers (decision 64).
type Site struct {
	Title       string  `json:"title"`
	Description string  `json:"description"`
	Home        *ID     `json:"home"`     // a page; nil for the first page without a parent
	Language    string  `json:"language"` // a tag of BCP 47; "" for that of the home page
	Dialect     Dialect `json:"dialect"`  // of new pages whose parent has none; "" for none

	Logo    SiteLogo `json:"logo"`
	Favicon *ID      `json:"favicon"` // an image; nil for none

	CSS    string     `json:"css"`   // added to the site's styles
	Theme  SiteTheme  `json:"theme"` // by [ThemeTokens]
	Header []SiteLink `json:"header"`
	Footer []SiteLink `json:"footer"`

	FooterText string  `json:"footerText"` // plain
	Banner     *Banner `json:"banner"`     // nil for none

	Robots Robots `json:"robots"`
	Source bool   `json:"source"` // whether readers get pages as Markdown

	RemoteImages RemoteImages `json:"remoteImages"`
	Feedback     bool         `json:"feedback"`    // whether readers are asked for feedback
	Suggestions  bool         `json:"suggestions"` // whether signed-in readers may propose changes
	Review       SiteReview   `json:"review"`
}

// SiteReview has the requirements for changes of published pages (decision 74).
type SiteReview struct {
	Approvals int  `json:"approvals"` // by other people; 0 requires none
	UpToDate  bool `json:"upToDate"`  // whether a change must be based on the newest revision
}

// SiteLogo has the images that replace the site's name; nil for none.
type SiteLogo struct {
	Light *ID `json:"light"`
	Dark  *ID `json:"dark"` // nil for Light
}

// Files returns the assets that the site itself shows, by the JSON Pointer of their
// member.
func (s Site) Files() map[string]ID {
	files := map[string]ID{}
	for pointer, id := range map[string]*ID{"/logo/light": s.Logo.Light, "/logo/dark": s.Logo.Dark, "/favicon": s.Favicon} {
		if id != nil {
			files[pointer] = *id
		}
	}
	return files
}

// SiteTheme has colours by token.
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
	Href string     `json:"href"` // as in SiteLink; "" for none
	Kind BannerKind `json:"kind"`
}

// BannerKind is the importance of a banner.
type BannerKind string

// The kinds of a banner.
const (
	BannerInfo    BannerKind = "info"
	BannerWarning BannerKind = "warning"
	BannerSuccess BannerKind = "success"
)

// Robots says whether search engines may index the site.
type Robots string

// The values for robots.
const (
	RobotsIndex   Robots = "index"
	RobotsNoIndex Robots = "noindex"
)

// RemoteImages says how pages show images of other sites.
type RemoteImages string

// Pages show the images, or links to them, so that other sites do not learn who reads.
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

// AppendJSON appends the settings as clients see them.
func (s Site) AppendJSON(dst []byte) []byte {
	text, err := json.Marshal(s)
	if err != nil {
		panic("octavo: encode site settings: " + err.Error()) // they have only strings and booleans
	}
	return append(dst, text...)
}

// Redirect leads from a path of the site to another path, or to another site.
type Redirect struct {
	// From is a path below the root of the site. With a * at its end, it is a prefix.
	From string `json:"from"`
	// To is such a path, or an http or https address. A * at its end stands for the
	// rest after the prefix.
	To string `json:"to"`
}

// Limits of redirects: the number in an installation, and bytes of a from.
const (
	MaxRedirects    = 100_000
	MaxRedirectFrom = 1000
)
