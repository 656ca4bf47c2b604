package authserver

import (
	"net/http"
	"net/url"

	"github.com/octavo-docs/octavo"
)

// signoutView asks whether to sign out.
type signoutView struct {
	frame
	Name, Hint, Client, Returns, State string
}

// logoutQuery serves /oauth/logout (OpenID Connect RP-Initiated Logout). Only a client
// with the person's ID token needs no confirmation, since any other page could sign
// people out.
func (s *Server) logoutQuery(v *visit) error {
	p, hint := v.params, s.readHint(v)
	if !v.signedIn || hint.Subject == v.user.ID && clientOf(p, hint) != "" {
		return s.signOut(v, hint)
	}
	return s.show(v, http.StatusOK, "signout", signoutView{
		frame: s.frame(v, "Sign out"), Name: v.user.Name,
		Hint: p.get("id_token_hint"), Client: p.get("client_id"), Returns: p.get("post_logout_redirect_uri"), State: p.get("state"),
	})
}

// logoutForm handles the confirmation, or the request of a client as a form.
func (s *Server) logoutForm(v *visit) (err error) {
	if v.params, err = formParams(v.w, v.Request); err != nil {
		return err
	}
	if v.params.get("confirm") == "" {
		return s.redirect(v, s.root+"/oauth/logout?"+v.Request.PostForm.Encode())
	}
	if err := s.checkForm(v); err != nil {
		return err
	}
	return s.signOut(v, s.readHint(v))
}

// readHint reads a client's ID token; an invalid or missing one is ignored.
func (s *Server) readHint(v *visit) (hint identityClaims) {
	text := v.params.get("id_token_hint")
	if text == "" {
		return hint
	}
	if err := s.Tokens.ReadIdentity(v.Context(), text, &hint); err != nil || hint.Issuer != s.Issuer {
		return identityClaims{}
	}
	return hint
}

// clientOf returns the client of a sign-out, or "". If there is an ID token too, both
// must agree (section 2).
func clientOf(p params, hint identityClaims) octavo.ID {
	named := octavo.ID(p.get("client_id"))
	switch {
	case p.get("id_token_hint") == "":
		return named
	case named == "" || named == hint.Audience:
		return hint.Audience
	}
	return ""
}

// signOut ends the session, and redirects to the client if the request is authentic.
func (s *Server) signOut(v *visit, hint identityClaims) error {
	if v.signedIn {
		if err := s.endSession(v.Request, v.user, v.session.ID); err != nil {
			return err
		}
		v.signedIn = false
	}
	s.clearBrowser(v.w)
	client, uri := clientOf(v.params, hint), v.params.get("post_logout_redirect_uri")
	if uri != "" && client != "" {
		c, err := s.Accounts.Clients.ByID(v.Context(), client)
		if unlessNotFound(err) != nil {
			return err
		}
		if matchRedirect(c.RedirectURIs, uri) {
			values := url.Values{}
			if state := v.params.get("state"); state != "" && len(state) <= maxEcho {
				values.Set("state", state)
				uri = withQuery(uri, values)
			}
			return s.redirect(v, uri)
		}
	}
	return s.show(v, http.StatusOK, "message", messageView{
		frame: s.frame(v, "Signed out"), Heading: "You are signed out", Text: "You can close this window.", Link: s.root + "/login", Label: "Sign in again",
	})
}
