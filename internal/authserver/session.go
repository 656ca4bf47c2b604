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
	formCookie    = "octavo-form" // set at the first visit; form tokens are bound to it and to the session
	touchInterval = 5 * time.Minute
	maxAgent      = 200 // bytes of a User-Agent
)

// cookieName returns the name of a cookie. The prefix makes browsers refuse cookies set
// by another host or without TLS. It requires the path /, so the name distinguishes
// installations on other paths and ports of the host.
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
		// Lax, since people arrive from the sites that they sign in to.
		SameSite: http.SameSiteLaxMode,
		MaxAge:   int(life / time.Second),
	}
	if value == "" {
		c.MaxAge = -1
	}
	http.SetCookie(w, c)
}

// cookie returns the value of a cookie. It is "" if it is missing or not of this server's
// form.
func (s *Server) cookie(r *http.Request, name string) string {
	c, err := r.Cookie(s.cookieName(name))
	if err != nil || len(c.Value) != secretLength {
		return ""
	}
	return c.Value
}

func (s *Server) identify(v *visit) (err error) {
	binding := s.cookie(v.Request, formCookie)
	if binding == "" {
		if binding, _, err = NewSecret(s.Env.Random); err != nil {
			return err
		}
		s.setCookie(v.w, formCookie, binding, SessionLife)
	}
	v.token = formToken(binding, s.cookie(v.Request, sessionCookie))
	v.session, v.user, err = s.sessionOf(v.Request)
	v.signedIn = err == nil
	return unlessNotFound(err)
}

// sessionOf returns the session of a request's browser and its person. It fails with
// NotFound if there is none.
func (s *Server) sessionOf(r *http.Request) (accounts.Session, accounts.User, error) {
	text := s.cookie(r, sessionCookie)
	if text == "" {
		return accounts.Session{}, accounts.User{}, octavo.Errorf(octavo.NotFound, "Nobody is signed in.")
	}
	session, user, err := s.Accounts.Sessions.ByHash(r.Context(), hashOf(text))
	if err == nil && s.Env.Now().Sub(session.SeenAt) >= touchInterval {
		err = s.Accounts.Sessions.Touch(r.Context(), session.ID)
	}
	return session, user, err
}

// Visitor returns the person signed in in the request's browser, or an empty one.
func (s *Server) Visitor(r *http.Request) (octavo.User, error) {
	_, user, err := s.sessionOf(r)
	return user.User, unlessNotFound(err)
}

// formToken proves that a form comes from a page of the same browser and session.
func formToken(binding, session string) string {
	mac := hmac.New(sha256.New, []byte(binding))
	mac.Write([]byte("form\x00" + session))
	return base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// checkForm refuses a form submitted by another site, by its Origin and by the token.
func (s *Server) checkForm(v *visit) error {
	origin, site := v.Header.Get("Origin"), v.Header.Get("Sec-Fetch-Site")
	foreign := origin != "" && strings.ToLower(origin) != s.origin || site != "" && site != "same-origin" && site != "none"
	if foreign || !hmac.Equal([]byte(v.params.get("token")), []byte(v.token)) {
		return &pageError{
			status: http.StatusForbidden, heading: "This form cannot be accepted",
			text: "It was opened at another address than " + s.origin + ", or too long ago, or cookies are turned off. Go back, reload the page, and send it again.",
		}
	}
	return nil
}

// startSession signs a person in under a new identifier, which prevents session fixation.
// by is the identity provider, "" for a password. renewed is a password hash to store, ""
// to keep the present one. It fails with NotFound if the credential has changed meanwhile.
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
	defer s.Verify.Forget()
	if err := s.Accounts.Sessions.Add(v.Context(), s.cause(v.Request, u.Actor()), session, hashOf(s.cookie(v.Request, sessionCookie))); err != nil {
		return err
	}
	s.setCookie(v.w, sessionCookie, text, SessionLife)
	return nil
}

// endSession ends a session of a person, and revokes Studio's tokens of that session.
func (s *Server) endSession(r *http.Request, user accounts.User, id octavo.ID) error {
	defer s.Verify.Forget()
	return s.Accounts.Sessions.End(r.Context(), s.cause(r, user.Actor()), user.ID, id)
}

// clearBrowser makes a browser drop the session and cached pages for members.
func (s *Server) clearBrowser(w http.ResponseWriter) {
	s.setCookie(w, sessionCookie, "", 0)
	w.Header().Set("Clear-Site-Data", `"cache"`)
}
