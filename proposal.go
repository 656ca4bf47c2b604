package octavo

import (
	"encoding/json"
	"strconv"
	"time"
)

// Limits of proposals (decisions 69 and 70).
const (
	MaxChanges       = 1000      // changes of one proposal
	MaxProposalText  = 64 << 20  // bytes of text of all its changes
	MaxOpenProposals = 100       // unmerged proposals of a person without pages:write
	MaxPendingFiles  = 200 << 20 // bytes of pending files, of a person without pages:write
	MaxReviewers     = 50
)

// ProposalStatus is the state of a proposal.
type ProposalStatus string

// The states of a proposal: draft → open → merged or closed; closed → open.
const (
	ProposalDraft  ProposalStatus = "draft" // seen by its author alone
	ProposalOpen   ProposalStatus = "open"
	ProposalMerged ProposalStatus = "merged"
	ProposalClosed ProposalStatus = "closed"
)

// Origin is the kind of client that made a proposal. It does not come from the
// request's body.
type Origin string

// The present origins.
const (
	OriginAPI    Origin = "api"
	OriginStudio Origin = "studio"
	OriginImport Origin = "import"
)

// Proposal is a set of changes to pages that is reviewed, discussed and merged in one
// transaction (decision 68). Its changes omit content and front matter, which are read
// with each single change.
type Proposal struct {
	ID          ID             `json:"id"`
	Title       string         `json:"title"`
	Description string         `json:"description"` // Markdown
	Status      ProposalStatus `json:"status"`
	Origin      Origin         `json:"origin"`
	Author      Actor          `json:"author"`
	Reviewers   []ID           `json:"reviewers"`
	Changes     []PageChange   `json:"changes"`
	CreatedAt   time.Time      `json:"createdAt"`
	UpdatedAt   time.Time      `json:"updatedAt"`
	MergedAt    *time.Time     `json:"mergedAt"`
	MergedBy    *Actor         `json:"mergedBy"`

	Version int64 `json:"version"` // of its fields and changes; for the ETag
	// PublishedOnly reports whether its author may see only published pages.
	PublishedOnly bool `json:"-"`
}

// ChangeOp is the kind of a change of a page.
type ChangeOp string

const (
	ChangeCreate  ChangeOp = "create"
	ChangeUpdate  ChangeOp = "update"
	ChangeDelete  ChangeOp = "delete"
	ChangeRestore ChangeOp = "restore"
)

// PageChange is one change of a proposal (decision 69). A nil member stays as it is on
// the page.
type PageChange struct {
	ID           ID
	Op           ChangeOp
	PageID       ID // "" for a new page
	BaseRevision int64
	Base         *ChangeBase // nil for a new page
	Title        *string
	Slug         *string
	Content      *string
	Frontmatter  *json.RawMessage // a JSON object
	RawFront     *string          // the same as text, including fences
	Status       *PageStatus
	ParentID     *ID // of a page, or of a change that creates one; "" makes a root page
	Position     *OptInt
	Publish      *OptTime
	Unpublish    *OptTime
	FormerSlugs  []string
	Source       *string
	ImportSet    *string
	Dialect      *Dialect        // "" for none
	Imported     json.RawMessage // as in a BulkOperation; its content defaults to that of the change
	Children     string          // for a deletion: cascade, reparent or ""
	Removed      bool            // its page was purged, and its text with it

	Authors []Actor // who made or edited it, in order
	Version int64   // for its ETag
}

// ChangeBase is the state of a page when the change was made.
type ChangeBase struct {
	Version  int64      `json:"version"` // 0 if the change was made against an older revision
	Revision int64      `json:"revision"`
	Status   PageStatus `json:"status"`
	ParentID ID         `json:"parentId"`
	Position *int64     `json:"position"`

	PublishAt, UnpublishAt *time.Time
	Dialect                Dialect
	Below                  string // describes the pages below one that is deleted with cascade; not shown
}

