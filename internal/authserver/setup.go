package authserver

import (
	"errors"
	"net/http"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
)

// setupView is the form by which the first person is added.
type setupView struct {
	frame
	Link, Email, Name string
	Problems          []string
}

func (s *Server) setupPage(v *visit) error {
	if err := s.checkLink(v); err != nil {
		return err
	}
	return s.showSetup(v, http.StatusOK, setupView{Link: v.params.get("link")})
}

func (s *Server) showSetup(v *visit, status int, view setupView) error {
	view.frame = s.frame(v, "Set up")
	return s.show(v, status, "setup", view)
}

func (s *Server) checkLink(v *visit) error {
	if s.passwordless() {
		return noPasswords()
	}
	valid, err := s.Accounts.Users.SetupLinkValid(v.Context(), hashOf(v.params.get("link")))
	if err != nil {
		return err
	}
	if !valid {
		return linkNotValid()
	}
	return nil
}

func linkNotValid() error {
	return &pageError{
		status: http.StatusNotFound, heading: "This link is not valid",
		text: "A set-up link works once, for a day, and until there is a first person. Start the server again for another one, or add people with octavo users add.",
	}
}

// setup adds the first person, an administrator, and signs them in.
func (s *Server) setup(v *visit) error {
	if err := s.checkLink(v); err != nil {
		return err
	}
	link, password := v.params.get("link"), v.params.get("password")
	user := accounts.User{User: octavo.User{Email: v.params.get("email"), Name: v.params.get("name"), Role: octavo.RoleAdmin}}
	if problems := problemsOf(&user.User, password); len(problems) > 0 {
		return s.showSetup(v, http.StatusUnprocessableEntity, setupView{Link: link, Email: user.Email, Name: user.Name, Problems: problems})
	}
	var err error
	if user.ID, err = s.IDs.New(octavo.PrefixUser); err != nil {
		return err
	}
	if user.Password, err = s.passwords.hash(v.Context(), password); err != nil {
		return s.busy(err)
	}
	if err := s.Accounts.Users.UseSetupLink(v.Context(), s.cause(v.Request, user.Actor()), hashOf(link), user); err != nil {
		if octavo.IsType(err, octavo.NotFound) {
			return linkNotValid()
		}
		return err
	}
	if err := s.startSession(v, user, "", ""); err != nil {
		return err
	}
	return s.redirect(v, s.root+"/account")
}

// busy is what a person sees where a password could not be hashed in time.
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
