package authserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
)

// busyWait is the Retry-After when too many passwords are being checked.
const busyWait = 2 * time.Second

// notRight is the only explanation of a failed sign-in.
const notRight = "The e-mail address or the password is wrong."

// loginView is the form to sign in.
type loginView struct {
	frame
	Email, Next, Problem string
	Again                string // "" unless a provider must ask the person again
	Passwords            bool   // whether people can sign in by password
	Forgotten            bool   // whether a link for a forgotten password is available
	Provider, Link       string // its name, and the address that begins its sign-in; "" without one
}

func (s *Server) loginPage(v *visit) error {
	return s.showLogin(v, http.StatusOK, loginView{Email: s.loginHint(v.params.get("next")), Next: v.params.get("next")})
}

func (s *Server) showLogin(v *visit, status int, view loginView) error {
	view.frame, view.Next = s.frame(v, "Sign in"), s.next(view.Next)
	view.Again = v.params.get("again")
	view.Passwords, view.Forgotten, view.Link = !s.passwordless(), s.sendsLinks(), s.providerLink(view.Next, view.Again != "")
	if s.Provider != nil {
		view.Provider = s.Provider.Name
	}
	v.target = s.targetOf(v, view.Next)
	return s.show(v, status, "login", view)
}

// login signs in. Neither the response nor its timing reveals whether an account exists.
func (s *Server) login(v *visit) error {
	if s.passwordless() {
		return noPasswords()
	}
	email, next := octavo.NormalEmail(v.params.get("email")), v.params.get("next")
	user, err := s.loginByPassword(v, email)
	if octavo.IsType(err, octavo.NotFound) { // the account was changed meanwhile: try again
		user, err = s.loginByPassword(v, email)
	}
	if octavo.IsType(err, octavo.NotFound) {
		err = &pageError{status: http.StatusForbidden, text: notRight}
	}
	if refused, ok := errors.AsType[*pageError](err); ok {
		if refused.retryAfter > 0 {
			v.w.Header().Set("Retry-After", seconds(refused.retryAfter))
		}
		return s.showLogin(v, refused.status, loginView{Email: email, Next: next, Problem: refused.text})
	}
	if err != nil {
		return err
	}
	return s.goOn(v, next, user)
}

// loginByPassword checks the password and starts a session. It stores a hash of another
// cost again at the current cost. It fails with NotFound if the password was changed or
// the person disabled meanwhile.
func (s *Server) loginByPassword(v *visit, email string) (accounts.User, error) {
	password := v.params.get("password")
	user, err := s.checkPassword(v, email, func() (accounts.User, error) {
		u, err := s.Accounts.Users.ByEmail(v.Context(), email)
		return u, unlessNotFound(err)
	}, password)
	if err != nil {
		return user, err
	}
	renewed, err := s.passwords.renew(v.Context(), user.Password, password)
	if err != nil {
		return user, err
	}
	return user, s.startSession(v, user, "", renewed)
}

// checkPassword returns the person of find if the password is theirs and they may sign in,
// else a pageError. It counts each attempt against account and address, and refuses excess
// ones before hashing.
func (s *Server) checkPassword(v *visit, account string, find func() (accounts.User, error), password string) (accounts.User, error) {
	address := s.Address(v.Request)
	if wait := s.throttle.take(account, address); wait > 0 {
		return accounts.User{}, &pageError{
			status: http.StatusTooManyRequests, heading: "Too many tries", retryAfter: wait,
			text: fmt.Sprintf("There were too many attempts. Try again in %s.", wait.Round(time.Second)+time.Second),
		}
	}
	user, err := find()
	if err != nil {
		return accounts.User{}, err
	}
	right, err := s.passwords.check(v.Context(), user.Password, password)
	if errors.Is(err, errBusy) {
		s.throttle.untried(account, address)
		return accounts.User{}, &pageError{
			status: http.StatusTooManyRequests, heading: "Too many people are signing in", retryAfter: busyWait,
			text: "Many people are signing in just now. Try again in a few seconds.",
		}
	}
	if err != nil {
		return accounts.User{}, err
	}
	if !right || user.Disabled {
		s.note(v.Request, account, user.Email, nil)
		return accounts.User{}, &pageError{status: http.StatusForbidden, heading: "Not signed in", text: notRight}
	}
	s.throttle.succeeded(account, address)
	return user, nil
}

// next returns the address after signing in: an authorization, or a page of the site,
// Studio or the account. It returns "" for any other address.
func (s *Server) next(text string) string {
	plain := !strings.ContainsFunc(text, func(r rune) bool { return r <= ' ' || r > '~' || r == '\\' || r == '#' })
	if plain && (s.authorizes(text) || text == s.root+"/account" || s.below(text, s.Site) || s.below(text, s.Studio)) {
		return text
	}
	return ""
}

// afterwards returns the address after signing in: next, or else Studio for people who
// may propose changes there, or their account.
func (s *Server) afterwards(ctx context.Context, next string, u accounts.User) (string, error) {
	if next = s.next(next); next != "" {
		return next, nil
	}
	writes, err := s.writes(ctx, u)
	if writes {
		return s.root + s.Studio, err
	}
	return s.root + "/account", err
}

func (s *Server) goOn(v *visit, next string, u accounts.User) error {
	to, err := s.afterwards(v.Context(), next, u)
	if err != nil {
		return err
	}
	return s.redirect(v, to)
}

func (s *Server) authorizes(next string) bool {
	return strings.HasPrefix(next, s.root+"/oauth/authorize?")
}

// below reports whether an address is at or below a path of this server, if that is not
// "". It refuses addresses that browsers could read differently.
func (s *Server) below(next, place string) bool {
	address, _, _ := strings.Cut(next, "?")
	plain, err := url.PathUnescape(address)
	if err != nil || strings.Count(plain, "/") != strings.Count(address, "/") || path.Clean(plain) != plain || strings.ContainsFunc(plain, func(r rune) bool { return r < ' ' || r == '\\' || r == 0x7f }) {
		return false
	}
	return place != "" && (address == s.root+place || strings.HasPrefix(address, s.root+place+"/"))
}

// continued returns the request encoded in next.
func (s *Server) continued(next string) params {
	if !s.authorizes(next) {
		return params{}
	}
	_, query, _ := strings.Cut(next, "?")
	values, err := url.ParseQuery(query)
	if err != nil {
		return params{}
	}
	return newParams(values)
}

func (s *Server) loginHint(next string) string {
	return octavo.NormalEmail(s.continued(s.next(next)).get("login_hint"))
}

// targetOf returns the origin that a sign-in may redirect to: that of the client whose
// authorization it is part of.
func (s *Server) targetOf(v *visit, next string) string {
	a, err := s.readAuthorization(v.Context(), s.continued(next))
	if err != nil {
		return ""
	}
	return formTarget(a.redirectURI)
}
