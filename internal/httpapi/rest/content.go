package rest

import (
	"io"
	"net/http"

	"github.com/octavo-docs/octavo/internal/deflate"
)

const (
	codingGzip = "gzip"

	// minGzip is the smallest body worth compressing, in bytes.
	minGzip = 1024

	// maxWhole is the maximum size of a body that is assembled in memory and sent at
	// once, in bytes: a list of 20 usual pages is a tenth of it. Larger ones are sent
	// in pieces.
	maxWhole = 1 << 19
)

// content is a body in its content coding.
type content struct {
	pieces []deflate.Piece
	whole  bool // the only piece is sent as it is, compressed or not
	packed bool
	size   int           // as sent
	keep   func(Encoded) // if non-nil, called with a body that is sent at once
}

// encode chooses the content coding of a response. It builds nothing, since the body
// may not be needed.
func (a *API) encode(r *Request, resp *Response) content {
	if kept := resp.Kept; kept.Body != nil {
		return content{pieces: []deflate.Piece{{Plain: kept.Body}}, packed: kept.Packed, size: len(kept.Body), whole: true}
	}
	c := content{pieces: resp.Pieces, keep: resp.Keeper}
	if c.pieces == nil {
		c.pieces = []deflate.Piece{{Plain: resp.Body}}
	}
	for _, p := range c.pieces {
		c.size += len(p.Plain)
	}
	// A repeated response keeps the form of its entity tag.
	if _, kept := resp.Header["ETag"]; kept || c.size < minGzip || !r.AcceptsGzip() {
		return c
	}
	if resp.Pieces == nil {
		compressed, err := a.compressor.Compress(resp.Body)
		if err != nil {
			a.Log.WarnContext(r.Context(), "answer not compressed", "request", r.id, "error", err)
			return c
		}
		c.pieces[0].Compressed = compressed
	}
	if size := deflate.StreamSize(c.pieces); size < c.size {
		c.packed, c.size = true, size
	}
	return c
}

// send writes the body.
func (a *API) send(w io.Writer, c content) error {
	if c.whole || len(c.pieces) == 1 && !c.packed {
		_, err := w.Write(c.pieces[0].Plain)
		return err
	}
	buffer := a.buffers.Get().(*[]byte)
	defer func() {
		if cap(*buffer) <= 2*maxWhole {
			a.buffers.Put(buffer)
		}
	}()
	if c.packed {
		return sendPacked(w, c, buffer)
	}
	*buffer = (*buffer)[:0]
	for _, p := range c.pieces {
		if c.size > maxWhole {
			if _, err := w.Write(p.Plain); err != nil {
				return err
			}
			continue
		}
		*buffer = append(*buffer, p.Plain...)
	}
	c.tell(*buffer)
	_, err := w.Write(*buffer)
	return err
}

// tell calls keep with a body that is sent at once.
func (c content) tell(body []byte) {
	if c.keep != nil && len(body) == c.size {
		c.keep(Encoded{Body: body, Packed: c.packed})
	}
}

// sendPacked writes the body as a gzip stream, using buffer.
func sendPacked(w io.Writer, c content, buffer *[]byte) error {
	stream := deflate.NewStream(*buffer)
	for _, p := range c.pieces {
		stream.Add(p)
		if stream.Len() > maxWhole {
			if _, err := w.Write(stream.Take()); err != nil {
				return err
			}
		}
	}
	*buffer = stream.Close()
	c.tell(*buffer)
	_, err := w.Write(*buffer)
	return err
}

// sendPart is the size of a part of a large response for which a client has streamTime,
// in bytes.
const sendPart = 256 << 10

// sendContent writes the body of a response. A client that does not read a large one is
// disconnected, so that it does not block others.
func (a *API) sendContent(r *Request, c content) error {
	if c.size <= sendPart {
		return a.send(r.w, c)
	}
	return a.send(&pacedWriter{r.w, http.NewResponseController(r.w)}, c)
}

// pacedWriter sets a deadline for each part.
type pacedWriter struct {
	w io.Writer
	c *http.ResponseController
}

// Write implements io.Writer.
func (p *pacedWriter) Write(body []byte) (written int, err error) {
	for err == nil && len(body) > 0 {
		part := body[:min(len(body), sendPart)]
		_ = p.c.SetWriteDeadline(deadline(streamTime)) // if the writer supports it
		var n int
		n, err = p.w.Write(part)
		written += n
		body = body[len(part):]
	}
	return written, err
}
