package assetapi

import (
	"bufio"
	"crypto/sha256"
	"errors"
	"io"
	"math"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

// Bounds on a form beside that on its file.
const (
	maxParts      = 100
	maxPartHeader = 32 << 10 // bytes, for what stands before a part's content
	maxFormRest   = 1 << 20  // bytes of all parts but the file
	formBuffer    = 64 << 10
)

// form is an upload as it was read.
type form struct {
	upload      *assets.Upload
	description assets.Description
	claimed     string
	rest        []byte                                   // the other known parts, for the hash
	take        func(size int) (leave func(), err error) // the memory to work on a part
	seen        map[string]bool
	faults      octavo.Faults
}

// hash identifies what a form says, whatever its boundary is.
func (f *form) hash() []byte {
	sum := f.upload.Hash()
	h := sha256.New()
	h.Write(sum[:])
	h.Write([]byte(f.upload.Name() + "\x00" + f.claimed + "\x00"))
	h.Write(f.rest)
	return h.Sum(nil)
}

// readForm reads a form while it arrives: the bytes of its file go to the
// assets. What is wrong with the form as such ends the reading; what is wrong
// in it is told together (decision 20). Without an error there is an upload.
func (o Operations) readForm(r *rest.Request) (_ *form, err error) {
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return nil, octavo.Errorf(octavo.UnsupportedMediaType, "Send the body without Content-Encoding.")
	}
	limit := o.MaxUpload + maxFormRest
	if r.ContentLength > limit {
		return nil, &http.MaxBytesError{Limit: o.MaxUpload}
	}
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if boundary := params["boundary"]; err != nil || boundary == "" || len(boundary) > 200 {
		return nil, octavo.Invalid("Content-Type", "must name the boundary of the form")
	}
	leave, err := r.TakeUpload()
	if err != nil {
		return nil, err
	}
	defer leave()
	slow, end := r.SlowBody(limit)
	defer end()
	body := &formReader{r: bufio.NewReaderSize(slow, formBuffer)}
	parts := multipart.NewReader(body, params["boundary"])
	f := &form{take: r.TakePart, seen: map[string]bool{}}
	f.description.Pending = !r.Principal.Scopes.Allow(octavo.ScopeWrite)
	defer func() {
		if err != nil && f.upload != nil {
			o.Service.Discard(r.Context(), f.upload)
		}
	}()
	strict, left := r.Strict(), int64(maxFormRest)
	for n := 0; ; n++ {
		part, err := body.next(parts)
		if err == io.EOF { //nolint:errorlint // one that is wrapped tells of a form without an end
			break
		}
		if err != nil {
			return nil, o.formError(body, err)
		}
		if n == maxParts {
			return nil, octavo.Errorf(octavo.InvalidRequest, "A form may have at most %d parts.", maxParts)
		}
		if part.FormName() == "file" && !f.seen["file"] {
			err = o.readFile(r, f, part)
		} else {
			bounded := &io.LimitedReader{R: part, N: left + 1}
			err = f.readPart(part, bounded, strict)
			if left = bounded.N - 1; left < 0 {
				err = octavo.Errorf(octavo.TooLarge, "The parts beside the file may have at most %d bytes.", maxFormRest)
				if part.FormName() == "file" {
					err = f.faults.Err() // it is given twice, which says more
				}
			}
		}
		if err != nil {
			return nil, o.formError(body, err)
		}
	}
	if !f.seen["file"] {
		f.faults.Add("/file", "is required: send a part with this name, as in curl -F file=@logo.png")
	}
	if f.description.Pending && f.seen["source"] {
		f.faults.Add("/source", "needs the scope pages:write: a file that waits for a merge has no path")
	}
	return f, f.faults.Err()
}

// readFile takes the file of the form in. One that is too large is known when
// its limit is passed.
func (o Operations) readFile(r *rest.Request, f *form, part *multipart.Part) error {
	f.seen["file"] = true
	f.claimed = part.Header.Get("Content-Type")
	var content io.Reader = http.MaxBytesReader(nil, part, o.MaxUpload)
	if f.description.Pending {
		var err error
		if content, err = o.Service.Within(r.Context(), content, r.Principal.ID); err != nil {
			return err
		}
	}
	up, err := o.Service.Receive(r.Context(), content, fileName(part), f.claimed)
	if octavo.IsType(err, octavo.InvalidRequest) {
		f.faults.Merge(err)
		return nil
	}
	f.upload = up
	return err
}

// fileName returns the name that the client gives the file, as it is written.
func fileName(part *multipart.Part) string {
	header := part.Header.Get("Content-Disposition")
	_, params, broken := mime.ParseMediaType(header)
	if m := extendedName.FindStringSubmatch(header); m != nil && !strings.EqualFold(m[1], "utf-8") {
		name, err := url.PathUnescape(m[2])
		text, known := decoded(name, m[1])
		if err == nil && (known || params["filename"] == "") {
			return text
		}
	}
	if broken != nil {
		return ""
	}
	return params["filename"]
}

// extendedName matches a name with its character set (RFC 8187), which counts before a
// plain one. Package mime reads those in UTF-8.
var extendedName = regexp.MustCompile(`(?i);\s*filename\*\s*=\s*([\w-]+)'[\w-]*'([^\s;"]+)`)