// AppendJSON appends a proposal as in responses.
func (p Proposal) AppendJSON(dst []byte) []byte {
	dst = AppendString(append(dst, `{"id":`...), string(p.ID))
	dst = AppendString(append(dst, `,"title":`...), p.Title)
	dst = AppendString(append(dst, `,"description":`...), p.Description)
	dst = AppendString(append(dst, `,"status":`...), string(p.Status))
	dst = AppendString(append(dst, `,"origin":`...), string(p.Origin))
	dst = p.Author.appendJSON(append(dst, `,"author":`...))
	dst = append(dst, `,"reviewers":[`...)
	for i, id := range p.Reviewers {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, string(id))
	}
	dst = append(dst, `],"changes":[`...)
	for i, c := range p.Changes {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = c.AppendJSON(dst, false)
	}
	dst = append(dst, `],"version":`...)
	dst = strconv.AppendInt(dst, p.Version, 10)
	dst = AppendTime(append(dst, `,"createdAt":`...), p.CreatedAt)
	dst = AppendTime(append(dst, `,"updatedAt":`...), p.UpdatedAt)
	if p.MergedAt != nil {
		dst = AppendTime(append(dst, `,"mergedAt":`...), *p.MergedAt)
	}
	if p.MergedBy != nil {
		dst = p.MergedBy.appendJSON(append(dst, `,"mergedBy":`...))
	}
	return append(dst, '}')
}

func (a Actor) appendJSON(dst []byte) []byte {
	dst = AppendString(append(dst, `{"id":`...), a.ID)
	dst = AppendString(append(dst, `,"name":`...), a.Name)
	return append(dst, '}')
}

// AppendJSON appends a change as in responses, with content and front matter if whole
// is set.
func (c PageChange) AppendJSON(dst []byte, whole bool) []byte {
	dst = AppendString(append(dst, `{"id":`...), string(c.ID))
	dst = AppendString(append(dst, `,"op":`...), string(c.Op))
	if c.PageID != "" {
		dst = AppendString(append(dst, `,"pageId":`...), string(c.PageID))
	}
	if c.Base != nil {
		dst = strconv.AppendInt(append(dst, `,"baseRevision":`...), c.BaseRevision, 10)
		dst = c.Base.appendJSON(append(dst, `,"base":`...))
	}
	text := func(name string, s *string) {
		if s != nil {
			dst = AppendString(append(AppendString(append(dst, ','), name), ':'), *s)
		}
	}
	text("title", c.Title)
	text("slug", c.Slug)
	text("status", (*string)(c.Status))
	if c.ParentID != nil {
		dst = appendID(append(dst, `,"parentId":`...), *c.ParentID)
	}
	if c.Position != nil {
		dst = appendOptInt(append(dst, `,"position":`...), c.Position.Value)
	}
	if c.Publish != nil {
		dst = appendOptTime(append(dst, `,"publishAt":`...), c.Publish.Value)
	}
	if c.Unpublish != nil {
		dst = appendOptTime(append(dst, `,"unpublishAt":`...), c.Unpublish.Value)
	}
	for i, slug := range c.FormerSlugs {
		if i == 0 {
			dst = append(dst, `,"formerSlugs":[`...)
		} else {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, slug)
	}
	if len(c.FormerSlugs) > 0 {
		dst = append(dst, ']')
	}
	text("source", c.Source)
	text("importSet", c.ImportSet)
	if c.Dialect != nil {
		dst = c.Dialect.appendJSON(append(dst, `,"dialect":`...))
	}
	if c.Children != "" {
		text("children", &c.Children)
	}
	if c.Removed {
		dst = append(dst, `,"removed":true`...)
	}
	if c.Imported != nil {
		dst = append(append(dst, `,"imported":`...), c.Imported...)
	}
	if whole {
		text("content", c.Content)
		if c.Frontmatter != nil {
			dst = append(append(dst, `,"frontmatter":`...), *c.Frontmatter...)
		}
		text("frontmatterRaw", c.RawFront)
	}
	return append(dst, '}')
}

func (b ChangeBase) appendJSON(dst []byte) []byte {
	dst = strconv.AppendInt(append(dst, `{"version":`...), b.Version, 10)
	dst = strconv.AppendInt(append(dst, `,"revision":`...), b.Revision, 10)
	dst = AppendString(append(dst, `,"status":`...), string(b.Status))
	dst = appendID(append(dst, `,"parentId":`...), b.ParentID)
	if b.Position != nil {
		dst = appendOptInt(append(dst, `,"position":`...), b.Position)
	}
	if b.Dialect != "" {
		dst = b.Dialect.appendJSON(append(dst, `,"dialect":`...))
	}
	return append(dst, '}')
}

