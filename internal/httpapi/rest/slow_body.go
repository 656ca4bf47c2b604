package rest

import (
	"io"
	"net/http"
	"time"
)

// How long a sender has, and how many bytes give it another second.
const (
	bodyPause = 30 * time.Second
	bodyRate  = 8 << 10
)

// SlowBody returns the body of the request, of at most limit bytes, for a
// sender that may take as long as it needs while it sends steadily. The one who
// has read it calls end.
func (r *Request) SlowBody(limit int64) (body io.Reader, end func()) {
	p := &patientReader{r: http.MaxBytesReader(r.w.ResponseWriter, r.Body, limit), c: http.NewResponseController(r.w), now: r.api.Now}
	return p, p.end
}

// patientReader gives a sender time for what it sends, in place of a time for
// the whole body: one that sends slowly but steadily comes to an end, one that
// drips does not hold a connection for long. Time in which nothing is read of
// it does not count.
type patientReader struct {
	r     io.Reader
	c     *http.ResponseController
	now   func() time.Time
	spent time.Duration // waiting for it
	n     int64
}

// Read implements io.Reader.
func (p *patientReader) Read(b []byte) (int, error) {
	start := p.now()
	left := bodyPause + time.Duration(p.n/bodyRate)*time.Second - p.spent
	_ = p.c.SetReadDeadline(deadline(left)) // not every connection has deadlines
	n, err := p.r.Read(b)
	p.n += int64(n)
	p.spent += p.now().Sub(start)
	return n, err
}

// end gives the answer as much time as any has, now that there is one.
func (p *patientReader) end() {
	_ = p.c.SetReadDeadline(time.Time{})              // as above
	_ = p.c.SetWriteDeadline(deadline(2 * sendPause)) // as above
}