// decoded returns the text of bytes in a character set. Of one other than Latin-1 and
// what browsers take for it, which are known, ASCII is kept.
func decoded(bytes, charset string) (text string, known bool) {
	set := charmap.Windows1252
	switch strings.ToLower(charset) {
	case "iso-8859-1", "latin1", "windows-1252", "us-ascii":
	default:
		set = nil
	}
	var name strings.Builder
	for _, b := range []byte(bytes) {
		switch {
		case b < utf8.RuneSelf:
			name.WriteByte(b)
		case set != nil:
			name.WriteRune(set.DecodeByte(b))
		default:
			name.WriteByte('_')
		}
	}
	return name.String(), set != nil
}

// readPart reads a part that is not the file. Unknown ones are passed over
// (decision 46).
func (f *form) readPart(part *multipart.Part, content io.Reader, strict bool) error {
	name := part.FormName()
	most := map[string]int64{"metadata": octavo.MaxAssetMetadata, "source": octavo.MaxAssetSource}[name]
	text, err := io.ReadAll(io.LimitReader(content, most+1)) // what is too long is refused, and what is unknown passed over
	if err == nil {
		_, err = io.Copy(io.Discard, content)
	}
	if err != nil {
		return err
	}
	switch name {
	case "file", "metadata", "source":
	default:
		for _, known := range []string{"file", "metadata", "source"} {
			if rest.IsPart(name, known) {
				f.faults.Add("/"+known, "must be one part of the form with the whole value; %.60q is another notation, which is not understood", name)
				return nil
			}
		}
		if strict {
			f.faults.Add(octavo.Pointer("", name), "is not a known part of the form")
		}
		return nil
	}
	if f.seen[name] {
		f.faults.Add("/"+name, "must be given once")
		return nil
	}
	f.seen[name] = true
	f.rest = append(append(f.rest, "\x00"+name+"\x00"...), text...)
	if name == "source" {
		f.description.Source = string(text)
		if msg := octavo.CheckAssetSource(string(text)); msg != "" {
			f.faults.Add("/source", "%s", msg)
		}
		return nil
	}
	return f.readMetadata(part.Header.Get("Content-Type"), text, strict)
}

// readMetadata reads the metadata of the form, which is JSON.
func (f *form) readMetadata(claimed string, text []byte, strict bool) error {
	if t, _, err := mime.ParseMediaType(claimed); claimed != "" && (err != nil || t != rest.MediaJSON) {
		f.faults.Add("/metadata", "must have the Content-Type application/json")
		return nil //nolint:nilerr // it is told with the others
	}
	if len(text) > octavo.MaxAssetMetadata {
		f.faults.Add("/metadata", "must have at most %d bytes", octavo.MaxAssetMetadata)
		return nil
	}
	leave, err := f.take(len(text))
	if err != nil {
		return err
	}
	defer leave()
	v, err := rest.DecodeJSON(text)
	if err != nil {
		var e *octavo.Error
		if !errors.As(err, &e) {
			return err
		}
		for _, field := range e.Fields {
			f.faults.Add("/metadata"+field.Path, "%s", field.Message)
		}
		return nil
	}
	f.description.Metadata, err = octavo.DecodeAssetMetadata(v, "/metadata", strict)
	if err != nil {
		f.faults.Merge(err)
	}
	return nil
}

// formError tells what went wrong while a form was read.
func (o Operations) formError(body *formReader, err error) error {
	var tooLarge *http.MaxBytesError
	var known *octavo.Error
	switch {
	case errors.As(err, &tooLarge):
		return &http.MaxBytesError{Limit: o.MaxUpload}
	case errors.As(err, &known):
		return err
	case errors.Is(err, errPartHeader):
		return octavo.Errorf(octavo.InvalidRequest, "The header of a part may have at most %d bytes.", maxPartHeader)
	case body.err != nil && !errors.Is(body.err, io.EOF):
		return &octavo.Error{Type: octavo.InvalidRequest, Detail: "The body ended before it was complete.", Err: body.err}
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &octavo.Error{Type: octavo.InvalidRequest, Detail: "The form ends before its last boundary.", Err: err}
	case body.header:
		return &octavo.Error{Type: octavo.InvalidRequest, Detail: "The form is not well formed (RFC 7578): a part's header cannot be read.", Err: err}
	}
	return err
}

var errPartHeader = errors.New("the header of a part is too long")

// formReader reads the body of a form and bounds what stands before the
// content of each part, which package mime/multipart would take in whole.
type formReader struct {
	r      io.Reader
	left   int64
	header bool  // whether a part's header is being read
	err    error // of r
}

// Read implements io.Reader.
func (f *formReader) Read(p []byte) (int, error) {
	if f.left <= 0 {
		return 0, errPartHeader
	}
	n, err := f.r.Read(p[:min(int64(len(p)), f.left)])
	f.left -= int64(n)
	if err != nil {
		f.err = err
	}
	return n, err
}

// next goes on to the next part, whose predecessor was read to its end.
func (f *formReader) next(parts *multipart.Reader) (*multipart.Part, error) {
	f.left, f.header = maxPartHeader, true
	part, err := parts.NextRawPart()
	if err != nil {
		return nil, err
	}
	f.left, f.header = math.MaxInt64, false
	return part, nil
}
