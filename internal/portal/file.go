package portal

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// file is one response, stored compressed, since nearly every client accepts that.
type file struct {
	contentType string
	policy      string // Content-Security-Policy; "" unless it is a page
	version     string // of the static files, as in ?v=; "" for pages
	zipped      []byte
	tag         string // of the content, without quotes and coding
}

// packer compresses files one after another. They share the compressor, which needs most
// of a megabyte.
type packer struct{ zip *gzip.Writer }

func newPacker() (*packer, error) {
	zip, err := gzip.NewWriterLevel(io.Discard, gzip.BestCompression)
	return &packer{zip}, err
}

// file compresses content.
func (p *packer) file(contentType string, content []byte) (file, error) {
	var b bytes.Buffer
	p.zip.Reset(&b)
	if _, err := p.zip.Write(content); err != nil {
		return file{}, err
	}
	if err := p.zip.Close(); err != nil {
		return file{}, err
	}
	return zippedFile(contentType, b.Bytes()), nil
}

func zippedFile(contentType string, zipped []byte) file {
	sum := sha256.Sum256(zipped)
	return file{contentType: contentType, zipped: zipped, tag: hex.EncodeToString(sum[:8])}
}

// ServeHTTP answers a GET or HEAD request. A static file requested with its version never
// changes; everything else is revalidated.
func (f file) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Type", f.contentType)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "no-cache")
	if f.version != "" && r.URL.Query().Get("v") == f.version {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	if f.policy != "" {
		h.Set("Content-Security-Policy", f.policy)
		h.Set("Referrer-Policy", "no-referrer")
	}
	body, tag := f.zipped, `"`+f.tag+`-gzip"`
	coded := acceptsGzip(r.Header.Values("Accept-Encoding"))
	if !coded {
		tag = `"` + f.tag + `"`
	}
	h.Set("ETag", tag)
	if matches(r.Header.Values("If-None-Match"), tag) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	if coded {
		h.Set("Content-Encoding", "gzip")
	} else {
		plain, err := unzip(f.zipped)
		if err != nil { // own compressed data always inflates
			panic(fmt.Sprintf("portal: inflate %s: %v", r.URL.Path, err))
		}
		body = plain
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if r.Method != http.MethodHead {
		w.Write(body) //nolint:errcheck // the client has gone
	}
}

func unzip(zipped []byte) ([]byte, error) {
	zip, err := gzip.NewReader(bytes.NewReader(zipped))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(zip)
}

// acceptsGzip reports whether an Accept-Encoding field allows gzip (RFC 9110 section
// 12.5.3). gzip takes precedence over *.
func acceptsGzip(values []string) bool {
	any := false
	for part := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name, parameters, _ := strings.Cut(part, ";")
		q, err := strconv.ParseFloat(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(parameters)), "q="), 64)
		allowed := err != nil || q > 0
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "gzip", "x-gzip":
			return allowed
		case "*":
			any = allowed
		}
	}
	return any
}

// matches reports whether an If-None-Match field has the tag, by weak comparison (RFC 9110
// section 13.1.2).
func matches(values []string, tag string) bool {
	for part := range strings.SplitSeq(strings.Join(values, ","), ",") {
		part = strings.TrimSpace(part)
		if part == "*" || strings.TrimPrefix(part, "W/") == tag {
			return true
		}
	}
	return false
}
