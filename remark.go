package octavo

import (
	"strconv"
	"time"
)

// Verdict is the result of a review.
type Verdict string

// The verdicts.
const (
	VerdictApprove Verdict = "approve"
	VerdictChanges Verdict = "request-changes"
	VerdictComment Verdict = "comment"
)

// Review is a person's opinion of a proposal as a whole (decision 74).
type Review struct {
	ID        ID        `json:"id"`
	Verdict   Verdict   `json:"verdict"`
	Text      string    `json:"text"` // Markdown
	Author    Actor     `json:"author"`
	CreatedAt time.Time `json:"createdAt"`

	// Counts reports whether the review is in force: an approval, or a request for
	// changes that blocks the merge.
	Counts bool `json:"counts"`
}

// Comment is about a proposal, or about lines of one of its changes (decision 75).
type Comment struct {
	ID         ID        `json:"id"`
	ChangeID   ID        `json:"changeId"` // none for one on the proposal
	Side       Side      `json:"side"`
	Line       int       `json:"line"`  // where the quote stands now, from 1; none where it is gone
	Quote      string    `json:"quote"` // the line when the comment was made
	Text       string    `json:"text"`  // Markdown
	Suggestion *string   `json:"suggestion"`
	ReplyTo    ID        `json:"replyTo"`
	Resolved   bool      `json:"resolved"`
	Removed    bool      `json:"removed"` // what it said is gone
	Author     Actor     `json:"author"`
	CreatedAt  time.Time `json:"createdAt"`
	UpdatedAt  time.Time `json:"updatedAt"`
}

// Side is which of the two texts of a change a comment is about.
type Side string

// The sides.
const (
	SideBase     Side = "base"
	SideProposed Side = "proposed"
)

// Notification is about an event of a proposal. It has no text.
type Notification struct {
	ID         ID
	Kind       NotificationKind
	ProposalID ID
	Title      string // present title of the proposal
	CommentID  ID
	Actor      Actor // who did it
	CreatedAt  time.Time
	Read       bool
}

// NotificationKind is the kind of a notification.
type NotificationKind string

// The kinds of notifications.
const (
	NoteReviewAsked NotificationKind = "review-asked"
	NoteComment     NotificationKind = "comment"
	NoteReply       NotificationKind = "reply"
	NoteMention     NotificationKind = "mention"
	NoteApproved    NotificationKind = "approved"
	NoteConflict    NotificationKind = "conflict"
	NoteMerged      NotificationKind = "merged"
)

// AppendJSON appends a review as in responses.
func (r Review) AppendJSON(dst []byte) []byte {
	dst = AppendString(append(dst, `{"id":`...), string(r.ID))
	dst = AppendString(append(dst, `,"verdict":`...), string(r.Verdict))
	dst = AppendString(append(dst, `,"text":`...), r.Text)
	dst = r.Author.appendJSON(append(dst, `,"author":`...))
	dst = AppendTime(append(dst, `,"createdAt":`...), r.CreatedAt)
	dst = strconv.AppendBool(append(dst, `,"counts":`...), r.Counts)
	return append(dst, '}')
}

// AppendJSON appends a comment as in responses.
func (c Comment) AppendJSON(dst []byte) []byte {
	dst = AppendString(append(dst, `{"id":`...), string(c.ID))
	text := func(name, value string) {
		if value != "" {
			dst = AppendString(append(AppendString(append(dst, ','), name), ':'), value)
		}
	}
	text("changeId", string(c.ChangeID))
	text("side", string(c.Side))
	if c.Line > 0 {
		dst = strconv.AppendInt(append(dst, `,"line":`...), int64(c.Line), 10)
	}
	text("quote", c.Quote)
	dst = AppendString(append(dst, `,"text":`...), c.Text)
	if c.Suggestion != nil {
		dst = AppendString(append(dst, `,"suggestion":`...), *c.Suggestion)
	}
	text("replyTo", string(c.ReplyTo))
	dst = strconv.AppendBool(append(dst, `,"resolved":`...), c.Resolved)
	if c.Removed {
		dst = append(dst, `,"removed":true`...)
	}
	dst = c.Author.appendJSON(append(dst, `,"author":`...))
	dst = AppendTime(append(dst, `,"createdAt":`...), c.CreatedAt)
	dst = AppendTime(append(dst, `,"updatedAt":`...), c.UpdatedAt)
	return append(dst, '}')
}

// AppendJSON appends a notification as in responses.
func (n Notification) AppendJSON(dst []byte) []byte {
	dst = AppendString(append(dst, `{"id":`...), string(n.ID))
	dst = AppendString(append(dst, `,"kind":`...), string(n.Kind))
	dst = AppendString(append(dst, `,"proposalId":`...), string(n.ProposalID))
	dst = AppendString(append(dst, `,"title":`...), n.Title)
	if n.CommentID != "" {
		dst = AppendString(append(dst, `,"commentId":`...), string(n.CommentID))
	}
	dst = n.Actor.appendJSON(append(dst, `,"actor":`...))
	dst = AppendTime(append(dst, `,"createdAt":`...), n.CreatedAt)
	dst = strconv.AppendBool(append(dst, `,"read":`...), n.Read)
	return append(dst, '}')
}
