package assetapi

import (
	"crypto/sha256"
	"errors"
	"io"
	"mime"
	"mime/multipart"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/assets"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
)

// form is a parsed upload.
type form struct {
	upload      *assets.Upload
	description assets.Description
	claimed     string
	rest        []byte                                   // the other known parts, for the hash
	take        func(size int) (leave func(), err error) // takes the memory for processing a part
	seen        map[string]bool
	faults      octavo.Faults
}

// hash identifies the content of a form, whatever its boundary.
func (f *form) hash() []byte {
	sum := f.upload.Hash()
	h := sha256.New()
	h.Write(sum[:])
	h.Write([]byte(f.upload.Name() + "\x00" + f.claimed + "\x00"))
	h.Write(f.rest)
	return h.Sum(nil)
}

// readForm reads a form while it arrives, and stores the bytes of its file. An invalid
// form ends the reading; errors inside the form are reported together (decision 20).
// Without an error there is an upload.
func (o Operations) readForm(r *rest.Request) (_ *form, err error) {
	f := &form{take: r.TakePart, seen: map[string]bool{}}
	f.description.Pending = !r.Principal.Scopes.Allow(octavo.ScopeWrite)
	defer func() {
		if err != nil && f.upload != nil {
			o.Service.Discard(r.Context(), f.upload)
		}
	}()
	strict := r.Strict()
	err = rest.ReadForm(r, o.MaxUpload, func(part *multipart.Part, content io.Reader) error { return o.readFile(r, f, part, content) }, func(part *multipart.Part, content *io.LimitedReader) error {
		err := f.readPart(part, content, strict)
		if err == nil && content.N <= 0 && part.FormName() == "file" {
			err = f.faults.Err() // a duplicate is more specific than its length
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	if !f.seen["file"] {
		f.faults.Add("/file", "is required: send a part with this name, as in curl -F file=@logo.png")
	}
	if f.description.Pending && f.seen["source"] {
		f.faults.Add("/source", "needs the scope pages:write: a pending file has no path")
	}
	return f, f.faults.Err()
}

// readFile receives the file of the form. A file that is too large is detected when it
// exceeds its limit.
func (o Operations) readFile(r *rest.Request, f *form, part *multipart.Part, content io.Reader) error {
	f.seen["file"] = true
	f.claimed = part.Header.Get("Content-Type")
	if f.description.Pending {
		var err error
		if content, err = o.Service.Within(r.Context(), content, r.Principal.ID); err != nil {
			return err
		}
	}
	up, err := o.Service.Receive(r.Context(), content, rest.FileName(part), f.claimed)
	if octavo.IsType(err, octavo.InvalidRequest) {
		f.faults.Merge(err)
		return nil
	}
	f.upload = up
	return err
}

// readPart reads a part other than the file. Unknown ones are skipped (decision 46).
func (f *form) readPart(part *multipart.Part, content io.Reader, strict bool) error {
	name := part.FormName()
	most := map[string]int64{"metadata": octavo.MaxAssetMetadata, "source": octavo.MaxAssetSource}[name]
	text, err := io.ReadAll(io.LimitReader(content, most+1)) // a long part is refused, and an unknown one skipped
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
				f.faults.Add("/"+known, "must be one part of the form with the whole value; %.60q is a notation that is not supported", name)
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
		return nil //nolint:nilerr // it is reported with the others
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
