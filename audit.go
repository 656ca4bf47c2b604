package octavo

import "time"

// AuditAction says what was done: the kind of object, a dot, and what happened to it.
type AuditAction string

// The actions of the audit log. They are part of stored data and must not change.
const (
	KeyCreated           AuditAction = "key.created"
	KeyRotated           AuditAction = "key.rotated"
	KeyRevoked           AuditAction = "key.revoked"
	TokenIssued          AuditAction = "token.issued" // by hand, at the command line
	TokenRevoked         AuditAction = "token.revoked"
	SigningKeyRotated    AuditAction = "signing-key.rotated"
	UserAdded            AuditAction = "user.added"
	UserChanged          AuditAction = "user.changed"
	UserDisabled         AuditAction = "user.disabled"
	UserEnabled          AuditAction = "user.enabled"
	UserReset            AuditAction = "user.reset"
	UserForgot           AuditAction = "user.forgot-password"
	UserRemoved          AuditAction = "user.removed"
	ClientAdded          AuditAction = "client.added"
	ClientChanged        AuditAction = "client.changed"
	ClientRemoved        AuditAction = "client.removed"
	SignInSucceeded      AuditAction = "signin.succeeded"
	SignInRefused        AuditAction = "signin.refused"
	SessionEnded         AuditAction = "session.ended"
	ConsentGiven         AuditAction = "consent.given"
	WebhookCreated       AuditAction = "webhook.created"
	WebhookChanged       AuditAction = "webhook.changed"
	WebhookDeleted       AuditAction = "webhook.deleted"
	WebhookSecretRotated AuditAction = "webhook.secret-rotated"
	CallbackKeyRotated   AuditAction = "callback-key.rotated"
	SiteChanged          AuditAction = "site.changed"
	RedirectSet          AuditAction = "redirect.set"
	RedirectRemoved      AuditAction = "redirect.removed"
	FeedbackRemoved      AuditAction = "feedback.removed"
	PageRemoved          AuditAction = "page.purged"
	ReviewDismissed      AuditAction = "review.dismissed"
	ReviewOverridden     AuditAction = "review.overridden"
)

// AuditEntry is an entry of the audit log: who did what to credentials, people, clients
// and webhooks. Changes of pages are in their revisions and the change log.
type AuditEntry struct {
	ID        ID
	CreatedAt time.Time
	Action    AuditAction
	Actor     Actor
	Subject   string         // identifier of the affected object; may be empty
	Address   string         // network address of the request; empty at the command line
	TraceID   string         // X-Trace-Id of the request; may be empty
	Detail    map[string]any // further details, never secrets; may be nil
}
