// Package authserver signs people in and issues tokens to programs. It is the OAuth 2.0
// authorization server with OpenID Connect, and has the pages on which people sign in,
// consent, and manage their account. It owns passwords, browser sessions, clients and
// grants.
//
// It knows neither API keys nor the form of access tokens (package auth), nor
// operations of the API. Every decision about state is one transaction of
// [accounts.Grants].
//
// A [Server] is a table of handlers by path and method:
//
//	server, err := authserver.New(options)
//	for path, methods := range server.Handlers() { … }
//
// [Verifier] runs before the API and refuses revoked access tokens.
package authserver

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// Lifetimes (decision 40).
const (
	CodeLife    = 5 * time.Minute
	RefreshLife = 30 * 24 * time.Hour
	SessionLife = 7 * 24 * time.Hour
	SetupLife   = 24 * time.Hour // of links for creating the first administrator
	LinkLife    = 72 * time.Hour // of links for setting a password
)

// setupPath is the path of both links, below the issuer.
const setupPath = "/setup?link="

// maxForm limits a form, in bytes.
const maxForm = 64 << 10

// Options are the dependencies and settings of a server. All are required unless stated
// otherwise.
type Options struct {
	Env      auth.Env
	IDs      *octavo.IDSource
	Log      *slog.Logger
	Accounts *accounts.Accounts
	Tokens   *auth.Tokens
	Verify   *Verifier // notified of revocations, and used for userinfo
	Refusals *auth.Refusals

	Suggestions Suggestions // the current setting

	Issuer    string // address of this server, without trailing slash
	Resource  string // address of the API, the audience of its tokens
	Style     string // path of the style sheet
	Site      string // path of the live site, to which sign-in may return; "" means none
	Studio    string // path of Studio; "" means none
	Passwords Cost   // zero is DefaultCost

	Provider *Provider // for signing in; nil means none
	Outbox   *Outbox   // sends links; nil sends none

	// Mails stores which people get notification mails, if there is an Outbox.
	Mails Mails

	// ForgetPerson replaces the name of a removed person wherever it is stored.
	ForgetPerson func(*sqldb.Tx, octavo.ID) error

	// Address returns the network address of a request's sender, and Trace its trace
	// identifier.
	Address, Trace func(*http.Request) string
}

// Server serves the endpoints of OAuth and OpenID Connect, and pages for
// people. It is safe for concurrent use.
type Server struct {
	Options
	origin    string // of Issuer
	root      string // path of Issuer
	secure    bool   // whether browsers reach it by https
	beside    string // distinguishes its cookies from others on the host
	passwords *passwords
	throttle  *throttle
	pages     *pages
}

// New returns a server. It fails if Issuer is not a URL or a template does not match its
// data.
func New(o Options) (*Server, error) {
	u, err := url.Parse(o.Issuer)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("the address of the authorization server, %q, is none", o.Issuer)
	}
	if o.Passwords == (Cost{}) {
		o.Passwords = DefaultCost()
	}
	s := &Server{
		Options: o, origin: originOf(u), root: u.Path, secure: u.Scheme == "https",
		throttle: newThrottle(o.Env.Now),
	}
	if place := u.Port() + s.root; place != "" {
		sum := sha256.Sum256([]byte(place))
		s.beside = "-" + hex.EncodeToString(sum[:4])
	}
	if s.passwords, err = newPasswords(o.Env, o.Passwords); err != nil {
		return nil, err
	}
	if s.pages, err = parsePages(); err != nil {
		return nil, err
	}
	return s, nil
}

// originOf returns the origin of an address as browsers write it: without the scheme's
// default port (RFC 6454 section 6.2).
func originOf(u *url.URL) string {
	host := strings.ToLower(u.Host)
	if port := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]; port != "" {
		host = strings.TrimSuffix(host, port)
	}
	return u.Scheme + "://" + host
}

// Origin returns the origin of Issuer as browsers write it.
func (s *Server) Origin() string { return s.origin }

// Handlers returns the handlers by exact path and method. A handler for GET also answers
// HEAD. The caller refuses other methods.
func (s *Server) Handlers() map[string]map[string]http.Handler {
	type methods = map[string]http.Handler
	protocol := func(h handler) http.Handler { return s.protocol(h) }
	page := func(h pageHandler) http.Handler { return s.page(h) }
	form := func(h pageHandler) http.Handler { return s.form(h) }
	served := map[string]methods{
		"/oauth/authorize": {"GET": page(s.authorizeQuery), "POST": s.page(s.authorizeForm)},
		"/oauth/token":     {"POST": protocol(s.token)},
		"/oauth/revoke":    {"POST": protocol(s.revoke)},
		"/oauth/userinfo":  {"GET": protocol(s.userinfo), "POST": protocol(s.userinfo)},
		"/oauth/logout":    {"GET": page(s.logoutQuery), "POST": page(s.logoutForm)},

		"/login":            {"GET": page(s.loginPage), "POST": form(s.login)},
		"/login/forgotten":  {"GET": page(s.forgottenPage), "POST": form(s.forgotten)},
		"/setup":            {"GET": page(s.setupPage), "POST": form(s.setup)},
		"/account":          {"GET": page(s.member(s.account))},
		"/account/password": {"POST": form(s.member(s.changePassword))},
		"/account/sessions": {"POST": form(s.member(s.endSessions))},
		"/account/clients":  {"POST": form(s.member(s.endClient))},
	}
	if s.Studio != "" {
		served[s.Studio+"/token"] = methods{"POST": protocol(s.studioToken)}
		served[s.Studio+"/signout"] = methods{"POST": protocol(s.studioSignOut)}
	}
	if s.Outbox != nil {
		served["/account/mail"] = methods{"POST": form(s.member(s.setMails))}
	}
	maps.Copy(served, s.descriptions())
	if s.Provider != nil {
		served["/login/provider"] = methods{"GET": page(s.beginProvider)}
		served[CallbackPath] = methods{"GET": page(s.finishProvider)}
	}
	return served
}

// cause is the cause of a change, for the audit log.
func (s *Server) cause(r *http.Request, actor octavo.Actor) sqldb.Cause {
	return sqldb.Cause{Actor: actor, Address: s.Address(r), TraceID: s.Trace(r)}
}

// note records a refused attempt. who is the name that was entered, possibly a password in
// the wrong field; subject is the known subject, or "".
func (s *Server) note(r *http.Request, who, subject string, detail map[string]any) {
	s.Refusals.Note(r.Context(), who, octavo.AuditEntry{
		Action: octavo.SignInRefused, Subject: subject, Address: s.Address(r), TraceID: s.Trace(r), Detail: detail,
	})
}

// NewSetupURL returns the address for creating the first administrator. It is valid once,
// within SetupLife. It is "" if there is already a person.
func NewSetupURL(ctx context.Context, env auth.Env, users *accounts.Users, issuer string) (string, error) {
	has, err := users.Any(ctx)
	if err != nil || has {
		return "", err
	}
	text, hash, err := NewSecret(env.Random)
	if err != nil {
		return "", err
	}
	if err := users.AddSetupLink(ctx, accounts.Link{Hash: hash, ExpiresAt: env.Now().Add(SetupLife)}); err != nil {
		return "", err
	}
	return issuer + setupPath + text, nil
}
