package octavo

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
)
