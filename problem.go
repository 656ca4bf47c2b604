package octavo

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// ProblemType is a kind of error. It is the last part of a Problem's type, a URI
// reference under /problems/, where a page explains it (decision 44).
type ProblemType string

// The problem types. Names and statuses are part of the API and must not change.
const (
	InvalidRequest       ProblemType = "invalid-request"
	Unauthorized         ProblemType = "unauthorized"
	Forbidden            ProblemType = "forbidden"
	NotFound             ProblemType = "not-found"
	MethodNotAllowed     ProblemType = "method-not-allowed"
	NotAcceptable        ProblemType = "not-acceptable"
	Conflict             ProblemType = "conflict"
	SlugTaken            ProblemType = "slug-taken"
	MergeConflicts       ProblemType = "merge-conflict"
	ReviewRequired       ProblemType = "review-required"
	Gone                 ProblemType = "gone"
	PreconditionFailed   ProblemType = "precondition-failed"
	PreconditionRequired ProblemType = "precondition-required"
	TooLarge             ProblemType = "too-large"
	UnsupportedMediaType ProblemType = "unsupported-media-type"
	RangeNotSatisfiable  ProblemType = "range-not-satisfiable"
	KeyReused            ProblemType = "idempotency-key-reused"
	RateLimited          ProblemType = "rate-limited"
	Internal             ProblemType = "internal"
	NotImplemented       ProblemType = "not-implemented"
	Unavailable          ProblemType = "unavailable"
	StorageFull          ProblemType = "storage-full"
)

// ProblemInfo is what all Problems of one type share.
type ProblemInfo struct {
	Type   ProblemType
	Status int // HTTP status code
	Title  string
}

// ProblemTypes lists every problem type by status.
func ProblemTypes() []ProblemInfo {
	return []ProblemInfo{
		{InvalidRequest, http.StatusBadRequest, "The request is not valid"},
		{Unauthorized, http.StatusUnauthorized, "Credentials are missing or not valid"},
		{Forbidden, http.StatusForbidden, "The credential does not allow this"},
		{NotFound, http.StatusNotFound, "There is no such resource"},
		{MethodNotAllowed, http.StatusMethodNotAllowed, "The resource does not support this method"},
		{NotAcceptable, http.StatusNotAcceptable, "No acceptable representation exists"},
		{Conflict, http.StatusConflict, "The request conflicts with the current state"},
		{SlugTaken, http.StatusConflict, "Another page already uses the slug"},
		{MergeConflicts, http.StatusConflict, "The changes conflict with the current pages"},
		{ReviewRequired, http.StatusConflict, "The change needs an approved proposal"},
		{Gone, http.StatusGone, "The resource is no longer available"},
		{PreconditionFailed, http.StatusPreconditionFailed, "The resource has another version than the request names"},
		{TooLarge, http.StatusRequestEntityTooLarge, "The request body is too large"},
		{UnsupportedMediaType, http.StatusUnsupportedMediaType, "The media type of the body is not supported"},
		{RangeNotSatisfiable, http.StatusRequestedRangeNotSatisfiable, "The file has no such range"},
		{KeyReused, http.StatusUnprocessableEntity, "The idempotency key was used for another request"},
		{PreconditionRequired, http.StatusPreconditionRequired, "The request must name the version that it changes"},
		{RateLimited, http.StatusTooManyRequests, "Too many requests"},
		{Internal, http.StatusInternalServerError, "The server failed"},
		{NotImplemented, http.StatusNotImplemented, "The operation is not available"},
		{Unavailable, http.StatusServiceUnavailable, "The server is temporarily unavailable"},
		{StorageFull, http.StatusInsufficientStorage, "The server has no space left"},
	}
}

// Info returns the status and title of the type. An unlisted type counts as Internal.
func (t ProblemType) Info() ProblemInfo {
	var internal ProblemInfo
	for _, info := range ProblemTypes() {
		if info.Type == t {
			return info
		}
		if info.Type == Internal {
			internal = info
		}
	}
	return internal
}

// FieldError says which member of a request is wrong and how to correct it.
type FieldError struct {
	// Path is a JSON Pointer (RFC 6901) into the body, or the name of a parameter,
	// followed by a Pointer if its value is JSON (decision 49).
	Path    string `json:"path"`
	Message string `json:"message"`
}

