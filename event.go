package octavo

import (
	"encoding/json"
	"time"
)

// EventType is the kind of an event. The first two are the contract's; the rest are
// sent only on request (decision 33).
type EventType string

// The event types.
const (
	PagePublished   EventType = "page.published"
	PageDeleted     EventType = "page.deleted"
	PageCreated     EventType = "page.created"
	PageUpdated     EventType = "page.updated"
	PageUnpublished EventType = "page.unpublished"
	PageArchived    EventType = "page.archived"
	PageRestored    EventType = "page.restored"
	PagePurged      EventType = "page.purged"

	AssetCreated EventType = "asset.created"
	AssetUpdated EventType = "asset.updated"
	AssetDeleted EventType = "asset.deleted"

	ExportIsReady   EventType = "export.ready"
	ExportHasFailed EventType = "export.failed"

	ImportIsReady      EventType = "import.ready"
	ImportHasFailed    EventType = "import.failed"
	ImportWasCancelled EventType = "import.cancelled"

	ProposalOpened    EventType = "proposal.opened"
	ProposalUpdated   EventType = "proposal.updated"
	ProposalWasMerged EventType = "proposal.merged"
	ProposalWasClosed EventType = "proposal.closed"
	ReviewCreated     EventType = "review.created"
	CommentCreated    EventType = "comment.created"
	FeedbackCreated   EventType = "feedback.created"

	// WebhookTest is sent to one webhook to test it.
	WebhookTest EventType = "webhook.test"
)

// Limits of a selection of event types.
const (
	maxEventType  = 64 // bytes of one
	MaxEventTypes = 64 // in one selection
)

// DefaultEventTypes returns the types that are sent by default: the contract's two.
func DefaultEventTypes() []EventType { return []EventType{PagePublished, PageDeleted} }

// ActivityTypes returns the types that count as activity: changes of pages and
// proposals.
func ActivityTypes() []EventType {
	return []EventType{
		PageCreated, PageUpdated, PagePublished, PageUnpublished, PageArchived, PageDeleted, PageRestored, PagePurged,
		ProposalOpened, ProposalUpdated, ProposalWasMerged, ProposalWasClosed, ReviewCreated, CommentCreated,
	}
}

// WellFormed reports whether the type is words of lower-case letters separated by dots.
// Unknown types are allowed, since later versions may have them.
func (t EventType) WellFormed() bool {
	words, inWord := 0, false
	for _, c := range []byte(t) {
		switch {
		case 'a' <= c && c <= 'z':
			if !inWord {
				words++
			}
			inWord = true
		case c == '.' && inWord:
			inWord = false
		default:
			return false
		}
	}
	return words > 1 && inWord && len(t) <= maxEventType
}

// Event is a change as the feed, webhooks and callbacks report it, with the same
// identifier everywhere.
type Event struct {
	ID        ID              `json:"id"`
	Type      EventType       `json:"type"`
	CreatedAt time.Time       `json:"createdAt"`
	Data      json.RawMessage `json:"data"` // a Page for page.published, otherwise an object with the id of what changed
}

// AppendJSON appends the event as it is sent.
func (e Event) AppendJSON(dst []byte) []byte {
	return append(append(e.AppendHead(dst), e.Data...), '}')
}

// AppendHead appends the part of AppendJSON before the data.
func (e Event) AppendHead(dst []byte) []byte {
	dst = AppendString(append(dst, `{"id":`...), string(e.ID))
	dst = AppendString(append(dst, `,"type":`...), string(e.Type))
	dst = AppendTime(append(dst, `,"createdAt":`...), e.CreatedAt)
	return append(dst, `,"data":`...)
}
