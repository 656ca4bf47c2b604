package auth

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/octavo-docs/octavo"
)

// Limits and defaults of API keys (decision 40).
const (
	DefaultKeyLifetime = 90 * day
	MaxKeyName         = 120 // Unicode code points
	MaxKeyTags         = 20
	MaxKeyTag          = 200 // Unicode code points
	MaxKeyRateLimit    = 1_000_000_000
)

// KeyRequest describes an API key to be created.
type KeyRequest struct {
	Name          string
	Kind          octavo.KeyKind // "" means a service key
	Scopes        octavo.Scopes  // 0 means pages:read
	PublishedOnly bool           // always set for search keys
	Tags          []string       // bind a search key to pages that have all of them
	RateLimit     int            // requests in 60 seconds; 0 is the installation's limit
	Lifetime      time.Duration  // 0 means no expiry
	ExpiresAt     time.Time      // replaces Lifetime unless it is zero
}

// Check sets defaults and validates the request. It needs no store.
func (r *KeyRequest) Check(now time.Time) error {
	var faults octavo.Faults
	if r.Scopes == 0 {
		r.Scopes = octavo.ScopeRead
	}
	if r.Kind == "" {
		r.Kind = octavo.KeyService
	}
	if n := utf8.RuneCountInString(r.Name); n == 0 || n > MaxKeyName || strings.ContainsFunc(r.Name, unicode.IsControl) {
		faults.Add("/name", "must have 1 to %d characters, none of them a control character; it has %d", MaxKeyName, n)
	}
	if r.Lifetime < 0 || !r.ExpiresAt.IsZero() && !r.ExpiresAt.After(now) {
		faults.Add("/expiresAt", "must be in the future")
	}
	if r.RateLimit < 0 || r.RateLimit > MaxKeyRateLimit {
		faults.Add("/rateLimit", "must be from 1 to %d requests in 60 seconds", MaxKeyRateLimit)
	}
	r.checkTags(&faults)
	switch {
	case r.Kind == octavo.KeySearch && r.Scopes != octavo.ScopeRead:
		faults.Add("/scopes", "must be only pages:read for a search key")
	case r.Kind == octavo.KeySearch:
		r.PublishedOnly = true
	case r.Kind != octavo.KeyService:
		faults.Add("/kind", "must be service or search")
	default:
		checkScopes(r.Scopes, r.PublishedOnly, &faults)
	}
	return faults.Err()
}

// checkTags enforces decision 59.
func (r *KeyRequest) checkTags(faults *octavo.Faults) {
	if len(r.Tags) > 0 && r.Kind != octavo.KeySearch {
		faults.Add("/filter", "must be omitted: only a search key can be bound to tags")
	}
	if len(r.Tags) > MaxKeyTags {
		faults.Add("/filter/tags", "must name at most %d tags; it names %d", MaxKeyTags, len(r.Tags))
		return
	}
	for i, tag := range r.Tags {
		path := octavo.PointerIndex("/filter/tags", i)
		switch n := utf8.RuneCountInString(tag); {
		case n == 0 || n > MaxKeyTag || strings.ContainsRune(tag, 0):
			faults.Add(path, "must have 1 to %d characters, none of them NUL", MaxKeyTag)
		case slices.Contains(r.Tags[:i], tag):
			faults.Add(path, "must not repeat a tag")
		}
	}
}
