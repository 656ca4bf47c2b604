package httpapi

import (
	"net/http"
	"strconv"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/deflate"
	"github.com/octavo-docs/octavo/internal/pages"
)

const (
	mediaJSON     = "application/json"
	mediaMarkdown = "text/markdown; charset=utf-8"
)

// fields are the values of header fields that most answers have. All answers
// share them.
type fields struct {
	nosniff, vary, noCache, json, anyOrigin, exposed []string
}

func newFields() fields {
	return fields{
		nosniff:   []string{"nosniff"},
		vary:      []string{"Accept, Accept-Encoding, Authorization, X-API-Key"},
		noCache:   []string{"private, no-cache"},
		json:      []string{mediaJSON},
		anyOrigin: []string{"*"},
		exposed:   []string{"Accept-Ranges, Content-Disposition, Content-Range, ETag, Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Traceparent, WWW-Authenticate, X-RateLimit-Remaining, X-Request-Id, X-Trace-Id"},
	}
}

// response is an answer that is not yet written.
type response struct {
	status      int
	contentType string
	header      map[string]string
	tag         entityTag // the zero tag sends no ETag

	// One of these three is the body.
	body   []byte
	pieces []deflate.Piece
	kept   pages.Answer

	keeper func(pages.Answer) // unless nil, is told what is sent of pieces

	// stream, unless nil, writes a body that is too long to be held, piece by
	// piece, in place of body. One that is live sends each piece at once.
	stream func(write func([]byte) error) error
	live   bool

	// file, unless nil, is sent in place of all of these, with its own header.
	file *sentFile
}

// jsonResponse answers with a JSON body.
func jsonResponse(status int, body []byte) *response {
	return &response{status: status, contentType: mediaJSON, body: body}
}

// write sends an answer: it chooses the content coding, evaluates conditional
// reads and leaves the body out for HEAD.
func (a *API) write(r *request, resp *response) {
	if !a.admitAnswer(r, resp) {
		return
	}
	if resp.file != nil {
		a.sendFile(r, resp.file)
		return
	}
	h := r.w.Header()
	for name, value := range resp.header {
		h.Set(name, value)
	}
	h["X-Content-Type-Options"] = a.fields.nosniff
	if r.route != nil {
		h["Vary"] = append(a.fields.vary, h["Vary"]...)
		if r.route.accept&query != 0 {
			h.Set("Referrer-Policy", "no-referrer") // the address holds a key
		}
		if h.Get("Cache-Control") == "" {
			h["Cache-Control"] = a.fields.noCache
		}
	}
	if resp.stream != nil {
		a.stream(r, resp)
		return
	}
	body := a.encode(r, resp)
	if tag := resp.tag; tag != (entityTag{}) {
		if body.packed {
			tag.coding = codingGzip
		}
		h.Set("ETag", tag.String())
		if status := readCondition(r, resp.status, tag); status != 0 {
			if status == http.StatusPreconditionFailed {
				h.Del("ETag")
				a.writeProblem(r, octavo.Errorf(octavo.PreconditionFailed, "The resource does not match If-Match."))
				return
			}
			r.w.WriteHeader(status)
			return
		}
	}
	switch resp.contentType {
	case "":
	case mediaJSON:
		h["Content-Type"] = a.fields.json
	default:
		h.Set("Content-Type", resp.contentType)
	}
	if body.packed {
		h.Set("Content-Encoding", codingGzip)
	}
	if body.size > 0 || resp.status != http.StatusNoContent {
		h.Set("Content-Length", strconv.Itoa(body.size))
	}
	r.w.WriteHeader(resp.status)
	if r.Method == http.MethodHead {
		return
	}
	if err := a.sendContent(r, body); err != nil {
		a.Log.DebugContext(r.Context(), "answer not received", "request", r.id, "error", err)
	}
}

// streamTime is how long a client may take for one piece of a streamed body.
const streamTime = 30 * time.Second

// stream sends a body of unknown length. When it cannot be finished the
// connection is cut, so that nobody takes a part of it for the whole.
func (a *API) stream(r *request, resp *response) {
	r.w.Header().Set("Content-Type", resp.contentType)
	r.w.WriteHeader(resp.status)
	if r.Method == http.MethodHead {
		return
	}
	c := http.NewResponseController(r.w)
	err := resp.stream(func(piece []byte) error {
		_ = c.SetWriteDeadline(deadline(streamTime)) // where the writer has one
		_, err := r.w.Write(piece)
		if err == nil && resp.live {
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
