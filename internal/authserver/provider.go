package authserver

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/issuers"
)

// CallbackPath is where a provider sends people back to, below the issuer.
const CallbackPath = "/login/callback"

const (
	attemptCookie = "octavo-attempt" // a secret, and the address to continue at
	attemptLife   = 15 * time.Minute
	maxNext       = 3000 // bytes of that address: browsers limit a cookie to 4 KiB
)

// Provider is an OpenID provider for signing in, and what its claims mean here.
type Provider struct {
	*issuers.Provider
	Name string // on the button
	// Roles maps values of the provider's claim to roles; * matches everybody, and the
	// highest role counts. Users without a matching role cannot sign in. Without a mapping,
	// new users are readers and roles do not change.
	Roles map[string]octavo.Role
	// Domains restricts sign-in to verified e-mail addresses in these domains; empty allows
	// all.
	Domains []string
	// Link matches people by verified e-mail address with existing accounts.
	Link bool
	// disables passwords
	Alone bool
}

// attempt derives the secrets of a sign-in from the secret in the browser's cookie, so
// that the server stores nothing.
func attempt(secret, next string, again bool) issuers.Attempt {
	derive := func(purpose string) string {
		mac := hmac.New(sha256.New, []byte(secret))
		mac.Write([]byte(purpose))
		return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
	}
	return issuers.Attempt{State: derive("state\x00" + next), Nonce: derive("nonce"), Verifier: derive("verifier"), Again: again}
}

// beginProvider redirects the browser to the provider.
func (s *Server) beginProvider(v *visit) error {
	next := s.next(v.params.get("next"))
	if len(next) > maxNext {
		return &pageError{
			status: http.StatusBadRequest, heading: "This sign-in cannot continue",
			text: "What the application sent is too long to be kept while you sign in with " + s.Provider.Name + ".",
		}
	}
	secret, _, err := NewSecret(s.Env.Random)
	if err != nil {
		return err
	}
	// A person who is already signed in must sign in to the provider again.
	address, err := s.Provider.Begin(v.Context(), attempt(secret, next, v.signedIn || v.params.get("again") != ""))
	if err != nil {
		return s.providerFailed(v, next, err)
	}
	s.setCookie(v.w, attemptCookie, secret+base64.RawURLEncoding.EncodeToString([]byte(next)), attemptLife)
	return s.redirect(v, address)
}

// readAttempt returns the attempt in the browser's cookie, and the address to continue
// at. It ends the attempt, so that a response is accepted once.
func (s *Server) readAttempt(v *visit) (a issuers.Attempt, next string, ok bool) {
	c, err := v.Cookie(s.cookieName(attemptCookie))
	if err != nil || len(c.Value) < secretLength {
		return a, "", false
	}
	kept, err := base64.RawURLEncoding.DecodeString(c.Value[secretLength:])
	a = attempt(c.Value[:secretLength], string(kept), false)
	if err != nil || len(v.params.repeated) > 0 || !hmac.Equal([]byte(v.params.get("state")), []byte(a.State)) {
		return a, "", false
	}
	s.setCookie(v.w, attemptCookie, "", 0)
	return a, s.next(string(kept)), true
}

// finishProvider signs in the person identified by the provider.
func (s *Server) finishProvider(v *visit) error {
	a, next, begun := s.readAttempt(v)
	if !begun {
		return s.refuseProvider(v, "", "no sign-in of this browser", http.StatusBadRequest,
			"It was started in another browser, too long ago, or in another tab as well. Start again.")
	}
	address := s.Address(v.Request)
	if wait := s.throttle.take(a.State, address); wait > 0 {
		return &pageError{status: http.StatusTooManyRequests, heading: "Too many tries", text: "Try again in a while.", retryAfter: wait}
	}
	person, err := s.Provider.Finish(v.Context(), a, v.params.values)
	if refused, ok := errors.AsType[*issuers.Error](err); ok {
		return s.refuseProvider(v, "", refused.Description, http.StatusForbidden, refused.Description+" Start again, or ask an administrator of this server.")
	}
	if err != nil {
		return s.providerFailed(v, next, err)
	}
	user, text, err := s.admit(v, person)
	if err != nil {
		return err
	}
	if text != "" {
		return s.refuseProvider(v, person.Subject, text, http.StatusForbidden, text+" Ask an administrator of this server.")
	}
	s.throttle.succeeded(a.State, address)
	err = s.startSession(v, user, s.Provider.Issuer, "")
	if octavo.IsType(err, octavo.NotFound) {
		return s.refuseProvider(v, person.Subject, "disabled meanwhile", http.StatusForbidden, "Your account is disabled. Ask an administrator of this server.")
	}
	if err != nil {
		return err
	}
	// A page and not a redirect: browsers may apply the provider's form policy to redirects,
	// and it does not list the clients here.
	if next, err = s.afterwards(v.Context(), next, user); err != nil {
		return err
	}
	v.w.Header().Set("Refresh", "0; url="+next)
	return s.show(v, http.StatusOK, "message", messageView{
		frame: s.frame(v, "Signed in"), Heading: "You are signed in", Text: "Continue if the browser does not do so by itself.", Link: next, Label: "Go on",
	})
}

