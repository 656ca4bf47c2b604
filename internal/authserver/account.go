package authserver

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// accountView shows a person their data and lets them revoke access.
type accountView struct {
	frame
	User     accounts.User
	Session  octavo.ID // the current one
	Sessions []accounts.Session
	Clients  []clientRow
	Studio   string // path of Studio, if they may write there
	Password bool   // whether they can sign in by password
	Mail     bool   // whether this server mails notifications
	Mails    bool   // whether they get them
	Notice   string
	Problem  string
}

// clientRow is a client that a person has authorized.
type clientRow struct {
	ID         octavo.ID
	Name       string
	Permission []string
	Since      string
}

// signedOut redirects a visitor without a session to sign in.
func (s *Server) signedOut(v *visit) error {
	return s.redirect(v, s.root+"/login?next="+url.QueryEscape(s.root+"/account"))
}

// member requires a signed-in person for a page.
func (s *Server) member(serve func(*visit) error) func(*visit) error {
	return func(v *visit) error {
		if !v.signedIn {
			return s.signedOut(v)
		}
		return serve(v)
	}
}

func (s *Server) account(v *visit) error {
	notice := ""
	if v.params.get("changed") == "password" {
		notice = "Your password was changed, and your other sessions have ended."
	}
	return s.showAccount(v, http.StatusOK, notice, "")
}

func (s *Server) showAccount(v *visit, status int, notice, problem string) error {
	view := accountView{frame: s.frame(v, "Your account"), User: v.user, Session: v.session.ID, Notice: notice, Problem: problem, Password: v.user.Password != "" && !s.passwordless()}
	var err error
	if writes, err := s.writes(v.Context(), v.user); err != nil {
		return err
	} else if writes {
		view.Studio = s.Studio
	}
	if view.Mail = s.Outbox != nil; view.Mail {
		if view.Mails, err = s.Mails.Wanted(v.Context(), v.user.ID); err != nil {
			return err
		}
	}
	if view.Sessions, err = s.Accounts.Sessions.List(v.Context(), v.user.ID); err != nil {
		return err
	}
	grants, err := s.Accounts.Grants.List(v.Context(), v.user.ID)
	if err != nil {
		return err
	}
	all := map[octavo.ID]scopes{}
	for _, g := range grants {
		row := clientRow{ID: g.ClientID, Since: day(g.CreatedAt)}
		if _, known := all[g.ClientID]; !known {
			client, err := s.Accounts.Clients.ByID(v.Context(), g.ClientID)
			if err != nil {
				return err
			}
			row.Name = client.Name
			view.Clients = append(view.Clients, row)
		}
		all[g.ClientID] = parseScopes(all[g.ClientID].String() + " " + g.Scope)
	}
	for i, row := range view.Clients {
		view.Clients[i].Permission = all[row.ID].explained()
	}
	return s.show(v, status, "account", view)
}

// changePassword also requires the present password, so that an unattended browser is not
// enough.
func (s *Server) changePassword(v *visit) error {
	if s.passwordless() {
		return noPasswords()
	}
	_, err := s.checkPassword(v, v.user.Email, func() (accounts.User, error) { return v.user, nil }, v.params.get("current"))
	if refused, ok := errors.AsType[*pageError](err); ok {
		text := refused.text
		if refused.retryAfter == 0 {
			text = "The current password is wrong."
		} else {
			v.w.Header().Set("Retry-After", seconds(refused.retryAfter))
		}
		return s.showAccount(v, refused.status, "", text)
	}
	if err != nil {
		return err
	}
	if text := octavo.CheckPassword(v.params.get("password")); text != "" {
		return s.showAccount(v, http.StatusUnprocessableEntity, "", "The new password "+text+".")
	}
	stored, err := s.passwords.hash(v.Context(), v.params.get("password"))
	if err != nil {
		return s.busy(err)
	}
	defer s.Verify.Forget()
	if err := s.Accounts.Users.SetPassword(v.Context(), s.cause(v.Request, v.user.Actor()), v.user.ID, stored, v.session.ID); err != nil {
		return err
	}
	return s.redirect(v, s.root+"/account?changed=password")
}

// endSessions ends one session, or all but this one.
func (s *Server) endSessions(v *visit) error {
	var err error
	if id := v.params.get("session"); id != "" {
		err = s.endSession(v.Request, v.user, octavo.ID(id))
	} else {
		defer s.Verify.Forget()
		err = s.Accounts.Sessions.EndOthers(v.Context(), s.cause(v.Request, v.user.Actor()), v.user.ID, v.session.ID)
	}
	if err != nil {
		return err
	}
	return s.redirect(v, s.root+"/account")
}

// Mails stores which people get notifications of proposals by mail.
type Mails interface {
	Wanted(ctx context.Context, user octavo.ID) (bool, error)
	SetWanted(ctx context.Context, cause sqldb.Cause, user octavo.ID, on bool) error
}

// setMails turns notification mails for a person on or off.
func (s *Server) setMails(v *visit) error {
	if err := s.Mails.SetWanted(v.Context(), s.cause(v.Request, v.user.Actor()), v.user.ID, v.params.get("mail") == "on"); err != nil {
		return err
	}
	return s.redirect(v, s.root+"/account")
}

// endClient revokes the grants of a client.
func (s *Server) endClient(v *visit) error {
	client := octavo.ID(v.params.get("client"))
	defer s.Verify.Forget()
	if err := s.Accounts.Grants.EndOfClient(v.Context(), s.cause(v.Request, v.user.Actor()), v.user.ID, client); err != nil {
		return err
	}
	return s.redirect(v, s.root+"/account")
}
