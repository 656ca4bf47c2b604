package authserver

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
)

// code is an error code of RFC 6749 sections 4.1.2.1 and 5.2, RFC 6750 section
// 3.1 and OpenID Connect Core section 3.1.2.6.
type code string

const (
	invalidRequest          code = "invalid_request"
	invalidClient           code = "invalid_client"
	invalidGrant            code = "invalid_grant"
	invalidScope            code = "invalid_scope"
	invalidTarget           code = "invalid_target" // RFC 8707 section 2
	invalidToken            code = "invalid_token"
	insufficientScope       code = "insufficient_scope"
	unauthorizedClient      code = "unauthorized_client"
	unsupportedGrantType    code = "unsupported_grant_type"
	unsupportedResponseType code = "unsupported_response_type"
	accessDenied            code = "access_denied"
	serverError             code = "server_error"
	temporarilyUnavailable  code = "temporarily_unavailable"
	loginRequired           code = "login_required"
	consentRequired         code = "consent_required"
	requestNotSupported     code = "request_not_supported"
	requestURINotSupported  code = "request_uri_not_supported"
)

// oauthError is an error response. Its description has only the characters allowed by
// RFC 6749, and nothing sent by the client.
type oauthError struct {
	code        code
	description string
	status      int
	challenge   string // scheme of WWW-Authenticate; "" omits the header
	retryAfter  time.Duration
}

func (e *oauthError) Error() string { return string(e.code) + ": " + e.description }

func fault(c code, description string) *oauthError {
	e := &oauthError{code: c, description: description, status: http.StatusBadRequest}
	switch c {
	case invalidClient:
		e.status, e.challenge = http.StatusUnauthorized, "Basic"
	case invalidToken:
		e.status, e.challenge = http.StatusUnauthorized, "Bearer"
	case insufficientScope:
		e.status, e.challenge = http.StatusForbidden, "Bearer"
	case serverError:
		e.status = http.StatusInternalServerError
	case temporarilyUnavailable:
		e.status = http.StatusServiceUnavailable
	}
	return e
}

// faultOf converts an error for the client, and logs internal ones.
func (s *Server) faultOf(r *http.Request, err error) *oauthError {
	var e *oauthError
	var refused *auth.Error
	var known *octavo.Error
	switch {
	case errors.As(err, &e):
		return e
	case errors.As(err, &refused):
		return fault(invalidToken, refused.Description)
	case errors.As(err, &known) && known.Type == octavo.Unavailable: // for example an issuer that does not respond
		e = fault(temporarilyUnavailable, "This cannot be checked now. Try again later.")
		e.retryAfter = known.RetryAfter
		return e
	case r.Context().Err() == nil:
		s.Log.ErrorContext(r.Context(), "a request for tokens failed", "path", r.URL.Path, "error", err)
	}
	return fault(serverError, "The server failed.")
}

// handler serves a request of a program; the result is encoded as JSON.
type handler func(w http.ResponseWriter, r *http.Request) (any, error)

// protocol serves programs. Responses must not be cached (RFC 6749 section 5.1).
func (s *Server) protocol(h handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "no-store")
		w.Header().Set("Pragma", "no-cache")
		answer, err := h(w, r)
		if err != nil {
			s.writeFault(w, s.faultOf(r, err))
			return
		}
		s.writeJSON(w, http.StatusOK, answer)
	})
}

func (s *Server) writeFault(w http.ResponseWriter, e *oauthError) {
	switch e.challenge {
	case "Basic":
		w.Header().Set("WWW-Authenticate", `Basic realm="octavo", charset="UTF-8"`)
	case "Bearer":
		challenge := `Bearer realm="octavo"`
		if e.code != "" {
			challenge += `, error="` + string(e.code) + `", error_description="` + e.description + `"`
		}
		w.Header().Set("WWW-Authenticate", challenge)
	}
	if e.retryAfter > 0 {
		w.Header().Set("Retry-After", seconds(e.retryAfter))
	}
	if e.code == "" { // without a credential there is no code (RFC 6750 section 3.1)
		w.WriteHeader(e.status)
		return
	}
	s.writeJSON(w, e.status, struct {
		Error       code   `json:"error"`
		Description string `json:"error_description,omitempty"`
	}{e.code, e.description})
}

func seconds(d time.Duration) string {
	return strconv.FormatInt(int64((d+time.Second-1)/time.Second), 10)
}

func (s *Server) writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		s.Log.Error("encode an answer", "error", err)
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may have gone
}

// withQuery adds parameters to a redirect URI, which may already have a query.
func withQuery(uri string, add url.Values) string {
	joint := "?"
	if strings.Contains(uri, "?") {
		joint = "&"
	}
	return uri + joint + add.Encode()
}
