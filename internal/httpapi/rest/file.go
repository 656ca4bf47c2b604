package rest

import (
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
)

// maxRanges is how many parts of a file one request may ask for; each is a request to
// the bucket, if there is one.
const maxRanges = 20

// File is a file to send, whole or in parts.
type File struct {
	Content     io.ReadSeekCloser // directly from the blob store, so that the kernel can send it
	What        string            // for the log
	ContentType string
	Tag         string // of its bytes
	Modified    time.Time
	Disposition string
	Expires     time.Time // of its address; zero for never
	Caching     string    // "" depends on Expires
}

// sendFile sends a file, and closes it.
func (a *API) sendFile(r *Request, f *File) {
	defer func() {
		if err := f.Content.Close(); err != nil {
			a.Log.WarnContext(r.Context(), "close a file", "request", r.id, "error", err)
		}
	}()
	if ranges := r.Header.Get("Range"); r.Method != http.MethodGet || !strings.HasPrefix(ranges, "bytes=") || strings.Count(ranges, ",") >= maxRanges {
		r.Header.Del("Range") // the whole file is sent instead (RFC 9110 section 14.2)
	} else {
		r.Header.Set("Range", satisfiable(ranges))
	}
	for _, name := range []string{"If-Match", "If-None-Match"} {
		if lines := r.Header[name]; len(lines) > 1 { // package http reads only the first
			r.Header.Set(name, strings.Join(lines, ", "))
		}
	}
	h := r.w.Header()
	h.Set("Content-Type", f.ContentType)
	h.Set("Content-Disposition", f.Disposition)
	h.Set("ETag", `"`+f.Tag+`"`)
	h.Set("Cache-Control", a.fileCaching(f))
	h.Set("X-Content-Type-Options", "nosniff")
	r.w.paced = true
	http.ServeContent(r.w, r.Request, "", f.Modified, f.Content)
	if refused := r.w.refused; refused != 0 {
		r.w.paced, r.w.refused = false, 0
		for _, name := range []string{"Content-Disposition", "ETag", "Last-Modified"} { // these describe the file
			h.Del(name)
		}
		a.writeProblem(r, refusal(refused, h.Get("Content-Range")))
		return
	}
	if broken, ok := errors.AsType[*octavo.Error](r.w.failed); ok { // an error of the blob store; otherwise the client has left
		a.Log.ErrorContext(r.Context(), "file cut off", "request", r.id, "file", f.What, "error", broken)
	}
}

// refusal says why a file is not sent, from the status of package http and its
// Content-Range.
func refusal(status int, extent string) error {
	switch status {
	case http.StatusPreconditionFailed:
		return octavo.Errorf(octavo.PreconditionFailed, "The file does not match the condition in the request.")
	case http.StatusRequestedRangeNotSatisfiable:
		if size, ok := strings.CutPrefix(extent, "bytes */"); ok {
			return octavo.Errorf(octavo.RangeNotSatisfiable, "Range names no part of the file, which has %s bytes.", size)
		}
		return octavo.Errorf(octavo.RangeNotSatisfiable, "Range is not valid: use for example bytes=0-99, bytes=100- or bytes=-100.")
	default:
		return fmt.Errorf("send a file: package http answers %d", status)
	}
}

// satisfiable replaces ranges of the last 0 bytes, which can never be satisfied (RFC
// 9110 section 14.1.2), by one that package http refuses: it would send nothing with
// 206. It also reads 0 with spaces or a sign.
func satisfiable(ranges string) string {
	unit, list, _ := strings.Cut(ranges, "=")
	specs := strings.Split(list, ",")
	for i, spec := range specs {
		if length, suffix := strings.CutPrefix(strings.TrimSpace(spec), "-"); suffix && length != "" && strings.Trim(length, "+0 \t") == "" {
			specs[i] = strconv.FormatInt(math.MaxInt64, 10) + "-"
		}
	}
	return unit + "=" + strings.Join(specs, ",")
}

// fileCaching says how long the response may be cached: the bytes at an address never
// change, but the address may expire.
func (a *API) fileCaching(f *File) string {
	if f.Caching != "" {
		return f.Caching
	}
	if f.Expires.IsZero() {
		return "public, max-age=31536000, immutable"
	}
	return fmt.Sprintf("private, max-age=%d, immutable", max(0, int64(f.Expires.Sub(a.Now())/time.Second)))
}

// Limits of sending a file: this many bytes have to be read in this time.
const (
	sendSize  = 1 << 20
	sendPause = time.Minute
)

// ReadFrom implements io.ReaderFrom, so that the kernel can send a file. There is a
// deadline for each part instead of one for the whole.
func (w *recorder) ReadFrom(src io.Reader) (total int64, err error) {
	defer func() { w.failed = err }()
	if w.status == 0 {
		w.status = http.StatusOK
	}
	to, ok := w.ResponseWriter.(io.ReaderFrom)
	if !ok {
		return io.Copy(struct{ io.Writer }{w}, src)
	}
	limited, ok := src.(*io.LimitedReader)
	if !ok || !w.paced {
		total, err = to.ReadFrom(src)
		w.bytes += total
		return total, err
	}
	c := http.NewResponseController(w)
	for limited.N > 0 && err == nil {
		_ = c.SetWriteDeadline(deadline(sendPause)) // every connection supports it
		part := &io.LimitedReader{R: limited.R, N: min(limited.N, sendSize)}
		var n int64
		n, err = to.ReadFrom(part)
		total, w.bytes, limited.N = total+n, w.bytes+n, limited.N-n
		if n == 0 {
			break
		}
	}
	return total, err
}
