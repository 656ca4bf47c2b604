package rest

import (
	"io"
	"net/http"
	"time"
)

// How long a sender has, and how many bytes extend that by a second.
const (
	bodyPause = 30 * time.Second
	bodyRate  = 8 << 10
)

// SlowBody returns the body of the request, of at most limit bytes, for a sender that
// may take as long as it needs while it sends steadily. The reader calls end
// afterwards.
func (r *Request) SlowBody(limit int64) (body io.Reader, end func()) {
	p := &patientReader{r: http.MaxBytesReader(r.w.ResponseWriter, r.Body, limit), c: http.NewResponseController(r.w), now: r.api.Now}
	return p, p.end
}

// patientReader sets deadlines by the rate of the sender instead of one for the whole
// body. A slow but steady sender succeeds, and one that drips does not hold a
// connection for long. Time without a read does not count.
type patientReader struct {
	r     io.Reader
	c     *http.ResponseController
	now   func() time.Time
	spent time.Duration // waiting for the sender
	n     int64
}

// Read implements io.Reader.
func (p *patientReader) Read(b []byte) (int, error) {
	start := p.now()
	left := bodyPause + time.Duration(p.n/bodyRate)*time.Second - p.spent
	_ = p.c.SetReadDeadline(deadline(left)) // not every connection supports it
	n, err := p.r.Read(b)
	p.n += int64(n)
	p.spent += p.now().Sub(start)
	return n, err
}

// end resets the deadlines for the response.
func (p *patientReader) end() {
	_ = p.c.SetReadDeadline(time.Time{})              // as above
	_ = p.c.SetWriteDeadline(deadline(2 * sendPause)) // as above
}
