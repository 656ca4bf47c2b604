package octavo

import (
	"encoding/json"
	"time"
)

// EventType names what happened to a resource. The first two are the
// contract's; the rest are sent only to those who ask for them (decision 33).
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

	// WebhookTest is sent to one endpoint, when somebody asks to test it.
	WebhookTest EventType = "webhook.test"
)

// Limits of a choice of event types.
const (
	maxEventType  = 64 // bytes of one
	MaxEventTypes = 64 // in one choice
)

// DefaultEventTypes returns the types that are sent to whoever names none: the
// contract's two.
func DefaultEventTypes() []EventType { return []EventType{PagePublished, PageDeleted} }

// ActivityTypes returns what counts as activity: what happened to pages and proposals.
func ActivityTypes() []EventType {
	return []EventType{
		PageCreated, PageUpdated, PagePublished, PageUnpublished, PageArchived, PageDeleted, PageRestored, PagePurged,
		ProposalOpened, ProposalUpdated, ProposalWasMerged, ProposalWasClosed, ReviewCreated, CommentCreated,
	}
}

// WellFormed reports whether the type is words of lower-case letters with dots
// between them. One that is not known yet may be asked for all the same, since
// later versions may have it.
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

// Event is what is told of a change: by the feed, to webhooks and to callbacks,
// everywhere under the same identifier.
type Event struct {
	ID        ID              `json:"id"`
	Type      EventType       `json:"type"`
	CreatedAt time.Time       `json:"createdAt"`
	Data      json.RawMessage `json:"data"` // a Page with page.published, else an object with the id of what changed
}

// AppendJSON appends the event as it is sent.
func (e Event) AppendJSON(dst []byte) []byte {
	return append(append(e.AppendHead(dst), e.Data...), '}')
}

// AppendHead appends what stands before the data in AppendJSON.
func (e Event) AppendHead(dst []byte) []byte {
	dst = AppendString(append(dst, `{"id":`...), string(e.ID))
	dst = AppendString(append(dst, `,"type":`...), string(e.Type))
	dst = AppendTime(append(dst, `,"createdAt":`...), e.CreatedAt)
	return append(dst, `,"data":`...)
}
