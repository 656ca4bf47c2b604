package octavo

import (
	"encoding/json"
	"strconv"
	"time"
)

// Limits of a page (contract section "Limits", decisions 7 and 11).
const (
	MaxTitle       = 120  // Unicode code points
	MaxSlug        = 512  // bytes; the contract sets no bound, the database index needs one
	MaxDepth       = 32   // pages from root to leaf
	MaxCallbackURL = 2048 // bytes
	MaxBulk        = 1000 // operations of one bulk request
)

// PageStatus is the publication state of a page. Each status may change into each other
// one; setting the same again changes nothing and causes no event (decision 6).
type PageStatus string

// The statuses of a page.
const (
	Draft     PageStatus = "draft"
	Published PageStatus = "published"
	Archived  PageStatus = "archived"
)

// Valid reports whether s is one of the three statuses.
func (s PageStatus) Valid() bool { return s == Draft || s == Published || s == Archived }

// Link is one outgoing link of a page (decision 14).
type Link struct {
	Href  string `json:"href"`
	Label string `json:"label"`
}

// Page is a documentation page as clients see it.
//
// Content is exactly what its author wrote. Links is computed from it when the page is
// stored and cannot be set. Version rises with every change of any kind; Revision
// counts changes of content, title, slug and front matter.
type Page struct {
	ID          ID              `json:"id"`
	Title       string          `json:"title"`
	Slug        string          `json:"slug"`
	Status      PageStatus      `json:"status"`
	Content     string          `json:"content"`
	Frontmatter json.RawMessage `json:"frontmatter,omitempty"` // a JSON object, as written
	ParentID    ID              `json:"parentId"`              // "" is encoded as null
	CreatedAt   time.Time       `json:"createdAt"`
	UpdatedAt   time.Time       `json:"updatedAt"`
	Links       json.RawMessage `json:"links"`               // a JSON array of Link
	Position    *int64          `json:"position,omitempty"`  // order among its siblings; those without one come last
	PublishAt   *time.Time      `json:"publishAt,omitempty"` // when the server publishes it; nil for never
	UnpublishAt *time.Time      `json:"unpublishAt,omitempty"`
	Source      string          `json:"source,omitempty"`    // the path of the imported file, with forward slashes
	ImportSet   string          `json:"importSet,omitempty"` // the import set of the file
	Language    string          `json:"language,omitempty"`  // a tag of BCP 47: see PageLanguage
	Dialect     Dialect         `json:"dialect,omitempty"`
	DeletedAt   *time.Time      `json:"deletedAt,omitempty"` // only in lists of deleted pages

	Version  int64 `json:"-"` // for the ETag
	Revision int64 `json:"-"` // the number of its newest revision, from 1

	// Added by include (decision 17); nil if not requested.
	FrontmatterRaw string          `json:"frontmatterRaw,omitempty"` // as text, with the lines around it
	Imported       json.RawMessage `json:"imported,omitempty"`       // state of the last import, a JSON object

	Authors  []Actor           `json:"authors,omitempty"`
	Assets   []json.RawMessage `json:"assets,omitempty"`
	Children []PageSummary     `json:"children,omitempty"`
}

// PageSummary is a page in its parent's list of children.
type PageSummary struct {
	ID     ID         `json:"id"`
	Title  string     `json:"title"`
	Slug   string     `json:"slug"`
	Status PageStatus `json:"status"`
}

// Backlink is a link to a page: where it is and its text.
type Backlink struct {
	ID    ID     `json:"id"` // the page with the link
	Title string `json:"title"`
	Slug  string `json:"slug"`
	Label string `json:"label"`
}

// BrokenLink is a link without a target.
type BrokenLink struct {
	PageID ID     `json:"pageId"`
	Title  string `json:"title"`
	Slug   string `json:"slug"`
	Href   string `json:"href"`
	Line   int    `json:"line,omitempty"` // of the text of the page, from 1; 0 if unknown
}

// Revision is one state of a page's content. Content is nil in lists.
type Revision struct {
	Number      int64           `json:"number"`
	Title       string          `json:"title"`
	Slug        string          `json:"slug"`
	Frontmatter json.RawMessage `json:"frontmatter,omitempty"`
	Author      Actor           `json:"author"`
	CreatedAt   time.Time       `json:"createdAt"`
	Content     *string         `json:"content,omitempty"`

	// FrontmatterRaw is the front matter as text; "" if not requested.
	FrontmatterRaw string `json:"frontmatterRaw,omitempty"`

	// ProposalID is the merged proposal that made the revision, and MergedBy the person
	// who merged it.
	ProposalID ID     `json:"proposalId,omitempty"`
	MergedBy   *Actor `json:"mergedBy,omitempty"`
}

