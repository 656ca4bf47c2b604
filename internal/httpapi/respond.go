package httpapi

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strconv"
	"time"

	"github.com/octavo-docs/octavo"
)

const (
	mediaJSON     = "application/json"
	mediaMarkdown = "text/markdown; charset=utf-8"
)

// minGzip is the smallest body that is worth compressing, in bytes.
const minGzip = 1024

// response is an answer that is not yet written.
type response struct {
	status      int
	contentType string
	header      map[string]string
	tag         entityTag // the zero tag sends no ETag
	body        []byte

	// stream, unless nil, writes a body that is too long to be held, piece by
	// piece, in place of body.
	stream func(write func([]byte) error) error
}

// jsonResponse answers with a JSON body.
func jsonResponse(status int, body []byte) *response {
	return &response{status: status, contentType: mediaJSON, body: body}
}

// write sends an answer: it chooses the content coding, evaluates conditional
// reads and leaves the body out for HEAD.
func (a *API) write(r *request, resp *response) {
	h := r.w.Header()
	for name, value := range resp.header {
		h.Set(name, value)
	}
	h.Set("X-Content-Type-Options", "nosniff")
	body := resp.body
	if r.route != nil {
		h.Add("Vary", "Accept, Accept-Encoding, Authorization, X-API-Key")
		if h.Get("Cache-Control") == "" {
			h.Set("Cache-Control", "private, no-cache")
		}
	}
	if resp.stream != nil {
		a.stream(r, resp)
		return
	}
	tag := resp.tag
	if len(body) >= minGzip && acceptsGzip(r) {
		if packed, err := a.gzip(body); err == nil && len(packed) < len(body) {
			body, tag.coding = packed, "gzip"
			h.Set("Content-Encoding", "gzip")
		}
	}
	if tag != (entityTag{}) {
		h.Set("ETag", tag.String())
		if status := readCondition(r, resp.status, tag); status != 0 {
			h.Del("Content-Encoding")
			if status == http.StatusPreconditionFailed {
				h.Del("ETag")
				a.writeProblem(r, octavo.Errorf(octavo.PreconditionFailed, "The resource does not match If-Match."))
				return
			}
			r.w.WriteHeader(status)
			return
		}
	}
	if resp.contentType != "" {
		h.Set("Content-Type", resp.contentType)
	}
	if len(body) > 0 || resp.status != http.StatusNoContent {
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	r.w.WriteHeader(resp.status)
	if r.Method == http.MethodHead {
		return
	}
	if _, err := r.w.Write(body); err != nil {
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
		_ = c.SetWriteDeadline(a.Now().Add(streamTime)) // where the writer has one
		_, err := r.w.Write(piece)
		return err
	})
	if err != nil {
		if !clientGone(r, err) {
			a.Log.ErrorContext(r.Context(), "answer cut off", "request", r.id, "error", err)
		}
		panic(http.ErrAbortHandler)
	}
}

func (a *API) gzip(body []byte) ([]byte, error) {
	zw := a.gzips.Get().(*gzip.Writer)
	defer a.gzips.Put(zw)
	var packed bytes.Buffer
	zw.Reset(&packed)
	if _, err := zw.Write(body); err != nil {
		return nil, err
	}
	if err := zw.Close(); err != nil {
		return nil, err
	}
	return packed.Bytes(), nil
}
