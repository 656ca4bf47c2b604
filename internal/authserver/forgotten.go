package authserver

import (
	"context"
	"net/http"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/mail"
)

// forgottenView is the form for a forgotten password.
type forgottenView struct{ frame }

// sendsLinks reports whether the server mails links for forgotten passwords.
func (s *Server) sendsLinks() bool { return s.Outbox != nil && !s.passwordless() }

func (s *Server) forgottenPage(v *visit) error {
	if !s.sendsLinks() {
		return noForgotten()
	}
	return s.show(v, http.StatusOK, "forgotten", forgottenView{s.frame(v, "Forgotten password")})
}

func noForgotten() error {
	return &pageError{status: http.StatusNotFound, heading: "This server sends no links", text: "Ask its administrator for another password."}
}

// forgotten mails a link. Neither the response nor its timing reveals whether the address
// is known: everything that depends on it happens afterwards.
func (s *Server) forgotten(v *visit) error {
	if !s.sendsLinks() {
		return noForgotten()
	}
	email := octavo.NormalEmail(v.params.get("email"))
	if wait := s.throttle.take("forgotten "+email, s.Address(v.Request)); wait > 0 {
		return &pageError{status: http.StatusTooManyRequests, heading: "Too many tries", text: "Try again in a while.", retryAfter: wait + time.Second}
	}
	url, link, err := s.newLink()
	if err != nil {
		return err
	}
	cause := s.cause(v.Request, octavo.Actor{})
	s.Outbox.later(func(ctx context.Context) (mail.Message, error) {
		u, err := s.Accounts.Users.Forgotten(ctx, cause, email, link)
		if err != nil {
			return mail.Message{}, err
		}
		return forgotten(u.User, url, s.Env.Now()), nil
	})
	return s.show(v, http.StatusOK, "message", messageView{
		frame: s.frame(v, "Forgotten password"), Heading: "Look at your mail", Link: s.root + "/login", Label: "Sign in",
		Text: "If somebody here has this address, a link is being sent to it. It works once, within 72 hours. At most three links are sent in an hour.",
	})
}
