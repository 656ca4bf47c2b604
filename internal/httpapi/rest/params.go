package rest

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

const (
	defaultLimit = 20
	maxWait      = 60 // seconds

	// MaxLimit is the maximum number of items in a response.
	MaxLimit = 100
)

// Params reads query parameters and collects all errors. Parameters that are not read
// are ignored; others may occur once, and only by their own name (decision 48).
type Params struct {
	Faults octavo.Faults
	values url.Values
	codec  cursorCodec
}

// Params returns the query parameters of the request.
func (r *Request) Params() *Params {
	p := &Params{codec: r.api.cursors}
	if r.URL.RawQuery == "" {
		return p
	}
	values, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		p.Faults.Add("query", "is not well formed: percent-encode special characters and separate parameters by &")
	}
	p.values = values
	return p
}

// Has reports whether a parameter is present, in any number or notation.
func (p *Params) Has(name string) bool { return len(p.values[name]) > 0 || len(p.parts(name)) > 0 }

// Get returns the single value of a parameter.
func (p *Params) Get(name string) (string, bool) {
	values := p.values[name]
	if parts := p.parts(name); len(parts) > 0 {
		p.Faults.Add(name, "must be one parameter with the whole value; %.60q is a notation that is not supported", parts[0])
		return "", false
	}
	switch {
	case len(values) == 0:
		return "", false
	case len(values) > 1:
		p.Faults.Add(name, "must be given once; it was given %d times", len(values))
		return "", false
	case !utf8.ValidString(values[0]):
		p.Faults.Add(name, "must be UTF-8")
		return "", false
	}
	return values[0], true
}

// OneOf returns the value of a parameter with a fixed set of values.
func (p *Params) OneOf(name string, allowed ...string) string {
	v, ok := p.Get(name)
	if ok && !slices.Contains(allowed, v) {
		p.Faults.Add(name, "must be one of %s", strings.Join(allowed, ", "))
		return ""
	}
	return v
}

// Limit reads the maximum number of items in the response.
func (p *Params) Limit() int {
	text, ok := p.Get("limit")
	if !ok {
		return defaultLimit
	}
	n, err := strconv.Atoi(text)
	if err != nil || strings.HasPrefix(text, "+") || n < 1 || n > MaxLimit {
		p.Faults.Add("limit", "must be a whole number from 1 to %d", MaxLimit)
		return defaultLimit
	}
	return n
}

// Time reads a date-time, or the zero time.
func (p *Params) Time(name string) time.Time {
	text, ok := p.Get(name)
	if !ok {
		return time.Time{}
	}
	t, err := octavo.ParseTime(text)
	if err != nil {
		p.Faults.Add(name, "must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z (encode a + as %%2B)")
	}
	return t
}

// Cursor reads the cursor of a list; nil means the start.
func (p *Params) Cursor(list string) *sqldb.Cursor {
	text, ok := p.Get("cursor")
	if !ok {
		return nil
	}
	m, err := p.codec.decode(list, text)
	if err != nil {
		p.Faults.Merge(err)
		return nil
	}
	return &m
}

// Bool reads a parameter that is true or false, or nil.
func (p *Params) Bool(name string) *bool {
	switch p.OneOf(name, "true", "false") {
	case "true":
		return new(true)
	case "false":
		return new(false)
	}
	return nil
}

// Language reads the parameter language, a tag of BCP 47.
func (p *Params) Language() string {
	text, given := p.Get("language")
	if given {
		if msg := octavo.CheckLanguage(text); msg != "" {
			p.Faults.Add("language", "%s", msg)
		}
	}
	return text
}

// Tag reads a tag for filtering a list.
func (p *Params) Tag() string {
	tag, ok := p.Get("tag")
	if ok && (tag == "" || strings.ContainsRune(tag, 0)) {
		p.Faults.Add("tag", "must not be empty nor contain the NUL character")
	}
	return tag
}

// Wait reads how long a request may wait.
func (p *Params) Wait() time.Duration {
	text, ok := p.Get("wait")
	if !ok {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || strings.HasPrefix(text, "+") || n < 0 || n > maxWait {
		p.Faults.Add("wait", "must be a whole number of seconds from 0 to %d", maxWait)
	}
	return time.Duration(n) * time.Second
}
