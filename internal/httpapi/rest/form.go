package rest

import (
	"bufio"
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
)

// Limits of a form beside that of its file.
const (
	maxParts      = 100
	maxPartHeader = 32 << 10 // bytes before a part's content
	maxFormRest   = 1 << 20  // bytes of all parts but the file
	formBuffer    = 64 << 10
)

// ReadForm reads the form of a request while it arrives, part by part. The first part
// named file is passed to file, and may have maxFile bytes. The others are passed to
// beside, and may have a mebibyte together. An invalid form ends the reading.
func ReadForm(r *Request, maxFile int64, file func(*multipart.Part, io.Reader) error, beside func(*multipart.Part, *io.LimitedReader) error) error {
	if !r.isForm() {
		return octavo.Errorf(octavo.UnsupportedMediaType, "Send %s with a part named file.", MediaForm)
	}
	if coding := r.Header.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return octavo.Errorf(octavo.UnsupportedMediaType, "Send the body without Content-Encoding.")
	}
	limit := maxFile + maxFormRest
	if r.ContentLength > limit {
		return &http.MaxBytesError{Limit: maxFile}
	}
	_, params, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if boundary := params["boundary"]; err != nil || boundary == "" || len(boundary) > 200 {
		return octavo.Invalid("Content-Type", "must name the boundary of the form")
	}
	leave, err := r.TakeUpload()
	if err != nil {
		return err
	}
	defer leave()
	slow, end := r.SlowBody(limit)
	defer end()
	body := &formReader{r: bufio.NewReaderSize(slow, formBuffer)}
	parts := multipart.NewReader(body, params["boundary"])
	seen, left := false, int64(maxFormRest)
	for n := 0; ; n++ {
		part, err := body.next(parts)
		if err == io.EOF { //nolint:errorlint // a wrapped one means a form without an end
			return nil
		}
		if err != nil {
			return formError(body, maxFile, err)
		}
		if n == maxParts {
			return octavo.Errorf(octavo.InvalidRequest, "A form may have at most %d parts.", maxParts)
		}
		if part.FormName() == "file" && !seen {
			seen, err = true, file(part, http.MaxBytesReader(nil, part, maxFile))
		} else {
			bounded := &io.LimitedReader{R: part, N: left + 1}
			err = beside(part, bounded)
			if left = bounded.N - 1; left < 0 && err == nil {
				err = octavo.Errorf(octavo.TooLarge, "All parts except the file may have at most %d bytes together.", maxFormRest)
			}
		}
		if err != nil {
			return formError(body, maxFile, err)
		}
	}
}

// FileName returns the client's name of the file, unchanged.
func FileName(part *multipart.Part) string {
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

// extendedName matches a name with its character set (RFC 8187), which has precedence
// over a plain one. Package mime reads those in UTF-8.
var extendedName = regexp.MustCompile(`(?i);\s*filename\*\s*=\s*([\w-]+)'[\w-]*'([^\s;"]+)`)

// decoded returns the text of bytes in a character set. Known are Latin-1 and what
// browsers use for it; of any other, only ASCII is kept.
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

// formError translates an error of reading a form.
func formError(body *formReader, maxFile int64, err error) error {
	var tooLarge *http.MaxBytesError
	var known *octavo.Error
	switch {
	case errors.As(err, &tooLarge):
		return &http.MaxBytesError{Limit: maxFile}
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

// formReader reads the body of a form and limits the header of each part, which package
// mime/multipart would read completely.
type formReader struct {
	r      io.Reader
	left   int64
	header bool  // whether a part's header is being read
	err    error // of r
}

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

// next returns the next part after the previous one was read to its end.
func (f *formReader) next(parts *multipart.Reader) (*multipart.Part, error) {
	f.left, f.header = maxPartHeader, true
	part, err := parts.NextRawPart()
	if err != nil {
		return nil, err
	}
	f.left, f.header = math.MaxInt64, false
	return part, nil
}