// Problem is the body of every error response (RFC 9457).
type Problem struct {
	Type     string       `json:"type"`   // a reference, such as /problems/not-found
	Title    string       `json:"title"`  // the same for all problems of a type
	Status   int          `json:"status"` // HTTP status code
	Detail   string       `json:"detail,omitempty"`
	Instance string       `json:"instance,omitempty"` // identifies the request, also in the server's log
	Errors   []FieldError `json:"errors,omitempty"`   // at most MaxErrors

	// Oldest is the first position of the event feed from which clients can continue.
	// It is set if an older one was requested, which is Gone.
	Oldest string `json:"oldest,omitempty"`

	// Conflicts are the reasons why a proposal cannot be merged.
	Conflicts []MergeConflict `json:"conflicts,omitempty"`
}

// Error is the error type that features return for problems that a caller can
// understand. Any other error becomes an Internal response.
type Error struct {
	Type       ProblemType
	Detail     string        // for the caller; may be empty
	Fields     []FieldError  // at most MaxErrors
	RetryAfter time.Duration // when to retry; 0 if unknown
	Oldest     string        // see [Problem]
	Conflicts  []MergeConflict
	Err        error // the cause, only for the log
}

func (e *Error) Error() string {
	s := string(e.Type)
	if e.Detail != "" {
		s += ": " + e.Detail
	}
	for _, f := range e.Fields {
		s += "; " + f.Path + " " + f.Message
	}
	if e.Err != nil {
		s += ": " + e.Err.Error()
	}
	return s
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Errorf makes an Error with a detail for the caller.
func Errorf(t ProblemType, format string, args ...any) *Error {
	return &Error{Type: t, Detail: fmt.Sprintf(format, args...)}
}

// Wrapf says what failed with err: it returns nil if err is nil.
func Wrapf(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", fmt.Sprintf(format, args...), err)
}

// IsType reports whether err is or wraps an Error of type t.
func IsType(err error, t ProblemType) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Type == t
}

// Invalid makes an InvalidRequest error about one field.
func Invalid(path, format string, args ...any) *Error {
	return &Error{Type: InvalidRequest, Fields: []FieldError{fieldError(path, format, args...)}}
}

// maxFaultText limits how much of the request one error repeats, in bytes.
const maxFaultText = 1000

func fieldError(path, format string, args ...any) FieldError {
	return FieldError{Path: shorten(path), Message: shorten(fmt.Sprintf(format, args...))}
}

// shorten cuts a text that is too long for an error.
func shorten(s string) string {
	if len(s) <= maxFaultText {
		return s
	}
	return strings.ToValidUTF8(s[:maxFaultText], "") + "…"
}

// Faults collects all errors of one request, so that they are reported at once. The
// zero value is ready to use.
type Faults struct {
	list  []FieldError
	more  int
	other error // an error given to Merge that is not about fields
}

// Add adds an error.
func (f *Faults) Add(path, format string, args ...any) {
	if len(f.list) == MaxErrors {
		f.more++
		return
	}
	f.list = append(f.list, fieldError(path, format, args...))
}

// Merge adds the fields of err if it is an *Error about fields. Any other error becomes
// the result of Err; nil adds nothing.
func (f *Faults) Merge(err error) {
	var e *Error
	if !errors.As(err, &e) || len(e.Fields) == 0 {
		if f.other == nil {
			f.other = err
		}
		return
	}
	for _, field := range e.Fields {
		f.Add(field.Path, "%s", field.Message)
	}
}

// MergeOthers is Merge, but skips fields that have an error already.
func (f *Faults) MergeOthers(err error) {
	var e *Error
	if !errors.As(err, &e) || len(e.Fields) == 0 {
		f.Merge(err)
		return
	}
	for _, field := range e.Fields {
		if !slices.ContainsFunc(f.list, func(known FieldError) bool { return known.Path == field.Path }) {
			f.Add(field.Path, "%s", field.Message)
		}
	}
}

// Err returns nil if there are no errors, otherwise an InvalidRequest *Error that lists
// them. If Merge received an error that is not about fields, Err returns that instead.
func (f *Faults) Err() error {
	if f.other != nil || len(f.list) == 0 {
		return f.other
	}
	e := &Error{Type: InvalidRequest, Fields: f.list}
	if f.more > 0 {
		e.Detail = fmt.Sprintf("The first %d errors are listed; there are %d more.", len(f.list), f.more)
	}
	return e
}
