package siteapi

import (
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

// Limits of readers' forms: bytes of a form, and forms of one reader per window.
const (
	maxFeedback = 16 << 10
	maxSaid     = 30
	saying      = "reader-feedback"
	counting    = "reader-searched"
)

// fromSite refuses a form that was not sent by a page of the site, as far as browsers
// report that.
func (o Operations) fromSite(r *rest.Request) error {
	origin, from := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	own := origin == "" || strings.EqualFold(origin, o.Service.Origin())
	if from != "" { // it knows the host name of the browser's request
		own = from == "same-origin" || from == "none" && own
	}
	if !own {
		return octavo.Errorf(octavo.Forbidden, "The form was sent by a page of another site.")
	}
	return nil
}

// admitForm admits a reader who sends a form, and counts the form by its kind.
func (o Operations) admitForm(r *rest.Request, kind string) (*visit, *rest.Response, error) {
	if _, elsewhere := o.elsewhere(r, true); elsewhere {
		return nil, nil, octavo.Errorf(octavo.NotFound, "The site is at another address.")
	}
	if err := o.fromSite(r); err != nil {
		return nil, nil, err
	}
	v := &visit{Request: r, o: o}
	if answer, err := v.begin(false); answer != nil || err != nil {
		return nil, answer, err
	}
	return v, nil, o.api.CountReader(r, kind, v.who, min(o.Limit, maxSaid))
}

// feedback accepts a reader's feedback about a page. Scripts get 204. Browsers without
// scripts get a page, with the text if it was not accepted.
func (o Operations) feedback(r *rest.Request, form url.Values) (*rest.Response, error) {
	resp, err := o.take(r, form)
	if err == nil || !strings.Contains(r.Header.Get("Accept"), mediaHTML) {
		return resp, err
	}
	f, failed := o.Service.NotSent(form.Get("text"))
	if failed != nil {
		return nil, failed
	}
	status, _ := r.Problem(err)
	if refused := new(auth.Error); errors.As(err, &refused) { // the session has ended
		status = http.StatusUnauthorized
	}
	return (&visit{Request: r, o: o, members: true}).send(status, f)
}

func (o Operations) take(r *rest.Request, form url.Values) (*rest.Response, error) {
	v, answer, err := o.admitForm(r, saying)
	if answer != nil || err != nil {
		return answer, err
	}
	f := octavo.Feedback{PageID: octavo.ID(form.Get("page")), Helpful: form.Get("helpful") == "yes", Text: cleaned(form.Get("text"))}
	f.Revision, _ = strconv.ParseInt(form.Get("revision"), 10, 64) // anything else means the newest
	var faults octavo.Faults
	if !f.Helpful && form.Get("helpful") != "no" {
		faults.Add("helpful", "must be yes or no")
	}
	if n := utf8.RuneCountInString(f.Text); n > octavo.MaxFeedbackText {
		faults.Add("text", "must have at most %d characters; it has %d", octavo.MaxFeedbackText, n)
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	if !v.site.About(&f) {
		return nil, octavo.Errorf(octavo.NotFound, "This page takes no feedback.")
	}
	if err := o.Sites.AddFeedback(r.Context(), f); err != nil {
		return nil, err
	}
	if r.Header.Get("Accept") == rest.MediaJSON {
		return &rest.Response{Status: http.StatusNoContent, Header: v.header(map[string]string{})}, nil
	}
	return v.redirect(http.StatusSeeOther, o.Service.At("/-/thanks?page="+f.Slug)), nil
}

// cleaned returns a text without invalid characters; lines end with a line feed.
func cleaned(text string) string {
	text = strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, text))
}

// searched counts a query whose results a script has shown.
func (o Operations) searched(r *rest.Request, form url.Values) (*rest.Response, error) {
	v, answer, err := o.admitForm(r, counting)
	if answer != nil || err != nil {
		return answer, err
	}
	if results, err := strconv.Atoi(form.Get("results")); err == nil && 0 <= results && results <= maxResults {
		o.Sites.Searched(form.Get("q"), results)
	}
	return &rest.Response{Status: http.StatusNoContent, Header: v.header(map[string]string{})}, nil
}

// me returns what a person may do here and with a page, {} for nobody.
func (v *visit) me(page string) (*rest.Response, error) {
	if v.o.Service.Apart() {
		return v.missing("")
	}
	person, err := v.o.Visitor(v.Request.Request)
	if err != nil {
		return nil, err
	}
	type action struct {
		Rel  string `json:"rel"`
		Href string `json:"href"`
	}
	body := map[string]any{}
	if person.ID != "" {
		actions := []action{{"account", v.o.Service.Server("/account")}}
		suggestions, err := v.o.Sites.Suggestions(v.Context())
		if err != nil {
			return nil, err
		}
		if id := octavo.ID(page); v.o.Studio != "" && person.Role.ScopesWhere(suggestions).Allow(octavo.ScopePropose) && v.site.Has(id) {
			actions = append(actions, action{"edit", v.o.Service.Server(v.o.Studio + "/pages/" + page)})
		}
		body = map[string]any{"name": person.Name, "actions": actions}
	}
	h := v.header(map[string]string{"Cache-Control": "private, no-store"})
	h["Vary"] = "Cookie"
	return &rest.Response{Status: http.StatusOK, ContentType: rest.MediaJSON, Body: rest.EncodeJSON(body), Header: h}, nil
}
