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
	MaxOpenProposals = 100       // proposals that are not merged, of a person without pages:write
	MaxPendingFiles  = 200 << 20 // bytes of pending files, of a person without pages:write
	MaxReviewers     = 50
)

// ProposalStatus is where a proposal stands.
type ProposalStatus string

// The states of a proposal: draft → open → merged or closed; closed → open.
const (
	ProposalDraft  ProposalStatus = "draft" // seen by its author alone
	ProposalOpen   ProposalStatus = "open"
	ProposalMerged ProposalStatus = "merged"
	ProposalClosed ProposalStatus = "closed"
)

// Origin says what made a proposal. It follows the client, never the request's body.
type Origin string

// The origins that can be made now.
const (
	OriginAPI    Origin = "api"
	OriginStudio Origin = "studio"
)

// Proposal is a set of changes to pages that is shown, discussed and merged in one
// transaction (decision 68). Its changes leave out content and front matter; each
// change is read by itself for those.
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

	Version int64 `json:"version"` // of its fields and changes; what the ETag is made of
	// PublishedOnly reports whether its author may see published pages only.
	PublishedOnly bool `json:"-"`
}

// ChangeOp names what a change does to its page.
type ChangeOp string

// The operations of a change.
const (
	ChangeCreate  ChangeOp = "create"
	ChangeUpdate  ChangeOp = "update"
	ChangeDelete  ChangeOp = "delete"
	ChangeRestore ChangeOp = "restore"
)

// PageChange is one change of a proposal (decision 69). A member that is nil stays as
// it is on the page.
type PageChange struct {
	ID           ID
	Op           ChangeOp
	PageID       ID // "" for a page that is created
	BaseRevision int64
	Base         *ChangeBase // nil for a page that is created
	Title        *string
	Slug         *string
	Content      *string
	Frontmatter  *json.RawMessage // a JSON object
	RawFront     *string          // the same as its author wrote it, fences included
	Status       *PageStatus
	ParentID     *ID // of a page, or of a change that creates one; "" makes a root page
	Position     *OptInt
	Publish      *OptTime
	Unpublish    *OptTime
	FormerSlugs  []string
	Source       *string
	Dialect      *Dialect // "" for none
	Children     string   // of a page that is deleted: cascade, reparent or ""
	Removed      bool     // its page was removed for good, and its text with it

	Authors []Actor // who made or edited it; the first made it
	Version int64   // what its ETag is made of
}

// ChangeBase is a page as it stood when the change was made.
type ChangeBase struct {
	Version  int64      `json:"version"` // 0 where the change was made against an older revision
	Revision int64      `json:"revision"`
	Status   PageStatus `json:"status"`
	ParentID ID         `json:"parentId"`
	Position *int64     `json:"position"`

	PublishAt, UnpublishAt *time.Time
	Dialect                Dialect
	Below                  string // describes the pages below one that is deleted with them; not shown
}

// AppendJSON appends a proposal as the API answers with it.
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

// AppendJSON appends a change as the API answers with it, with content and front
// matter where whole is set.
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
	if c.Dialect != nil {
		dst = c.Dialect.appendJSON(append(dst, `,"dialect":`...))
	}
	if c.Children != "" {
		text("children", &c.Children)
	}
	if c.Removed {
		dst = append(dst, `,"removed":true`...)
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

// Weight is about how many bytes the change takes in an answer.
func (c PageChange) Weight() int {
	const members = 512
	return members + c.Text()
}

// Text is how many bytes of text the change holds.
func (c PageChange) Text() int {
	n := len(orZero(c.Title)) + len(orZero(c.Content)) + len(orZero(c.RawFront))
	if c.Frontmatter != nil {
		n += len(*c.Frontmatter)
	}
	return n
}

// Coming is what the merge of a proposal brings and texts can refer to already.
type Coming struct {
	Pages []ID             // whose text changes
	Slugs []string         // of pages
	Files map[string]Asset // that are pending, by how texts may name them
}

// Check is what is known of a change before it is merged (decision 72).
type Check struct {
	ChangeID ID            `json:"changeId"`
	Kind     CheckKind     `json:"kind"`
	Severity CheckSeverity `json:"severity"`
	Message  string        `json:"message"`
	Line     int           `json:"line,omitempty"` // of the proposed content, from 1; 0 where it is about no line
}

// CheckKind is what a check is about.
type CheckKind string

// The kinds of checks.
const (
	CheckConflict      CheckKind = "conflict"
	CheckSlugTaken     CheckKind = "slug-taken"
	CheckBrokenLink    CheckKind = "broken-link"
	CheckParentMissing CheckKind = "parent-missing"
	CheckNotice        CheckKind = "notice"
)

// CheckSeverity says whether a merge is refused.
type CheckSeverity string

// The severities.
const (
	CheckError   CheckSeverity = "error" // a merge is refused
	CheckWarning CheckSeverity = "warning"
)

// MergeConflict is a member of a page that two sides have changed in different ways, or
// another reason for which a change cannot be merged.
type MergeConflict struct {
	ChangeID ID             `json:"changeId"`
	PageID   ID             `json:"pageId,omitempty"`
	Revision int64          `json:"revision,omitempty"` // the newest of the page
	Kind     CheckKind      `json:"kind"`
	Member   string         `json:"member,omitempty"` // such as content, title or frontmatter/tags
	Message  string         `json:"message"`
	Hunks    []ConflictHunk `json:"hunks,omitempty"` // of content
	Base     any            `json:"base,omitempty"`  // the values of any other member
	Present  any            `json:"present,omitempty"`
	Proposed any            `json:"proposed,omitempty"`
}

// ConflictHunk is a place of a text that both sides have changed. Lines come with their
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
