package httpapi

import (
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
)

// maxTraceID is the longest X-Trace-Id that is passed on, in bytes.
const maxTraceID = 128

// trace is what the caller said to recognise the request by.
type trace struct {
	id     string // X-Trace-Id; "" when there was none
	parent string // traceparent (W3C Trace Context); "" when there was none
}

// identify names the request and tells the caller under which names it is
// known (decision 43).
func (a *API) identify(r *request) {
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
		if len(v) > 1 || !validTraceparent(v[0]) {
			r.trace.parent = a.newTraceparent()
		}
		h.Set("Traceparent", r.trace.parent)
	}
}

func cleanTraceID(s string) bool {
	if len(s) > maxTraceID {
		return false
	}
	for _, c := range []byte(s) {
		if c < 0x20 || c >= 0x7f {
			return false
		}
	}
	return true
}

// validTraceparent checks version 00 of the header: 2-32-16-2 lower-case hex
// digits, neither id all zero.
func validTraceparent(s string) bool {
	parts := strings.Split(s, "-")
	if len(parts) != 4 || parts[0] == "ff" {
		return false
	}
	for i, n := range []int{2, 32, 16, 2} {
		if len(parts[i]) != n || strings.Trim(parts[i], "0123456789abcdef") != "" {
			return false
		}
	}
	return strings.Trim(parts[1], "0") != "" && strings.Trim(parts[2], "0") != ""
}

func (a *API) newTraceparent() string {
	var b [24]byte
	if _, err := io.ReadFull(a.Random, b[:]); err != nil {
		return ""
	}
	b[0] |= 1 // neither id may be all zero
	b[16] |= 1
	return "00-" + hex.EncodeToString(b[:16]) + "-" + hex.EncodeToString(b[16:]) + "-00"
}

// logRequest counts a request and writes one line for it. Neither query nor path is in
// it, since either may hold a secret; the operation's name is.
func (a *API) logRequest(r *request, start time.Time) {
	operation := "none"
	if r.route != nil {
		operation = r.route.name
	}
	status := r.w.status
	if status == 0 {
		status = http.StatusOK
	}
	took := a.Now().Sub(start)
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
	if r.principal.CredentialID != "" {
		attrs = append(attrs, slog.String("credential", r.principal.CredentialID))
	}
	a.Log.LogAttrs(r.Context(), slog.LevelInfo, "request", attrs...)
}

// logMethod keeps made-up methods out of the log.
func logMethod(m string) string {
	switch m {
	case "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS":
		return m
	}
	return "other"
}
