package importapi

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"io"
	"mime"
	"mime/multipart"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

// maxOptions is how many bytes the options may have.
const maxOptions = 16 << 10

// form is an uploaded import.
type form struct {
	upload  *assets.Upload
	options octavo.ImportOptions
	text    []byte // of the options, for the hash
	seen    map[string]bool
	faults  octavo.Faults
}

// hash identifies the content of a form, whatever its boundary.
func (f *form) hash() []byte {
	sum := f.upload.Hash()
	h := sha256.New()
	h.Write(sum[:])
	h.Write([]byte(f.upload.Name() + "\x00"))
	h.Write(f.text)
	return h.Sum(nil)
}

// readForm reads a form while it arrives, and stores the bytes of its file in the blob
// store. Errors are reported together. Without an error there is an upload.
func (o Operations) readForm(r *rest.Request) (_ *form, err error) {
	f := &form{options: octavo.DefaultImportOptions(), seen: map[string]bool{}}
	defer func() {
		if err != nil && f.upload != nil {
			o.Service.Assets.Discard(r.Context(), f.upload)
		}
	}()
	err = rest.ReadForm(r, o.Service.MaxFile, func(part *multipart.Part, content io.Reader) (err error) {
		f.seen["file"] = true
		f.upload, err = o.Service.Assets.Receive(r.Context(), content, cmp.Or(rest.FileName(part), "import.zip"), part.Header.Get("Content-Type"))
		return err
	}, func(part *multipart.Part, content *io.LimitedReader) error {
		return f.readPart(part, content, r.Strict())
	})
	if err != nil {
		return nil, err
	}
	if !f.seen["file"] {
		f.faults.Add("/file", "is required: send a zip as a part with this name, as in curl -F file=@docs.zip")
	}
	f.faults.Merge(o.Service.Check(r.Context(), f.options))
	return f, f.faults.Err()
}

// readPart reads a part other than the file. Unknown ones are skipped (decision 46).
func (f *form) readPart(part *multipart.Part, content io.Reader, strict bool) error {
	text, err := io.ReadAll(io.LimitReader(content, maxOptions+1))
	if err == nil {
		_, err = io.Copy(io.Discard, content)
	}
	if err != nil {
		return err
	}
	switch name := part.FormName(); {
	case name != "options" && name != "file":
		if rest.IsPart(name, "options") || rest.IsPart(name, "file") {
			f.faults.Add("/options", "must be one part of the form with the whole value; %.60q is a notation that is not supported", name)
		} else if strict {
			f.faults.Add(octavo.Pointer("", name), "is not a known part of the form")
		}
		return nil
	case f.seen[name]:
		f.faults.Add("/"+name, "must be given once")
		return nil
	}
	f.seen["options"], f.text = true, text
	return f.readOptions(part.Header.Get("Content-Type"), strict)
}

// readOptions reads the options, which are JSON.
func (f *form) readOptions(claimed string, strict bool) error {
	if t, _, err := mime.ParseMediaType(claimed); claimed != "" && (err != nil || t != rest.MediaJSON) {
		f.faults.Add("/options", "must have the Content-Type application/json")
		return nil //nolint:nilerr // it is reported with the others
	}
	if len(f.text) > maxOptions {
		f.faults.Add("/options", "must have at most %d bytes", maxOptions)
		return nil
	}
	v, err := rest.DecodeJSON(f.text)
	if err == nil {
		f.options, err = octavo.DecodeImportOptions(v, strict)
		f.faults.Merge(err)
		return nil
	}
	known, ok := errors.AsType[*octavo.Error](err)
	if !ok {
		return err
	}
	for _, field := range known.Fields {
		f.faults.Add("/options"+field.Path, "%s", field.Message)
	}
	return nil
}
