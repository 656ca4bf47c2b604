package rest

import (
	"cmp"
	"log/slog"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/octavo-docs/octavo"
)

// maxTraceID is the maximum length of an X-Trace-Id that is passed on, in characters.
const maxTraceID = 128

// trace has the caller's identifiers of the request.
type trace struct {
	// id is recorded with changes, and identifies later calls that they cause:
	// X-Trace-Id or, without one, the traceparent.
	id     string
	parent string // traceparent (W3C Trace Context), or ""
}

// identify assigns an identifier to the request and returns the trace identifiers to
// the caller (decision 43).
func (a *API) identify(r *Request) {
	id, err := a.IDs.New(octavo.PrefixRequest)
	if err != nil {
		a.Log.ErrorContext(r.Context(), "request without identifier", "error", err)
		id = "req_0" // random bytes failed: the request is served all the same
	}
	r.id = string(id)
	h := r.w.Header()
	h.Set("X-Request-Id", r.id)
	if v := r.Header.Values("X-Trace-Id"); len(v) > 0 && strings.Join(v, "") != "" {
		r.trace.id = v[0]
		if len(v) > 1 || !cleanTraceID(v[0]) {
			r.trace.id = r.id
		}
		h.Set("X-Trace-Id", r.trace.id)
	}
	if v := r.Header.Values("Traceparent"); len(v) > 0 {
		r.trace.parent = v[0]
		if _, ok := octavo.ParseTraceparent(v[0]); len(v) > 1 || !ok || !cleanTraceID(v[0]) {
			r.trace.parent = a.newTraceparent(r)
		}
		h.Set("Traceparent", r.trace.parent)
	}
	r.trace.id = cmp.Or(r.trace.id, r.trace.parent)
}

func (a *API) newTraceparent(r *Request) string {
	t, err := octavo.NewTraceparent(a.Random)
	if err != nil {
		a.Log.ErrorContext(r.Context(), "request without traceparent", "error", err)
		return "" // random bytes failed: the request is served all the same
	}
	return t.String()
}

// cleanTraceID reports whether an identifier can be stored and passed on unchanged.
// Invalid UTF-8 has no characters, and no database accepts it.
func cleanTraceID(s string) bool {
	return utf8.ValidString(s) && utf8.RuneCountInString(s) <= maxTraceID && !strings.ContainsFunc(s, unicode.IsControl)
}

// logRequest counts a request and logs one line for it, with the operation's name but
// without query and path, since either may contain a secret.
func (a *API) logRequest(r *Request, start time.Time) {
	operation := cmp.Or(r.served, "none")
	if r.route != nil {
		operation = r.route.Name
	}
	status := r.w.status
	if status == 0 {
		status = http.StatusOK
	}
	took := a.Now().Sub(start)
	r.endSpan(status)
	if a.Observe != nil {
		a.Observe(operation, status, took, r.w.bytes)
	}
	if !a.Log.Enabled(r.Context(), slog.LevelInfo) {
		return
	}
	attrs := append(make([]slog.Attr, 0, 8),
		slog.String("request", r.id), slog.String("method", logMethod(r.Method)), slog.String("operation", operation),
		slog.Int("status", status), slog.Int64("bytes", r.w.bytes), slog.Duration("took", took),
	)
	if r.trace.id != "" {
		attrs = append(attrs, slog.String("trace", r.trace.id))
	}
	if parent := r.traceparent(); parent != "" && parent != r.trace.id {
		attrs = append(attrs, slog.String("traceparent", parent))
	}
	if r.Principal.CredentialID != "" {
		attrs = append(attrs, slog.String("credential", r.Principal.CredentialID))
	}
	a.Log.LogAttrs(r.Context(), slog.LevelInfo, "request", attrs...)
}

// logMethod keeps invented methods out of the log.
func logMethod(m string) string {
	switch m {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		return m
	}
	return "other"
}
