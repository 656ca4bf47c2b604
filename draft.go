package octavo

// DraftText is a text that is rendered without being stored (decision 77).
type DraftText struct {
	Content string   `json:"content"`
	Format  string   `json:"format,omitempty"`  // markdown or mdx, "" for that of its page, else Markdown
	Dialect *Dialect `json:"dialect,omitempty"` // nil for that of its page
	PageID  ID       `json:"pageId,omitempty"`  // in whose place it is; "" for none
}

// DecodeDraft reads a draft. Unknown members are errors if strict (decision 48).
func DecodeDraft(v Value, strict bool) (DraftText, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	f.require("content")
	d := DraftText{Content: orZero(f.str("content"))}
	if f.has("format") {
		choose(f, "format", &d.Format, "markdown", "mdx")
	}
	d.Dialect = f.dialect()
	if s := f.str("pageId"); s != nil {
		if d.PageID = ID(*s); !d.PageID.Is(PrefixPage) {
			faults.Add("/pageId", "must be the identifier of a page")
		}
	}
	f.closed(strict)
	return d, faults.Err()
}

// Rendered is a rendered draft.
type Rendered struct {
	HTML     string            `json:"html"` // a safe fragment
	Headings []RenderedHeading `json:"headings"`
	Links    []RenderedLink    `json:"links"`
	Notices  []RenderedNotice  `json:"notices"` // what could not be shown as written
}

// RenderedHeading is a heading of a text.
type RenderedHeading struct {
	Level  int    `json:"level"` // 1 to 6
	Text   string `json:"text"`
	Anchor string `json:"anchor"`
	Line   int    `json:"line"` // from 1
}

// RenderedNotice says where a text could not be shown as written, and why.
type RenderedNotice struct {
	Line    int    `json:"line"`
	Column  int    `json:"column"`
	Message string `json:"message"`
}

// RenderedLink is a link of a text.
type RenderedLink struct {
	Href  string    `json:"href"` // as it is written
	Line  int       `json:"line"` // from 1
	State LinkState `json:"state"`
}

// LinkState says whether a link has a target.
type LinkState string

// The states of a link.
const (
	LinkOK       LinkState = "ok"
	LinkBroken   LinkState = "broken"   // has no target that the reader sees
	LinkExternal LinkState = "external" // leads elsewhere, and was not checked
)
