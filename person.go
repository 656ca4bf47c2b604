package octavo

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// Limits of a person's data.
const (
	MaxEmail    = 254 // bytes (RFC 5321 section 4.5.3.1.3)
	MaxName     = 120 // Unicode code points
	MinPassword = 12  // Unicode code points
	MaxPassword = 256 // bytes
)

// Limits of the cost of checking a password: the minimum is safe, and the maximum takes
// seconds.
const (
	MinPasses = 2
	MaxPasses = 100
)

// Role limits what a person may do (decision 38).
type Role string

// The roles: each includes those before it.
const (
	RoleReader      Role = "reader"
	RoleContributor Role = "contributor"
	RoleEditor      Role = "editor"
	RoleAdmin       Role = "admin"
)

// Scopes returns the scopes that may be granted to the role. An unknown role has none.
func (r Role) Scopes() Scopes {
	switch r {
	case RoleReader:
		return ScopeRead
	case RoleContributor:
		return ScopeRead | ScopePropose
	case RoleEditor:
		return ScopeRead | ScopePropose | ScopeWrite
	case RoleAdmin:
		return ScopeRead | ScopePropose | ScopeWrite | ScopeAdmin
	}
	return 0
}

// ScopesWhere is Scopes, plus ScopePropose for readers if the site's setting
// suggestions is on.
func (r Role) ScopesWhere(suggestions bool) Scopes {
	if r == RoleReader && suggestions {
		return ScopeRead | ScopePropose
	}
	return r.Scopes()
}

// User is a person who can sign in.
type User struct {
	ID        ID
	Email     string // as returned by NormalEmail; unique
	Name      string
	Role      Role
	Disabled  bool
	Invited   bool // without a password or sign-in since
	CreatedAt time.Time
}

func (u User) MarshalJSON() ([]byte, error) {
	return json.Marshal(struct {
		ID        ID              `json:"id"`
		Email     string          `json:"email"`
		Name      string          `json:"name"`
		Role      Role            `json:"role"`
		Disabled  bool            `json:"disabled"`
		Invited   bool            `json:"invited,omitempty"`
		CreatedAt json.RawMessage `json:"createdAt"`
	}{u.ID, u.Email, u.Name, u.Role, u.Disabled, u.Invited, AppendTime(nil, u.CreatedAt)})
}

// Actor names the person as the author of what they do.
func (u User) Actor() Actor { return Actor{ID: string(u.ID), Name: u.Name} }

// Check normalizes the e-mail address and returns what is wrong with the person, as an
// *Error of type InvalidRequest.
func (u *User) Check() error {
	var faults Faults
	u.Email = NormalEmail(u.Email)
	if !plausibleEmail(u.Email) {
		faults.Add("/email", "must be an e-mail address such as ann@example.com, of at most %d bytes", MaxEmail)
	}
	if text := CheckName(u.Name); text != "" {
		faults.Add("/name", "%s", text)
	}
	if u.Role.Scopes() == 0 {
		faults.Add("/role", "must be reader, contributor, editor or admin")
	}
	return faults.Err()
}

// CheckName says what is wrong with the name of a person or an application, or
// "".
func CheckName(name string) string {
	n := utf8.RuneCountInString(name)
	if n > 0 && n <= MaxName && utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl) {
		return ""
	}
	return fmt.Sprintf("must have 1 to %d characters, none of them a control character; it has %d", MaxName, n)
}

// NormalEmail returns the form in which an address is stored and looked up: without
// surrounding space and in lower case, since people expect that case does not matter.
func NormalEmail(text string) string { return strings.ToLower(strings.TrimSpace(text)) }

// plausibleEmail reports whether text could be an address. Only a message to it could
// confirm that.
func plausibleEmail(text string) bool {
	local, domain, found := strings.Cut(text, "@")
	odd := func(r rune) bool {
		return unicode.IsControl(r) || unicode.IsSpace(r) || r == '@' || r == utf8.RuneError
	}
	return found && local != "" && domain != "" && len(text) <= MaxEmail && !strings.ContainsFunc(local+domain, odd)
}

// CheckPassword returns what is wrong with a new password, or "". Only its length
// counts (NIST SP 800-63B section 5.1.1.2).
func CheckPassword(password string) string {
	switch n := utf8.RuneCountInString(password); {
	case n < MinPassword:
		return fmt.Sprintf("must have at least %d characters", MinPassword)
	case len(password) > MaxPassword:
		return fmt.Sprintf("must have at most %d bytes", MaxPassword)
	}
	return ""
}