// admit returns the account of the provider's person, or the reason for a refusal.
func (s *Server) admit(v *visit, p issuers.Person) (user accounts.User, refusal string, err error) {
	role, set := s.roleOf(p.Values)
	_, domain, _ := strings.Cut(octavo.NormalEmail(p.Email), "@")
	switch {
	case role == "":
		return user, "Your account has no role here.", nil
	case len(s.Provider.Domains) > 0 && (!p.EmailVerified || !slices.Contains(s.Provider.Domains, domain)):
		return user, "E-mail addresses of your domain cannot sign in here.", nil
	}
	user.User = octavo.User{Email: p.Email, Name: cmp.Or(p.Name, p.Email), Role: role}
	if octavo.CheckName(user.Name) != "" {
		user.Name = octavo.NormalEmail(p.Email)
	}
	if err := user.Check(); err != nil {
		return user, s.Provider.Name + " does not give your e-mail address.", nil //nolint:nilerr // shown to the person
	}
	if user.ID, err = s.IDs.New(octavo.PrefixUser); err != nil {
		return user, "", err
	}
	id := accounts.Identity{Issuer: p.Issuer, Subject: p.Subject, SetRole: set, Link: s.Provider.Link && p.EmailVerified}
	user, err = s.Accounts.Users.SignIn(v.Context(), s.cause(v.Request, octavo.Actor{}), id, user)
	if e, ok := errors.AsType[*octavo.Error](err); ok {
		switch e.Type {
		case octavo.Forbidden:
			return user, "Your account is disabled.", nil
		case octavo.Conflict:
			return user, "A person here already has your e-mail address, and it is not known whether that is you.", nil
		}
	}
	s.Verify.Forget() // the role may have become smaller
	return user, "", err
}

// roleOf returns the highest role of the values of the claim, and whether it replaces the
// stored role.
func (s *Server) roleOf(values []string) (role octavo.Role, set bool) {
	if len(s.Provider.Roles) == 0 {
		return octavo.RoleReader, false
	}
	for _, value := range append(slices.Clone(values), "*") {
		if next := s.Provider.Roles[value]; !role.Scopes().Allow(next.Scopes()) {
			role = next
		}
	}
	return role, true
}

// refuseProvider records and shows that a provider's response does not allow signing in.
func (s *Server) refuseProvider(v *visit, subject, reason string, status int, text string) error {
	s.note(v.Request, subject, subject, map[string]any{"by": s.Provider.Issuer, "reason": reason})
	return s.show(v, status, "message", messageView{
		frame: s.frame(v, "Not signed in"), Heading: "Not signed in", Text: text, Link: s.root + "/login", Label: "Sign in",
	})
}

// providerFailed shows that the provider does not respond, with the other ways to sign in.
func (s *Server) providerFailed(v *visit, next string, err error) error {
	var e *octavo.Error
	if !errors.As(err, &e) || e.Type != octavo.Unavailable {
		return err
	}
	v.w.Header().Set("Retry-After", seconds(e.RetryAfter))
	return s.showLogin(v, http.StatusServiceUnavailable, loginView{Next: next, Problem: s.Provider.Name + " does not respond at the moment. Try again later."})
}

// providerLink returns the address that begins the sign-in with the provider, "" without
// one.
func (s *Server) providerLink(next string, again bool) string {
	if s.Provider == nil {
		return ""
	}
	values := url.Values{"next": {next}}
	if again {
		values.Set("again", "yes")
	}
	return s.root + "/login/provider?" + values.Encode()
}

func (s *Server) passwordless() bool { return s.Provider != nil && s.Provider.Alone }

func noPasswords() error {
	return &pageError{status: http.StatusForbidden, heading: "There are no passwords here", text: "People sign in to this server in another way."}
}
