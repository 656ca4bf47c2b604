// Package studio serves Studio, the editor, which runs in browsers. Its source is in
// studio/ of this repository; dist has the bundle. Studio is an ordinary client of the
// API: this package knows no pages and no people. Start with [New].
package studio

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo"
)

//go:embed dist
var dist embed.FS

//go:embed studio.html
var document string

// Path is the path of Studio below the address of the server.
const Path = "/studio"

// Options describe the server to Studio. URLs have no trailing slash.
type Options struct {
	Root    string // path of the server, "" at the root of its host
	API     string // address of the API, with version
	Site    string // path of the live site; "" means none
	Style   []byte // style sheet of the live site, for previews
	Product string // version of Octavo
	Random  io.Reader
}

type Studio struct {
	Options
	files   map[string][]byte // compressed files by name
	version string
	origin  string // origin of the API, which also serves pictures
	page    *template.Template
}

func New(o Options) (*Studio, error) {
	s := &Studio{Options: o, files: map[string][]byte{}}
	entries, err := dist.ReadDir("dist")
	if err != nil {
		return nil, fmt.Errorf("studio: read embedded files: %w", err)
	}
	sum := sha256.New()
	for _, e := range entries {
		packed, err := dist.ReadFile("dist/" + e.Name())
		if err != nil {
			return nil, fmt.Errorf("studio: read embedded files: %w", err)
		}
		sum.Write(packed)
		s.files[strings.TrimSuffix(e.Name(), ".gz")] = packed
	}
	packed, err := pack(o.Style)
	if err != nil {
		return nil, fmt.Errorf("studio: compress the style sheet: %w", err)
	}
	sum.Write(o.Style)
	s.files[previewStyle] = packed
	api, err := url.Parse(o.API)
	if err != nil {
		return nil, fmt.Errorf("studio: the address of the API: %w", err)
	}
	s.origin = api.Scheme + "://" + api.Host
	s.version = hex.EncodeToString(sum.Sum(nil)[:8])
	if s.page, err = template.New("studio").Parse(document); err != nil {
		return nil, fmt.Errorf("studio: %w", err)
	}
	return s, nil
}

// previewStyle is the name of the style sheet of previews.
const previewStyle = "preview.css"

func pack(text []byte) ([]byte, error) {
	var b bytes.Buffer
	zip := gzip.NewWriter(&b)
	if _, err := zip.Write(text); err != nil {
		return nil, err
	}
	err := zip.Close()
	return b.Bytes(), err
}

// Serve answers GET and HEAD for Path and below. All screens get the same document; files
// have their version in the address.
func (s *Studio) Serve(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("X-Content-Type-Options", "nosniff")
	if name, isFile := strings.CutPrefix(r.URL.Path, Path+"/-/"); isFile {
		return s.file(w, r, name)
	}
	return s.screen(w)
}

func (s *Studio) file(w http.ResponseWriter, r *http.Request, name string) error {
	name, current := strings.CutPrefix(name, s.version+"/")
	packed, known := s.files[name]
	if !current || !known {
		return octavo.Errorf(octavo.NotFound, "There is no such file.")
	}
	h := w.Header()
	h.Set("Content-Type", map[string]string{".css": "text/css", ".js": "text/javascript"}[path.Ext(name)]+"; charset=utf-8")
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	body := packed
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
	} else {
		zip, err := gzip.NewReader(bytes.NewReader(packed))
		if err == nil {
			body, err = io.ReadAll(zip)
		}
		if err != nil {
			return fmt.Errorf("studio: inflate %s: %w", name, err)
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.Write(body) //nolint:errcheck // the client has gone
	return nil
}

// policy is the Content-Security-Policy of every screen. Pictures may come from any
// address that a page names. The preview is a frame without scripts that only Studio
// writes.
const policy = "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-%[1]s'; img-src 'self' http: https: data: blob:; media-src 'self' http: https:; " +
	"connect-src 'self' %[2]s; font-src 'self'; frame-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; " +
	"require-trusted-types-for 'script'; trusted-types octavo"

func (s *Studio) screen(w http.ResponseWriter) error {
	random := make([]byte, 16)
	if _, err := io.ReadFull(s.Random, random); err != nil {
		return fmt.Errorf("studio: make a nonce: %w", err)
	}
	nonce := base64.RawURLEncoding.EncodeToString(random)
	var b bytes.Buffer
	err := s.page.Execute(&b, map[string]string{
		"Nonce": nonce, "Root": s.Root, "API": s.API, "Site": s.Site, "Product": s.Product,
		"Files": s.Root + Path + "/-/" + s.version, "Preview": previewStyle,
	})
	if err != nil {
		return fmt.Errorf("studio: %w", err)
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store") // the page contains a nonce
	h.Set("Content-Security-Policy", fmt.Sprintf(policy, nonce, s.origin))
	h.Set("Referrer-Policy", "same-origin")
	w.Write(b.Bytes()) //nolint:errcheck // as above
	return nil
}
