package octavo

import "time"

// Webhook is a webhook as clients see it.
type Webhook struct {
	ID          ID          `json:"id"`
	URL         string      `json:"url"`
	Types       []EventType `json:"types"` // at least one
	Description string      `json:"description,omitempty"`
	Disabled    bool        `json:"disabled"`

	DisabledReason string     `json:"disabledReason,omitempty"` // why the server disabled it; "" if a person did
	FailingSince   *time.Time `json:"failingSince,omitempty"`   // nil if the last attempt succeeded
	CreatedAt      time.Time  `json:"createdAt"`
	Secret         string     `json:"secret,omitempty"` // whsec_…; shown only on creation and rotation
}

// WebhookCreate is the body for registering a webhook.
type WebhookCreate struct {
	URL         string      `json:"url"`             // absolute, http or https
	Types       []EventType `json:"types,omitempty"` // nil means DefaultEventTypes
	Description string      `json:"description,omitempty"`
	Disabled    bool        `json:"disabled,omitempty"`
}

// WebhookPatch is a change of some members of a webhook; nil keeps a member.
type WebhookPatch struct {
	URL         *string     `json:"url,omitempty"`
	Types       []EventType `json:"types,omitempty"`
	Description *string     `json:"description,omitempty"`
	Disabled    *bool       `json:"disabled,omitempty"`
}

// DeliveryStatus is the state of an attempt.
type DeliveryStatus string

// The states of an attempt. A pending one is queued or in progress. A failed one is
// followed by another; an abandoned one is not, unless somebody requests a redelivery.
const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliverySucceeded DeliveryStatus = "succeeded"
	DeliveryFailed    DeliveryStatus = "failed"
	DeliveryAbandoned DeliveryStatus = "abandoned"
)

// Delivery is one attempt to send an event to a webhook or a callback.
type Delivery struct {
	ID          ID             `json:"id"`
	EventID     ID             `json:"eventId"`
	Type        EventType      `json:"type"`
	WebhookID   ID             `json:"webhookId,omitempty"`   // the webhook; "" for a callback
	CallbackURL string         `json:"callbackUrl,omitempty"` // the address of a callback; "" for a webhook
	Attempt     int            `json:"attempt"`               // starts at 1
	Status      DeliveryStatus `json:"status"`

	RequestExcerpt  string `json:"requestExcerpt,omitempty"`  // the beginning of the sent body
	ResponseStatus  int    `json:"responseStatus,omitempty"`  // of HTTP; 0 if there was no response
	ResponseExcerpt string `json:"responseExcerpt,omitempty"` // the beginning of the response body
	Error           string `json:"error,omitempty"`           // why there was no response

	CreatedAt     time.Time  `json:"createdAt"`
	EndedAt       *time.Time `json:"endedAt,omitempty"`
	NextAttemptAt *time.Time `json:"nextAttemptAt,omitempty"` // when a pending attempt is due; nil while an earlier event of its page is first
}
