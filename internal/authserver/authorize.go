package authserver

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/accounts"
)

// maxEcho limits client data that is returned unchanged, in bytes.
const maxEcho = 2000

// authorization is a client's request for consent. Its client and redirect URI are
// valid; other faults are reported to that URI.
type authorization struct {
	client        accounts.Client
	redirectURI   string
	state         string
	params        params
	scopes        scopes
	knownResource bool // whether resource names this API, or nothing
	prompt        []string
	hint          octavo.ID     // the person that the client expects; "" means anybody
	maxAge        time.Duration // maximum age of a sign-in; -1 means any age
}

// readAuthorization finds the client and redirect URI. If either is invalid there is no
// redirect (RFC 6749 section 4.1.2.1).
func (s *Server) readAuthorization(ctx context.Context, p params) (*authorization, error) {
	wrong := func(text string) error {
		return &pageError{status: http.StatusBadRequest, heading: "This sign-in cannot continue", text: text + " Tell the authors of the application that sent you here."}
	}
	id, uri := p.get("client_id"), p.get("redirect_uri")
	if id == "" || uri == "" {
		return nil, wrong("The application must give client_id and redirect_uri once each.")
	}
	client, err := s.Accounts.Clients.ByID(ctx, octavo.ID(id))
	if octavo.IsType(err, octavo.NotFound) {
		return nil, wrong("No application with this client_id is registered here.")
	}
	if err != nil {
		return nil, err
	}
	if !matchRedirect(client.RedirectURIs, uri) {
		return nil, wrong("The application is not registered with this redirect_uri.")
	}
	return &authorization{client: client, redirectURI: uri, state: p.get("state"), params: p, maxAge: -1, knownResource: s.knownResource(p)}, nil
}

// check reads the other parameters.
func (a *authorization) check() error {
	p := a.params
	a.scopes, a.prompt = parseScopes(p.get("scope")), strings.Fields(p.get("prompt"))
	if p.get("scope") == "" {
		a.scopes.api = octavo.ScopeRead
	}
	switch {
	case len(p.repeated) > 0:
		return fault(invalidRequest, "A parameter is given more than once.")
	case p.get("request") != "":
		return fault(requestNotSupported, "Request objects are not supported.")
	case p.get("request_uri") != "":
		return fault(requestURINotSupported, "Request objects are not supported.")
	case !a.knownResource:
		return errNoTarget()
	case p.get("response_type") == "":
		return fault(invalidRequest, "response_type is missing.")
	case p.get("response_type") != "code":
		return fault(unsupportedResponseType, "Use response_type code.")
	case p.get("response_mode") != "" && p.get("response_mode") != "query":
		return fault(invalidRequest, "Use response_mode query.")
	case p.get("code_challenge_method") != "S256":
		return fault(invalidRequest, "PKCE is required: code_challenge_method must be S256.")
	case len(p.get("code_challenge")) != 43 || !validVerifier(p.get("code_challenge")):
		return fault(invalidRequest, "PKCE is required: code_challenge must be a SHA-256 in base64url.")
	case len(a.state) > maxEcho || len(p.get("nonce")) > maxEcho:
		return fault(invalidRequest, "state or nonce is too long.")
	case a.scopes.empty():
		return fault(invalidScope, "None of the requested scopes is known here.")
	case slices.Contains(a.prompt, "none") && len(a.prompt) > 1:
		return fault(invalidRequest, "prompt none cannot be combined with other values.")
	}
	if text := p.get("max_age"); text != "" {
		seconds, err := strconv.ParseUint(text, 10, 31)
		if err != nil {
			return fault(invalidRequest, "max_age must be a number of seconds.")
		}
		a.maxAge = time.Duration(seconds) * time.Second
	}
	return nil
}

// authorizeQuery serves /oauth/authorize.
func (s *Server) authorizeQuery(v *visit) error {
	return s.authorize(v, "")
}

// authorizeForm handles a person's decision. It also accepts the parameters from a client
// as a form (OpenID Connect Core section 3.1.2.1) and redirects to the same page with a
// query, since only then the browser sends its session cookie.
func (s *Server) authorizeForm(v *visit) (err error) {
	if v.params, err = formParams(v.w, v.Request); err != nil {
		return err
	}
	decision := v.params.get("decision")
	if decision == "" {
		return s.redirect(v, s.root+"/oauth/authorize?"+v.Request.PostForm.Encode())
	}
	if err := s.checkForm(v); err != nil {
		return err
	}
	return s.authorize(v, decision)
}

