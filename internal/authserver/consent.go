package authserver

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
)

// consentView asks a person to authorize a client.
type consentView struct {
	frame
	User        accounts.User
	Client      accounts.Client
	Permissions []string
	Returns     string // host that the person returns to
	Params      []param
	Other       string // for signing in as somebody else
}

type param struct{ Name, Value string }

func (s *Server) showConsent(v *visit, a *authorization, granted scopes) error {
	view := consentView{
		frame: s.frame(v, "Allow access"), User: v.user, Client: a.client, Permissions: granted.explained(), Returns: formTarget(a.redirectURI),
	}
	for name, list := range a.params.values {
		if name != "token" && name != "decision" {
			view.Params = append(view.Params, param{name, list[0]})
		}
	}
	slices.SortFunc(view.Params, func(a, b param) int { return cmp.Compare(a.Name, b.Name) })
	view.Other = s.root + "/login?next=" + url.QueryEscape(s.root+"/oauth/authorize?"+a.afterLogin().Encode())
	v.target = formTarget(a.redirectURI)
	return s.show(v, http.StatusOK, "consent", view)
}

// explained describes the scopes for people.
func (s scopes) explained() []string {
	var list []string
	add := func(is bool, text string) {
		if is {
			list = append(list, text)
		}
	}
	add(s.api.Allow(octavo.ScopeAdmin), "Manage keys, people and webhooks")
	add(s.api.Allow(octavo.ScopeWrite), "Create, change and delete pages")
	add(s.api.Allow(octavo.ScopePropose) && !s.api.Allow(octavo.ScopeWrite), "Propose changes to pages")
	add(s.api.Allow(octavo.ScopeRead), "Read all pages, drafts too")
	switch {
	case s.has("profile") && s.has("email"):
		list = append(list, "See your name and e-mail address")
	case s.has("profile"):
		list = append(list, "See your name")
	case s.has("email"):
		list = append(list, "See your e-mail address")
	default:
		add(s.has("openid"), "Recognise you at your next visit")
	}
	add(s.lasts(), "Keep access while you are away, until you revoke it")
	return list
}
