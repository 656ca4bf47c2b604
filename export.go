package octavo

import "time"

// ExportFormat is the format of an export.
type ExportFormat string

// The formats (decision 31).
const (
	ExportHTML     ExportFormat = "html"
	ExportPDF      ExportFormat = "pdf"
	ExportMarkdown ExportFormat = "markdown"
)

// ExportScope limits the pages of an export (decision 52).
type ExportScope string

// The scopes. The selection chooses within them, and within what the caller may see.
// includeDrafts adds drafts to site and to selected.
const (
	ExportSite      ExportScope = "site"      // published pages, and archived ones that are named
	ExportPublished ExportScope = "published" // only published pages; naming another is an error
	ExportSelected  ExportScope = "selected"  // like site, but requires a selection
)

// ExportMode is how the selection chooses within the scope.
type ExportMode string

// The modes. The default follows from the members: ids with items, query with query,
// and all without either.
const (
	SelectAll   ExportMode = "all"   // everything in the scope
	SelectIDs   ExportMode = "ids"   // the items
	SelectQuery ExportMode = "query" // pages that match the filters
)

// ExportItemType is the kind of an item of a selection.
type ExportItemType string

// The types of items. A section is a page with its descendants.
const (
	ItemPage    ExportItemType = "page"
	ItemSection ExportItemType = "section"
	ItemAsset   ExportItemType = "asset"
)

// ExportRequest says what is exported, how it looks and where it goes. It is complete:
// omitted members have their defaults.
type ExportRequest struct {
	Format        ExportFormat    `json:"format"`
	Scope         ExportScope     `json:"scope"`
	IncludeDrafts bool            `json:"includeDrafts"`
	CallbackURL   string          `json:"callbackUrl,omitempty"`
	Selection     ExportSelection `json:"selection"`
	Rendering     ExportRendering `json:"rendering"`
	Delivery      ExportDelivery  `json:"delivery"`

	// Warnings are about members of the request without effect.
	Warnings []ExportWarning `json:"-"`
}

// ExportSelection chooses within the scope.
type ExportSelection struct {
	Mode  ExportMode     `json:"mode"`
	Items []ExportItem   `json:"items,omitempty"` // in mode ids
	Query *SearchFilters `json:"query,omitempty"` // in mode query
}

// ExportItem is a selected object.
type ExportItem struct {
	ID      ID                `json:"id"`
	Type    ExportItemType    `json:"type"`
	Options ExportItemOptions `json:"options"`
}

// ExportItemOptions are the known options of an item (decision 51).
type ExportItemOptions struct {
	Depth     *int   `json:"depth,omitempty"`     // levels of a section below its page
	Title     string `json:"title,omitempty"`     // instead of the page's own
	PageBreak *bool  `json:"pageBreak,omitempty"` // whether it starts on a new sheet
}

// ExportRendering says how the result looks.
type ExportRendering struct {
	Theme       ExportTheme   `json:"theme"`
	EmbedAssets bool          `json:"embedAssets"`
	Metadata    AssetMetadata `json:"metadata"` // for assets that have none
}

// SystemTheme is the name of the built-in theme.
const SystemTheme = "system"

// ExportTheme is a theme: the colours of tokens that differ from the built-in theme.
type ExportTheme struct {
	Name   string            `json:"name"`
	Tokens map[string]string `json:"tokens,omitempty"`
}

// ExportDelivery says who is notified of the result.
type ExportDelivery struct {
	Channels  []ExportChannel `json:"channels,omitempty"`
	ExpiresAt *time.Time      `json:"expiresAt,omitempty"` // of the download; nil is the default
}

// ChannelKind is the kind of a notification channel.
type ChannelKind string

const (
	ChannelEmail   ChannelKind = "email"
	ChannelWebhook ChannelKind = "webhook"
)

// ExportChannel is a notification channel.
type ExportChannel struct {
	Kind  ChannelKind `json:"kind"`
	Email string      `json:"email,omitempty"` // with ChannelEmail
	URL   string      `json:"url,omitempty"`   // with ChannelWebhook
}

// Channels returns all notification channels: those of the delivery and, as one more
// webhook, callbackUrl (decision 32).
func (r *ExportRequest) Channels() []ExportChannel {
	list := r.Delivery.Channels
	if r.CallbackURL != "" {
		list = append(list[:len(list):len(list)], ExportChannel{Kind: ChannelWebhook, URL: r.CallbackURL})
	}
	return list
}

// ExportWarning says how an export differs from the request, or from the intention of a
// page's author.
type ExportWarning struct {
	Path    string `json:"path,omitempty"`   // the member of the request, as a JSON Pointer
	Page    ID     `json:"page,omitempty"`   // the page that it is about
	Slug    string `json:"slug,omitempty"`   // of that page
	Source  string `json:"source,omitempty"` // the path of the file that the page was imported from
	Line    int    `json:"line,omitempty"`   // of the page's text, from 1, counting front matter as its author wrote it
	Message string `json:"message"`
}

// MaxExportWarnings is the maximum number of warnings in a report; the last one has the
// number of further ones.
const MaxExportWarnings = 200

// ExportReport lists the warnings of an export.
type ExportReport struct {
	Warnings []ExportWarning `json:"warnings"`
}

// ExportStatus is the state of an export.
type ExportStatus string

// The states of an export. The last two are final.
const (
	ExportQueued     ExportStatus = "queued"
	ExportProcessing ExportStatus = "processing"
	ExportReady      ExportStatus = "ready"
	ExportFailed     ExportStatus = "failed"
)

// Ended reports whether the status is final.
func (s ExportStatus) Ended() bool { return s == ExportReady || s == ExportFailed }

// ExportProgress counts the pages of an export.
type ExportProgress struct {
	Done  int `json:"done"`
	Total int `json:"total"`
}

// Export is an export job as clients see it.
type Export struct {
	ID          ID           `json:"id"`
	Status      ExportStatus `json:"status"`
	DownloadURL *string      `json:"downloadUrl"` // nil until the result exists

	// Beyond the contract.
	Format     ExportFormat         `json:"format,omitempty"`
	Progress   ExportProgress       `json:"progress"`
	Size       int64                `json:"size,omitempty"`   // bytes of the result
	SHA256     string               `json:"sha256,omitempty"` // of the result, in hexadecimal
	Error      *Problem             `json:"error,omitempty"`  // why it failed
	CreatedAt  time.Time            `json:"createdAt"`
	ExpiresAt  time.Time            `json:"expiresAt"` // of the download
	Report     ExportReport         `json:"report"`
	Deliveries []ExportDeliveryNote `json:"deliveries,omitempty"`
}

// ExportDeliveryNote is the result of one channel.
type ExportDeliveryNote struct {
	ExportChannel
	Status   DeliveryStatus `json:"status"`
	Attempts int            `json:"attempts"` // that were made
	Error    string         `json:"error,omitempty"`
}
