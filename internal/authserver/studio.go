package authserver

import (
	"context"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
)

// studioClient is the client id of Studio, the program in the browser. It is built in and
// in no table: nobody can change or remove it, or use it at the authorization endpoint.
const studioClient = "cli_studio"

// Lifetimes of Studio's access (decision 81).
const (
	studioTokenLife = 10 * time.Minute
	// adminLife is how long after a sign-in its tokens have scope admin.
	adminLife = 12 * time.Hour
)

// writes reports whether a person may propose changes in Studio.
func (s *Server) writes(ctx context.Context, u accounts.User) (bool, error) {
	if s.Studio == "" {
		return false, nil
	}
	suggestions, err := s.Suggestions(ctx)
	return u.Role.ScopesWhere(suggestions).Allow(octavo.ScopePropose), err
}

// studioToken issues an access token for Studio. It ends with the session, whose id it has
// instead of a consent's.
func (s *Server) studioToken(w http.ResponseWriter, r *http.Request) (any, error) {
	if err := s.checkStudio(w, r); err != nil {
		return nil, err
	}
	session, user, err := s.sessionOf(r)
	if octavo.IsType(err, octavo.NotFound) {
		return nil, errNotSignedIn()
	}
	if err != nil {
		return nil, err
	}
	suggestions, err := s.Suggestions(r.Context())
	if err != nil {
		return nil, err
	}
	granted := scopes{api: user.Role.ScopesWhere(suggestions)}
	now := s.Env.Now()
	if now.Sub(session.CreatedAt) >= adminLife {
		granted.api &^= octavo.ScopeAdmin
	}
	ttl := min(studioTokenLife, session.ExpiresAt.Sub(now))
	if ttl < time.Second {
		return nil, errNotSignedIn()
	}
	return s.personTokens(r, accounts.Grant{ID: session.ID, ClientID: studioClient, User: user}, ttl, granted)
}

// studioSignOut ends the session of the browser, if any.
func (s *Server) studioSignOut(w http.ResponseWriter, r *http.Request) (any, error) {
	if err := s.checkStudio(w, r); err != nil {
		return nil, err
	}
	session, user, err := s.sessionOf(r)
	if err == nil {
		err = s.endSession(r, user, session.ID)
	}
	if unlessNotFound(err) != nil {
		return nil, err
	}
	s.clearBrowser(w)
	return struct{}{}, nil
}

// checkStudio refuses requests that no script of this origin sent: forms, which are not
// JSON, and requests with another Origin.
func (s *Server) checkStudio(w http.ResponseWriter, r *http.Request) error {
	// CORS never applies here.
	w.Header().Del("Access-Control-Allow-Origin")
	w.Header().Del("Access-Control-Expose-Headers")
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	if strings.ToLower(origin) != s.origin || site != "" && site != "same-origin" {
		e := fault(accessDenied, "Only Studio at the address of this server can use this.")
		e.status = http.StatusForbidden
		return e
	}
	if mediaType(r) != "application/json" {
		return fault(invalidRequest, "The body must be application/json.")
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxForm))
	if err != nil || strings.Join(strings.Fields(string(body)), "") != "{}" {
		return fault(invalidRequest, "The body must be an empty object.")
	}
	return nil
}

func errNotSignedIn() error {
	e := fault(loginRequired, "Nobody is signed in.")
	e.status, e.challenge = http.StatusUnauthorized, "Bearer"
	return e
}
