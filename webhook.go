package octavo

import "time"

// Webhook is an endpoint that events are sent to, as it is read.
type Webhook struct {
	ID          ID          `json:"id"`
	URL         string      `json:"url"`
	Types       []EventType `json:"types"` // at least one
	Description string      `json:"description,omitempty"`
	Disabled    bool        `json:"disabled"`
	CreatedAt   time.Time   `json:"createdAt"`
	Secret      string      `json:"secret,omitempty"` // whsec_…; shown on creation and rotation only
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

// The states of a delivery. One that failed is tried again at NextAttemptAt;
// one that was abandoned is not, unless somebody asks.
const (
	DeliveryPending   DeliveryStatus = "pending"
	DeliverySucceeded DeliveryStatus = "succeeded"
	DeliveryFailed    DeliveryStatus = "failed"
	DeliveryAbandoned DeliveryStatus = "abandoned"
)

// Delivery is one try to deliver an event to an endpoint or a callback.
type Delivery struct {
	ID              ID             `json:"id"`
	EventID         ID             `json:"eventId"`
	Type            EventType      `json:"type"`
	Attempt         int            `json:"attempt"` // counts from 1; 0 before the first
	Status          DeliveryStatus `json:"status"`
	ResponseStatus  int            `json:"responseStatus,omitempty"`  // of HTTP; 0 when nothing was answered
	ResponseExcerpt string         `json:"responseExcerpt,omitempty"` // the beginning of the answer's body
	Error           string         `json:"error,omitempty"`           // why there was no answer
	CreatedAt       time.Time      `json:"createdAt"`
	NextAttemptAt   *time.Time     `json:"nextAttemptAt,omitempty"` // nil when none is planned
}