// AppendTime appends t in the format of the API: RFC 3339, UTC, milliseconds.
func AppendTime(dst []byte, t time.Time) []byte {
	return t.UTC().AppendFormat(dst, `"2006-01-02T15:04:05.000Z"`)
}

// AppendJSON appends the page in the contract's shape without absent members, except
// parentId, which may be null.
func (p *Page) AppendJSON(dst []byte) []byte {
	dst = append(dst, `{"id":"`...)
	dst = append(dst, p.ID...)
	dst = append(dst, `","title":`...)
	dst = AppendString(dst, p.Title)
	dst = append(dst, `,"slug":"`...)
	dst = append(dst, p.Slug...)
	dst = append(dst, `","status":"`...)
	dst = append(dst, p.Status...)
	dst = append(dst, `","content":`...)
	dst = AppendString(dst, p.Content)
	if len(p.Frontmatter) > 0 {
		dst = append(append(dst, `,"frontmatter":`...), p.Frontmatter...)
	}
	dst = append(dst, `,"parentId":`...)
	if p.ParentID == "" {
		dst = append(dst, "null"...)
	} else {
		dst = AppendString(dst, string(p.ParentID))
	}
	dst = AppendTime(append(dst, `,"createdAt":`...), p.CreatedAt)
	dst = AppendTime(append(dst, `,"updatedAt":`...), p.UpdatedAt)
	dst = append(dst, `,"links":`...)
	if len(p.Links) == 0 {
		dst = append(dst, "[]"...)
	} else {
		dst = append(dst, p.Links...)
	}
	if p.Position != nil {
		dst = strconv.AppendInt(append(dst, `,"position":`...), *p.Position, 10)
	}
	if p.PublishAt != nil {
		dst = AppendTime(append(dst, `,"publishAt":`...), *p.PublishAt)
	}
	if p.UnpublishAt != nil {
		dst = AppendTime(append(dst, `,"unpublishAt":`...), *p.UnpublishAt)
	}
	if p.Source != "" {
		dst = AppendString(append(dst, `,"source":`...), p.Source)
	}
	if p.ImportSet != "" {
		dst = AppendString(append(dst, `,"importSet":`...), p.ImportSet)
	}
	if p.Language != "" {
		dst = AppendString(append(dst, `,"language":`...), p.Language)
	}
	if p.Dialect != "" {
		dst = p.Dialect.appendJSON(append(dst, `,"dialect":`...))
	}
	if p.DeletedAt != nil {
		dst = AppendTime(append(dst, `,"deletedAt":`...), *p.DeletedAt)
	}
	dst = p.appendIncludes(dst)
	return append(dst, '}')
}

func (p *Page) appendIncludes(dst []byte) []byte {
	if p.FrontmatterRaw != "" {
		dst = AppendString(append(dst, `,"frontmatterRaw":`...), p.FrontmatterRaw)
	}
	if p.Imported != nil {
		dst = append(append(dst, `,"imported":`...), p.Imported...)
	}
	if p.Authors != nil {
		dst = append(dst, `,"authors":[`...)
		for i, a := range p.Authors {
			dst = append(appendComma(dst, i), `{"id":`...)
			dst = append(AppendString(dst, a.ID), `,"name":`...)
			dst = append(AppendString(dst, a.Name), '}')
		}
		dst = append(dst, ']')
	}
	if p.Assets != nil {
		dst = append(dst, `,"assets":[`...)
		for i, a := range p.Assets {
			dst = append(appendComma(dst, i), a...)
		}
		dst = append(dst, ']')
	}
	if p.Children != nil {
		dst = append(dst, `,"children":[`...)
		for i, c := range p.Children {
			dst = append(appendComma(dst, i), `{"id":"`...)
			dst = append(append(dst, c.ID...), `","title":`...)
			dst = append(AppendString(dst, c.Title), `,"slug":"`...)
			dst = append(append(dst, c.Slug...), `","status":"`...)
			dst = append(append(dst, c.Status...), `"}`...)
		}
		dst = append(dst, ']')
	}
	return dst
}

func appendComma(dst []byte, i int) []byte {
	if i > 0 {
		return append(dst, ',')
	}
	return dst
}