func appendID(dst []byte, id ID) []byte {
	if id == "" {
		return append(dst, "null"...)
	}
	return AppendString(dst, string(id))
}

func appendOptInt(dst []byte, n *int64) []byte {
	if n == nil {
		return append(dst, "null"...)
	}
	return strconv.AppendInt(dst, *n, 10)
}

func appendOptTime(dst []byte, t *time.Time) []byte {
	if t == nil {
		return append(dst, "null"...)
	}
	return AppendTime(dst, *t)
}

// Resolve replaces a parent that is the id of a change, of the page and in the state of its
// import, by the id that made has for it.
func (c *PageChange) Resolve(made map[ID]ID) {
	if c.ParentID != nil && made[*c.ParentID] != "" {
		c.ParentID = new(made[*c.ParentID])
	}
	v, err := ValueOf(c.Imported)
	if err != nil {
		return // there is none
	}
	for i := range v.Members {
		m := &v.Members[i]
		if to := made[ID(m.Value.Str)]; m.Name == "parentId" && to != "" {
			m.Value = String(string(to))
			c.Imported = v.AppendJSON(nil)
		}
	}
}

// Weight is the approximate size of the change in a response, in bytes.
func (c PageChange) Weight() int {
	const members = 512
	return members + c.Text()
}

// Text is the size of the change's text in bytes.
func (c PageChange) Text() int {
	n := len(orZero(c.Title)) + len(orZero(c.Content)) + len(orZero(c.RawFront)) + len(c.Imported)
	if c.Frontmatter != nil {
		n += len(*c.Frontmatter)
	}
	return n
}

// Coming is what the merge of a proposal will create, which texts can refer to already.
type Coming struct {
	Pages []ID             // with new text
	Slugs []string         // of pages
	Files map[string]Asset // pending ones, by possible references in texts
}

// Check is a finding about a change before it is merged (decision 72).
type Check struct {
	ChangeID ID            `json:"changeId"`
	Kind     CheckKind     `json:"kind"`
	Severity CheckSeverity `json:"severity"`
	Message  string        `json:"message"`
	Line     int           `json:"line,omitempty"` // of the proposed content, from 1; 0 if not about a line
}

// CheckKind is the subject of a check.
type CheckKind string

const (
	CheckConflict      CheckKind = "conflict"
	CheckSlugTaken     CheckKind = "slug-taken"
	CheckBrokenLink    CheckKind = "broken-link"
	CheckParentMissing CheckKind = "parent-missing"
	CheckNotice        CheckKind = "notice"
)

// CheckSeverity says whether the finding blocks a merge.
type CheckSeverity string

const (
	CheckError   CheckSeverity = "error" // a merge is refused
	CheckWarning CheckSeverity = "warning"
)

// MergeConflict is a member of a page that two sides have changed in different ways, or
// another reason why a change cannot be merged.
type MergeConflict struct {
	ChangeID ID             `json:"changeId"`
	PageID   ID             `json:"pageId,omitempty"`
	Revision int64          `json:"revision,omitempty"` // the page's newest
	Kind     CheckKind      `json:"kind"`
	Member   string         `json:"member,omitempty"` // such as content, title or frontmatter/tags
	Message  string         `json:"message"`
	Hunks    []ConflictHunk `json:"hunks,omitempty"` // of content
	Base     any            `json:"base,omitempty"`  // the values of any other member
	Present  any            `json:"present,omitempty"`
	Proposed any            `json:"proposed,omitempty"`
}

// ConflictHunk is a place of a text that both sides have changed. Lines include their
// ends.
type ConflictHunk struct {
	Line     int      `json:"line"` // of the proposed text, from 1
	Base     []string `json:"base"`
	Present  []string `json:"present"`
	Proposed []string `json:"proposed"`
}

// MergedPage is a page that a merge changed.
type MergedPage struct {
	ID       ID    `json:"id"`
	Revision int64 `json:"revision"`
}