func (s *Server) authorize(v *visit, decision string) error {
	a, err := s.readAuthorization(v.Context(), v.params)
	if err != nil {
		return err
	}
	if err := a.check(); err != nil {
		return s.sendBack(v, a, s.faultOf(v.Request, err))
	}
	silent := slices.Contains(a.prompt, "none")
	a.hint = s.readHint(v).Subject
	if !s.signedInFor(v, a, decision) {
		if silent {
			return s.sendBack(v, a, fault(loginRequired, "Nobody is signed in."))
		}
		login := url.Values{"next": {s.root + "/oauth/authorize?" + a.afterLogin().Encode()}}
		if slices.Contains(a.prompt, "login") || a.maxAge >= 0 {
			login.Set("again", "yes")
		}
		return s.redirect(v, s.root+"/login?"+login.Encode())
	}
	suggestions, err := s.Suggestions(v.Context())
	if err != nil {
		return err
	}
	granted := a.scopes.bounded(v.user.Role.ScopesWhere(suggestions))
	if granted.api == 0 && a.scopes.api != 0 {
		return s.sendBack(v, a, fault(accessDenied, "The person's role does not allow the requested scopes."))
	}
	switch decision {
	case "allow":
		return s.grant(v, a, granted, true)
	case "":
	default:
		return s.sendBack(v, a, fault(accessDenied, "The person said no."))
	}
	known, err := s.consented(v, a, granted)
	switch {
	case err != nil:
		return err
	case known:
		return s.grant(v, a, granted, false)
	case silent:
		return s.sendBack(v, a, fault(consentRequired, "The person has to give consent."))
	}
	return s.showConsent(v, a, granted)
}

// clockSkew is how far in the future a sign-in may be. Beyond that the clock was set back
// and its age is unknown.
const clockSkew = time.Minute

// signedInFor reports whether the visitor's sign-in meets the client's request. A client
// with an ID token never gets tokens of another person (OpenID Connect Core section
// 3.1.2.2).
func (s *Server) signedInFor(v *visit, a *authorization, decision string) bool {
	again := decision == "" && (slices.Contains(a.prompt, "login") || slices.Contains(a.prompt, "select_account"))
	age := s.Env.Now().Sub(v.session.CreatedAt)
	old := a.maxAge >= 0 && decision == "" && (age > a.maxAge || age < -clockSkew)
	another := a.hint != "" && a.hint != v.user.ID
	return v.signedIn && !again && !old && !another
}

// afterLogin returns the request without the parameters that a sign-in satisfies.
func (a *authorization) afterLogin() url.Values {
	values := maps.Clone(a.params.values)
	delete(values, "max_age")
	rest := slices.DeleteFunc(slices.Clone(a.prompt), func(p string) bool { return p == "login" || p == "select_account" })
	if values.Del("prompt"); len(rest) > 0 {
		values.Set("prompt", strings.Join(rest, " "))
	}
	return values
}

// consented reports whether a person has already granted all of this to a client. A public
// client cannot authenticate, so people are always asked (RFC 8252 section 8.6).
func (s *Server) consented(v *visit, a *authorization, granted scopes) (bool, error) {
	if a.client.Public() || slices.Contains(a.prompt, "consent") {
		return false, nil
	}
	grants, err := s.Accounts.Grants.List(v.Context(), v.user.ID)
	return slices.ContainsFunc(grants, func(g accounts.Grant) bool {
		before := parseScopes(g.Scope)
		return g.ClientID == a.client.ID && granted.within(before) && (before.lasts() || !granted.lasts())
	}), err
}

// grant records the consent, asked for or remembered, and sends the client a code.
func (s *Server) grant(v *visit, a *authorization, granted scopes, asked bool) error {
	code, hash, err := NewSecret(s.Env.Random)
	if err != nil {
		return err
	}
	id, err := s.IDs.New(octavo.PrefixGrant)
	if err != nil {
		return err
	}
	err = s.Accounts.Grants.Add(v.Context(), s.cause(v.Request, v.user.Actor()), accounts.Grant{
		ID: id, User: v.user, ClientID: a.client.ID, Scope: granted.String(), RedirectURI: a.redirectURI,
		Challenge: a.params.get("code_challenge"), Nonce: a.params.get("nonce"), AuthenticatedAt: v.session.CreatedAt,
		Code: hash, ExpiresAt: s.Env.Now().Add(CodeLife), Asked: asked,
	})
	if err != nil {
		return err
	}
	return s.answer(v, a, url.Values{"code": {code}})
}

// sendBack redirects to the client with an error.
func (s *Server) sendBack(v *visit, a *authorization, e *oauthError) error {
	return s.answer(v, a, url.Values{"error": {string(e.code)}, "error_description": {e.description}})
}

// answer redirects to the client. The issuer parameter protects clients of several servers
// from mix-up attacks (RFC 9207).
func (s *Server) answer(v *visit, a *authorization, values url.Values) error {
	values.Set("iss", s.Issuer)
	if a.state != "" && len(a.state) <= maxEcho {
		values.Set("state", a.state)
	}
	return s.redirect(v, withQuery(a.redirectURI, values))
}
