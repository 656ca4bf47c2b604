package rest

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/jsonvalue"
	"github.com/octavo-docs/octavo/internal/yamlvalue"
)

// readBody reads the whole body within its limit. A body that is too long is detected
// by its Content-Length or while reading it.
func (a *API) readBody(r *Request) error {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		r.w.Header().Set("Accept-Encoding", "identity")
		return octavo.Errorf(octavo.UnsupportedMediaType, "Send the body without Content-Encoding.")
	}
	if r.ContentLength > a.MaxBody {
		return &http.MaxBytesError{Limit: a.MaxBody}
	}
	arriving := lease{of: a.memory.arriving}
	defer arriving.keep(0)
	body, err := a.receive(r, &arriving)
	var tooLarge *http.MaxBytesError
	var known *octavo.Error
	switch {
	case errors.As(err, &tooLarge), errors.As(err, &known):
		return err
	case err != nil:
		return &octavo.Error{Type: octavo.InvalidRequest, Detail: "The body ended before it was complete.", Err: err}
	}
	r.body = body
	return r.takeWork(len(body))
}

// receive reads a body. A large one takes its memory before more than its beginning is
// read.
func (a *API) receive(r *Request, arriving *lease) ([]byte, error) {
	src := http.MaxBytesReader(r.w.ResponseWriter, r.Body, a.MaxBody)
	size := r.ContentLength
	if size < 0 {
		size = a.MaxBody
	}
	b := bytes.NewBuffer(make([]byte, 0, min(size, usualBody)+bytes.MinRead))
	if _, err := b.ReadFrom(io.LimitReader(src, smallBody)); err != nil || b.Len() < smallBody {
		return b.Bytes(), err
	}
	if err := arriving.take(r.Context(), size); err != nil {
		return nil, err
	}
	if r.ContentLength < 0 {
		size = min(size, unknownBody)
	}
	whole := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	whole.Write(b.Bytes())
	_, err := whole.ReadFrom(src)
	return whole.Bytes(), err
}

// How much of a refused body is read, and for how long.
const (
	maxDrain  = 64 << 20
	drainTime = 5 * time.Second
)

// drain reads what the client still sends after a refusal. A client that sends
// everything before it reads would otherwise see a broken connection instead of the
// response.
func (a *API) drain(r *Request) {
	if r.ContentLength == 0 || r.Header.Get("Expect") != "" {
		return
	}
	c := http.NewResponseController(r.w)
	if c.Flush() != nil || c.SetReadDeadline(deadline(drainTime)) != nil {
		return
	}
	_, _ = io.CopyN(io.Discard, r.Body, maxDrain) // the response is sent; the connection ends
}

// MediaType returns the type of the body, or "".
func (r *Request) MediaType() (string, error) {
	values := r.Header.Values("Content-Type")
	if len(values) == 0 {
		return "", nil
	}
	if len(values) > 1 {
		return "", octavo.Invalid("Content-Type", "must be given once")
	}
	t, params, err := mime.ParseMediaType(values[0])
	if err != nil {
		return "", octavo.Errorf(octavo.UnsupportedMediaType, "The Content-Type is not a media type.")
	}
	if cs := params["charset"]; cs != "" && !strings.EqualFold(cs, "utf-8") && t != MediaForm {
		return "", octavo.Errorf(octavo.UnsupportedMediaType, "The charset of the body must be UTF-8.")
	}
	return t, nil
}

// The media types of bodies beside application/json. Only the contract's own
// operations take YAML; only changes take merge patches (RFC 7396).
const (
	MediaYAML       = "application/yaml"   // of RFC 9512
	mediaXYAML      = "application/x-yaml" // of the contract; accepted wherever MediaYAML is
	MediaMergePatch = "application/merge-patch+json"
	MediaForm       = "multipart/form-data"
)

// isForm reports whether the body is a form.
func (r *Request) isForm() bool {
	t, err := r.MediaType()
	return err == nil && t == MediaForm
}

// Empty reports whether there is no body.
func (r *Request) Empty() bool { return len(r.body) == 0 }

// DecodeBody reads the body as one JSON value, or as one YAML value if that is among
// the further media types.
func (r *Request) DecodeBody(further ...string) (octavo.Value, error) {
	t, err := r.MediaType()
	if err != nil {
		return octavo.Value{}, err
	}
	known := append([]string{MediaJSON}, further...)
	if slices.Contains(known, MediaYAML) {
		known = append(known, mediaXYAML)
	}
	if !slices.Contains(known, t) {
		if r.route != nil && r.route.Flags&Multipart != 0 { // serveForm reads forms
			known = append(known, MediaForm)
		}
		return octavo.Value{}, octavo.Errorf(octavo.UnsupportedMediaType, "Send one of %s.", strings.Join(known, ", "))
	}
	if t == MediaYAML || t == mediaXYAML {
		return decodeYAML(r.body)
	}
	return DecodeJSON(r.body)
}

// Decode reads the body by decode, whose second argument says whether unknown members
// are errors. The media types are those of [Request.DecodeBody].
func Decode[T any](r *Request, decode func(octavo.Value, bool) (T, error), further ...string) (in T, err error) {
	body, err := r.DecodeBody(further...)
	if err != nil {
		return in, err
	}
	return decode(body, r.Strict())
}

// DecodeJSON reads one JSON value.
func DecodeJSON(body []byte) (octavo.Value, error) {
	v, err := jsonvalue.Decode(body)
	if e, ok := errors.AsType[*jsonvalue.Error](err); ok {
		return v, octavo.Invalid(e.Pointer, "%s (line %d, column %d)", e.Message, e.Line, e.Column)
	}
	return v, err
}

// decodeYAML reads a YAML document, or a JSON string that contains one (decision 19).
// If the text is JSON, which YAML 1.2 includes, it is parsed as JSON, because the YAML
// package does not support pairs of \u escapes.
func decodeYAML(body []byte) (octavo.Value, error) {
	if text := bytes.TrimSpace(body); len(text) > 0 && text[0] == '"' {
		if v, err := jsonvalue.Decode(text); err == nil && v.Kind == octavo.KindString {
			body = []byte(v.Str)
		}
	}
	if text := bytes.TrimSpace(body); len(text) > 0 && text[0] == '{' {
		if v, err := jsonvalue.Decode(text); err == nil {
			return v, nil
		}
	}
	v, err := yamlvalue.Decode(body)
	if e, ok := errors.AsType[*yamlvalue.Error](err); ok {
		return v, octavo.Invalid(e.Pointer, "%s (line %d, column %d)", e.Message, e.Line, e.Column)
	}
	return v, err
}

// Strict reports whether the request wants nothing to be ignored (Prefer:
// handling=strict, RFC 7240), and confirms it in the response.
func (r *Request) Strict() bool {
	if value, _ := r.Preference("handling"); !strings.EqualFold(value, "strict") {
		return false
	}
	r.PreferenceApplied("handling=strict")
	return true
}

// PreferenceApplied confirms in the response that a preference was followed.
func (r *Request) PreferenceApplied(preference string) {
	r.w.Header().Add("Preference-Applied", preference)
}

// Preference returns the value of a preference of the request (RFC 7240 section 2); the
// first one counts.
func (r *Request) Preference(name string) (value string, ok bool) {
	for _, field := range r.Header.Values("Prefer") {
		for _, p := range strings.Split(field, ",") {
			n, v, _ := strings.Cut(strings.TrimSpace(strings.SplitN(p, ";", 2)[0]), "=")
			if strings.EqualFold(strings.TrimSpace(n), name) {
				return strings.Trim(strings.TrimSpace(v), `"`), true
			}
		}
	}
	return "", false
}
