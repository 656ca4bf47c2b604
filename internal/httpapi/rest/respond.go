package rest

import (
	"net/http"
	"strconv"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/deflate"
)

// MediaJSON is the media type of most bodies.
const MediaJSON = "application/json"

// fields are the values of common header fields. All responses share them.
type fields struct {
	nosniff, vary, noCache, json, anyOrigin, exposed []string
}

func newFields() fields {
	return fields{
		nosniff:   []string{"nosniff"},
		vary:      []string{"Accept, Accept-Encoding, Authorization, X-API-Key"},
		noCache:   []string{"private, no-cache"},
		json:      []string{MediaJSON},
		anyOrigin: []string{"*"},
		exposed:   []string{"Accept-Ranges, Content-Disposition, Content-Range, ETag, Idempotency-Replayed, Link, Location, Preference-Applied, RateLimit, RateLimit-Policy, Retry-After, Traceparent, WWW-Authenticate, X-RateLimit-Remaining, X-Request-Id, X-Trace-Id"},
	}
}

// Response is a response that is not written yet.
type Response struct {
	Status      int
	ContentType string
	Header      map[string]string
	Tag         EntityTag // the zero tag sends no ETag

	// One of these three is the body.
	Body   []byte
	Pieces []deflate.Piece
	Kept   Encoded

	Keeper func(Encoded) // if non-nil, called with the encoded Pieces

	// Stream, if non-nil, writes a body that is too long for memory, piece by piece,
	// instead of Body. With Live, each piece is sent at once.
	Stream func(write func([]byte) error) error
	Live   bool

	// File, if non-nil, is sent instead of all of these.
	File *File
}

// Encoded is a whole body in its content coding.
type Encoded struct {
	Body   []byte
	Packed bool // by gzip
}

// JSON returns a JSON body.
func JSON(status int, body []byte) *Response {
	return &Response{Status: status, ContentType: MediaJSON, Body: body}
}

// NoContent is the response to a change without a result, or with the error err.
func NoContent(err error) (*Response, error) {
	if err != nil {
		return nil, err
	}
	return &Response{Status: http.StatusNoContent}, nil
}

// write sends a response: it chooses the content coding, evaluates conditional reads
// and omits the body for HEAD.
func (a *API) write(r *Request, resp *Response) {
	if !a.takeAnswer(r, resp) {
		return
	}
	h := r.w.Header()
	for name, value := range resp.Header {
		h.Set(name, value)
	}
	if resp.File != nil {
		a.sendFile(r, resp.File)
		return
	}
	h["X-Content-Type-Options"] = a.fields.nosniff
	if r.route != nil {
		h["Vary"] = append(a.fields.vary, h["Vary"]...)
		if r.route.Accept&QueryKey != 0 {
			h.Set("Referrer-Policy", "no-referrer") // the address contains a key
		}
		if h.Get("Cache-Control") == "" {
			h["Cache-Control"] = a.fields.noCache
		}
	}
	if resp.Stream != nil {
		a.stream(r, resp)
		return
	}
	body := a.encode(r, resp)
	if tag := resp.Tag; tag != (EntityTag{}) {
		if body.packed {
			tag.coding = codingGzip
		}
		h.Set("ETag", tag.String())
		if status := readCondition(r, resp.Status, tag); status != 0 {
			if status == http.StatusPreconditionFailed {
				h.Del("ETag")
				a.writeProblem(r, octavo.Errorf(octavo.PreconditionFailed, "The resource does not match If-Match."))
				return
			}
			r.w.WriteHeader(status)
			return
		}
	}
	switch resp.ContentType {
	case "":
	case MediaJSON:
		h["Content-Type"] = a.fields.json
	default:
		h.Set("Content-Type", resp.ContentType)
	}
	if body.packed {
		h.Set("Content-Encoding", codingGzip)
	}
	if body.size > 0 || resp.Status != http.StatusNoContent {
		h.Set("Content-Length", strconv.Itoa(body.size))
	}
	r.w.WriteHeader(resp.Status)
	if r.Method == http.MethodHead {
		return
	}
	if err := a.sendContent(r, body); err != nil {
		a.Log.DebugContext(r.Context(), "answer not received", "request", r.id, "error", err)
	}
}

// streamTime is how long a client may take for one piece of a streamed body.
const streamTime = 30 * time.Second

// stream sends a body of unknown length. If it cannot be completed, the connection is
// closed, so that nobody takes a part for the whole.
func (a *API) stream(r *Request, resp *Response) {
	r.w.Header().Set("Content-Type", resp.ContentType)
	r.w.WriteHeader(resp.Status)
	if r.Method == http.MethodHead {
		return
	}
	c := http.NewResponseController(r.w)
	err := resp.Stream(func(piece []byte) error {
		_ = c.SetWriteDeadline(deadline(streamTime)) // if the writer supports it
		_, err := r.w.Write(piece)
		if err == nil && resp.Live {
			err = c.Flush()
		}
		return err
	})
	if err != nil {
		if !clientGone(r, err) {
			a.Log.ErrorContext(r.Context(), "answer cut off", "request", r.id, "error", err)
		}
		panic(http.ErrAbortHandler)
	}
}
