package authserver

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
)

const (
	sessionCookie = "octavo-session"
	formCookie    = "octavo-form" // made at the first visit; forms are bound to it and to the session
	touchInterval = 5 * time.Minute
	maxAgent      = 200 // bytes of what a browser calls itself
)

// cookieName is the name under which a cookie is kept. The prefix makes
// browsers refuse one that another host or a page without TLS has set; it needs the
// path /, so that the name tells installations on other paths of the host apart, as
// it does those on other ports.
func (s *Server) cookieName(name string) string {
	name += s.beside
	if s.secure {
		return "__Host-" + name
	}
	return name
}

func (s *Server) setCookie(w http.ResponseWriter, name, value string, life time.Duration) {
	c := &http.Cookie{
		Name: s.cookieName(name), Value: value, Path: "/", Secure: s.secure, HttpOnly: true,
		// Lax, since people come here from the sites that they sign in to.
		SameSite: http.SameSiteLaxMode,
		MaxAge:   int(life / time.Second),
	}
	if value == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// cookie returns the value of a cookie, "" for none and for one that this
// server cannot have set.
func (s *Server) cookie(r *http.Request, name string) string {
	c, err := r.Cookie(s.cookieName(name))
	if err != nil || len(c.Value) != secretLength {
		return ""
	}
	return c.Value
}

// identify finds out who visits.
func (s *Server) identify(v *visit) (err error) {
	binding := s.cookie(v.Request, formCookie)
	if binding == "" {
		if binding, _, err = NewSecret(s.Env.Random); err != nil {
			return err
		}
		s.setCookie(v.w, formCookie, binding, SessionLife)
	}
	session := s.cookie(v.Request, sessionCookie)
	v.token = formToken(binding, session)
	if session == "" {
		return nil
	}
	v.session, v.user, err = s.Accounts.Sessions.ByHash(v.Context(), hashOf(session))
	if octavo.IsType(err, octavo.NotFound) {
		return nil
	}
	if err != nil {
		return err
	}
	v.signedIn = true
	if s.Env.Now().Sub(v.session.SeenAt) >= touchInterval {
		return s.Accounts.Sessions.Touch(v.Context(), v.session.ID)
	}
	return nil
}

// Visitor returns the person who is signed in in the browser that
// sends a request, "" for nobody.
func (s *Server) Visitor(r *http.Request) (octavo.Actor, error) {
	session := s.cookie(r, sessionCookie)
	if session == "" {
		return octavo.Actor{}, nil
	}
	found, user, err := s.Accounts.Sessions.ByHash(r.Context(), hashOf(session))
	if err != nil {
		return octavo.Actor{}, unlessNotFound(err)
	}
	if s.Env.Now().Sub(found.SeenAt) >= touchInterval {
		err = s.Accounts.Sessions.Touch(r.Context(), found.ID)
	}
	return octavo.Actor{ID: string(user.ID), Name: user.Name}, err
}

// formToken is what proves that a form comes from a page of the same browser
// and session.
func formToken(binding, session string) string {
	mac := hmac.New(sha256.New, []byte(binding))
	mac.Write([]byte("form\x00" + session))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// checkForm refuses a form that another site made the browser send: by what
// the browser says of its origin, and by the token.
func (s *Server) checkForm(v *visit) error {
	origin, site := v.Header.Get("Origin"), v.Header.Get("Sec-Fetch-Site")
	foreign := origin != "" && strings.ToLower(origin) != s.origin || site != "" && site != "same-origin" && site != "none"
	if foreign || !hmac.Equal([]byte(v.params.get("token")), []byte(v.token)) {
		return &pageError{
			status: http.StatusForbidden, heading: "This form cannot be accepted",
			text: "It was opened at another address than " + s.origin + ", or too long ago, or cookies are switched off. Go back, load the page again, and send it once more.",
		}
	}
	return nil
}

// startSession signs a person in under a new identifier, so that one which was
// planted in the browser before is worth nothing. by is the provider that says
// who it is, "" for a password; renewed is what is to be stored of that from
// now on, "" for what there is. It fails with NotFound where who it is does not
// hold any more.
func (s *Server) startSession(v *visit, u accounts.User, by, renewed string) error {
	text, hash, err := NewSecret(s.Env.Random)
	if err != nil {
		return err
	}
	id, err := s.IDs.New(octavo.PrefixSession)
	if err != nil {
		return err
	}
	agent := v.UserAgent()
	if len(agent) > maxAgent {
		agent = agent[:maxAgent]
	}
	session := accounts.Session{
		ID: id, Hash: hash, UserID: u.ID, By: by, Agent: agent, Address: s.Address(v.Request), ExpiresAt: s.Env.Now().Add(SessionLife),
	}
	if by == "" {
		session.Password, session.Renewed = u.Password, renewed
	}
	if err := s.Accounts.Sessions.Add(v.Context(), s.cause(v.Request, u.Actor()), session, hashOf(s.cookie(v.Request, sessionCookie))); err != nil {
		return err
	}
	s.setCookie(v.w, sessionCookie, text, SessionLife)
	return nil
}
