package authserver

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"net/http"
	"time"

	"github.com/octavo-docs/octavo/internal/accounts"
)

//go:embed templates/*.html
var templates embed.FS

// pages are the parsed templates by name.
type pages struct{ views map[string]*template.Template }

func parsePages() (*pages, error) {
	p := &pages{views: map[string]*template.Template{}}
	for _, name := range []string{"account", "consent", "forgotten", "login", "message", "setup", "signout"} {
		t, err := template.New("layout.html").Funcs(template.FuncMap{"day": day, "agent": agentName}).Option("missingkey=error").
			ParseFS(templates, "templates/layout.html", "templates/"+name+".html")
		if err != nil {
			return nil, fmt.Errorf("read the page %s: %w", name, err)
		}
		p.views[name] = t
	}
	return p, nil
}

// day formats a time for people.
func day(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04 UTC") }

// frame is what every view has in common.
type frame struct {
	Title string
	Root  string // the path of the server's address, usually ""
	Style string
	Token string // against forged forms
}

type messageView struct {
	frame
	Heading, Text string
	Link, Label   string // a link to continue; "" for none
}

// visit is a browser's request for a page.
type visit struct {
	*http.Request
	w        http.ResponseWriter
	params   params
	signedIn bool
	session  accounts.Session
	user     accounts.User
	token    string // required in a form
	target   string // another origin that a form may redirect to
}

// pageHandler serves a page, and also shows its errors as pages.
type pageHandler func(*visit) error

// pageError is shown to a person.
type pageError struct {
	status        int
	heading, text string
	retryAfter    time.Duration
}

func (e *pageError) Error() string { return e.heading + ": " + e.text }

// page serves a page with parameters in the query.
func (s *Server) page(h pageHandler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		v := &visit{Request: r, w: w}
		err := s.identify(v)
		if err == nil {
			v.params, err = queryParams(r)
		}
		if err == nil {
			err = h(v)
		}
		if err != nil {
			s.fail(v, err)
		}
	})
}

// form serves a form that one of our own pages sent.
func (s *Server) form(h pageHandler) http.Handler {
	return s.page(func(v *visit) (err error) {
		if v.params, err = formParams(v.w, v.Request); err != nil {
			return err
		}
		if err := s.checkForm(v); err != nil {
			return err
		}
		return h(v)
	})
}

func (s *Server) frame(v *visit, title string) frame {
	return frame{Title: title + " · Octavo", Root: s.root, Style: s.root + s.Style, Token: v.token}
}

// show renders a view.
func (s *Server) show(v *visit, status int, name string, view any) error {
	var b bytes.Buffer
	if err := s.pages.views[name].Execute(&b, view); err != nil {
		return fmt.Errorf("render the page %s: %w", name, err)
	}
	h := v.w.Header()
	// CORS never applies to these pages.
	h.Del("Access-Control-Allow-Origin")
	h.Del("Access-Control-Expose-Headers")
	policy := "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'; form-action 'self'"
	if v.target != "" {
		policy += " " + v.target // browsers also apply it to redirects after a form
	}
	h.Set("Content-Security-Policy", policy)
	h.Set("X-Frame-Options", "DENY")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin") // no-referrer would make browsers send "Origin: null"
	h.Set("Content-Type", "text/html; charset=utf-8")
	v.w.WriteHeader(status)
	_, _ = v.w.Write(b.Bytes()) // the client may have gone
	return nil
}

// fail shows an error.
func (s *Server) fail(v *visit, err error) {
	var shown *pageError
	var told *oauthError
	switch {
	case errors.As(err, &shown):
	case errors.As(err, &told):
		shown = &pageError{status: told.status, heading: "This request is not right", text: told.description}
	default:
		if v.Context().Err() == nil {
			s.Log.ErrorContext(v.Context(), "a page failed", "path", v.URL.Path, "error", err)
		}
		shown = &pageError{status: http.StatusInternalServerError, heading: "The server failed", text: "Try again in a while."}
	}
	if shown.retryAfter > 0 {
		v.w.Header().Set("Retry-After", seconds(shown.retryAfter))
	}
	view := messageView{frame: s.frame(v, shown.heading), Heading: shown.heading, Text: shown.text}
	if err := s.show(v, shown.status, "message", view); err != nil {
		s.Log.ErrorContext(v.Context(), "an error was not shown", "error", err)
		http.Error(v.w, shown.heading, shown.status)
	}
}

// redirect redirects the browser to a GET.
func (s *Server) redirect(v *visit, address string) error {
	v.w.Header().Set("Referrer-Policy", "no-referrer")
	v.w.Header().Set("Location", address)
	v.w.WriteHeader(http.StatusSeeOther)
	return nil
}
