package octavo

import "time"

// Webhook is an endpoint that events are sent to, as it is read.
type Webhook struct {
	ID          ID          `json:"id"`
	URL         string      `json:"url"`
	Types       []EventType `json:"types"` // at least one
	Description string      `json:"description,omitempty"`
	Disabled    bool        `json:"disabled"`

	DisabledReason string     `json:"disabledReason,omitempty"` // why the server disabled it; "" where somebody did
	FailingSince   *time.Time `json:"failingSince,omitempty"`   // nil while the last try succeeded
	CreatedAt      time.Time  `json:"createdAt"`
	Secret         string     `json:"secret,omitempty"` // whsec_…; shown on creation and rotation only
}

// WebhookCreate is what a client sends to register an endpoint.
type WebhookCreate struct {
	URL         string      `json:"url"`             // absolute, http or https
	Types       []EventType `json:"types,omitempty"` // nil stands for DefaultEventTypes
	Description string      `json:"description,omitempty"`
	Disabled    bool        `json:"disabled,omitempty"`
}

// WebhookPatch is a change of some members of an endpoint; nil leaves a member
// as it is.
type WebhookPatch struct {
	URL         *string     `json:"url,omitempty"`
	Types       []EventType `json:"types,omitempty"`
	Description *string     `json:"description,omitempty"`
	Disabled    *bool       `json:"disabled,omitempty"`
}

// DeliveryStatus tells how far a delivery is.
type DeliveryStatus string

// The states of a try. A pending one is still to be made, or just being made.
// One that failed is followed by another; one that was abandoned is not, unless
// somebody asks.
const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliverySucceeded DeliveryStatus = "succeeded"
	DeliveryFailed    DeliveryStatus = "failed"
	DeliveryAbandoned DeliveryStatus = "abandoned"
)

// Delivery is one try to deliver an event to an endpoint or a callback.
type Delivery struct {
	ID          ID             `json:"id"`
	EventID     ID             `json:"eventId"`
	Type        EventType      `json:"type"`
	WebhookID   ID             `json:"webhookId,omitempty"`   // the endpoint; "" for a callback
	CallbackURL string         `json:"callbackUrl,omitempty"` // the address of a callback; "" for an endpoint
	Attempt     int            `json:"attempt"`               // counts from 1
	Status      DeliveryStatus `json:"status"`

	RequestExcerpt  string `json:"requestExcerpt,omitempty"`  // the beginning of the body that is sent
	ResponseStatus  int    `json:"responseStatus,omitempty"`  // of HTTP; 0 when nothing was answered
	ResponseExcerpt string `json:"responseExcerpt,omitempty"` // the beginning of the answer's body
	Error           string `json:"error,omitempty"`           // why there was no answer

	CreatedAt     time.Time  `json:"createdAt"`
	EndedAt       *time.Time `json:"endedAt,omitempty"`
	NextAttemptAt *time.Time `json:"nextAttemptAt,omitempty"` // when a pending try is due; nil while an earlier event of its page is first
}
