package authserver

import (
	"errors"
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
)

// setupView is the form behind a link: it creates the first administrator, or sets a
// person's password.
type setupView struct {
	frame
	Link     string
	User     octavo.User // without an ID for the first administrator
	Problems []string
}

// setupPage shows the form. It does not use up the link, since mail scanners open links.
func (s *Server) setupPage(v *visit) error {
	user, err := s.checkLink(v)
	if err != nil {
		return err
	}
	return s.showSetup(v, http.StatusOK, setupView{Link: v.params.get("link"), User: user.User})
}

func (s *Server) showSetup(v *visit, status int, view setupView) error {
	title := "Set your password"
	if view.User.ID == "" {
		title = "Set up"
	}
	view.frame = s.frame(v, title)
	return s.show(v, status, "setup", view)
}

func (s *Server) checkLink(v *visit) (accounts.User, error) {
	if s.passwordless() {
		return accounts.User{}, noPasswords()
	}
	user, err := s.Accounts.Users.OfLink(v.Context(), hashOf(v.params.get("link")))
	if octavo.IsType(err, octavo.NotFound) {
		err = linkNotValid()
	}
	return user, err
}

func linkNotValid() error {
	return &pageError{
		status: http.StatusNotFound, heading: "This link is not valid",
		text: "A link works once and for a limited time, and a newer link invalidates it. Ask an administrator of this server for another link. If nobody can sign in yet, start the server again, or add people with octavo users add.",
	}
}

// setup sets the password of the link's person, or creates the first administrator, and
// signs them in.
func (s *Server) setup(v *visit) error {
	user, err := s.checkLink(v)
	if err != nil {
		return err
	}
	if user.ID == "" {
		user.User = octavo.User{Email: v.params.get("email"), Name: v.params.get("name"), Role: octavo.RoleAdmin}
	}
	link, password := v.params.get("link"), v.params.get("password")
	if problems := problemsOf(&user.User, password); len(problems) > 0 {
		return s.showSetup(v, http.StatusUnprocessableEntity, setupView{Link: link, User: user.User, Problems: problems})
	}
	if user.ID == "" {
		if user.ID, err = s.IDs.New(octavo.PrefixUser); err != nil {
			return err
		}
	}
	if user.Password, err = s.passwords.hash(v.Context(), password); err != nil {
		return s.busy(err)
	}
	defer s.Verify.Forget()
	user, err = s.Accounts.Users.UseLink(v.Context(), s.cause(v.Request, user.Actor()), hashOf(link), user)
	if octavo.IsType(err, octavo.NotFound) {
		return linkNotValid()
	}
	if err != nil {
		return err
	}
	err = s.startSession(v, user, "", "")
	if octavo.IsType(err, octavo.NotFound) { // changed or disabled meanwhile
		return s.signedOut(v)
	}
	if err != nil {
		return err
	}
	return s.goOn(v, "", user)
}

// busy converts errBusy for a person.
func (s *Server) busy(err error) error {
	if errors.Is(err, errBusy) {
		return &pageError{
			status: http.StatusTooManyRequests, heading: "Too many people are signing in", retryAfter: busyWait,
			text: "Try again in a few seconds.",
		}
	}
	return err
}

// problemsOf lists what is wrong with a person and their password.
func problemsOf(u *octavo.User, password string) (problems []string) {
	if e, ok := errors.AsType[*octavo.Error](u.Check()); ok {
		names := map[string]string{"/email": "The e-mail address ", "/name": "The name ", "/role": "The role "}
		for _, f := range e.Fields {
			problems = append(problems, names[f.Path]+f.Message+".")
		}
	}
	if text := octavo.CheckPassword(password); text != "" {
		problems = append(problems, "The password "+text+".")
	}
	return problems
}
