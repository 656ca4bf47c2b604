package octavo

// DraftText is a text that is shown without being stored (decision 77).
type DraftText struct {
	Content string
	Format  string // markdown or mdx, "" for what its page is, else Markdown
	PageID  ID     // in whose place it stands; "" for none
}

// DecodeDraft reads a draft. An unknown member is a fault when strict (decision 48).
func DecodeDraft(v Value, strict bool) (DraftText, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	f.require("content")
	d := DraftText{Content: orZero(f.str("content"))}
	if f.has("format") {
		choose(f, "format", &d.Format, "markdown", "mdx")
	}
	if s := f.str("pageId"); s != nil {
		if d.PageID = ID(*s); !d.PageID.Is(PrefixPage) {
			faults.Add("/pageId", "must be the identifier of a page")
		}
	}
	f.closed(strict)
	return d, faults.Err()
}

// RenderedLink is a link of a text.
type RenderedLink struct {
	Href  string    `json:"href"` // as it is written
	Line  int       `json:"line"` // from 1
	State LinkState `json:"state"`
}

// LinkState says whether a link leads somewhere.
type LinkState string

// What is known of a link.
const (
	LinkOK       LinkState = "ok"
	LinkBroken   LinkState = "broken"   // leads to no page, file or heading that the reader sees
	LinkExternal LinkState = "external" // leads elsewhere, and was not tried
)
