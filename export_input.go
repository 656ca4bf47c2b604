package octavo

import (
	"net/mail"
	"strings"
	"time"
)

// Limits of an export request.
const (
	DefaultExportLife = 7 * 24 * time.Hour  // of the download (decision 30)
	MaxExportLife     = 30 * 24 * time.Hour // decision 54
	MaxExportItems    = 1000                // of a selection; a section costs a walk down the tree
	MaxExportChannels = 20
	MaxThemeTokens    = 500
	MaxExportText     = 500 // bytes of a title, a theme's name and an email address
)

// exportReader reads an export request. Members without effect are warnings, or errors
// if the request is strict (decisions 27 and 48).
type exportReader struct {
	faults Faults
	strict bool
	now    time.Time
	notes  WarningList
}

// DecodeExportRequest reads an export request that arrives at the time now. Only format
// and scope are required, at any depth (decision 27).
func DecodeExportRequest(v Value, now time.Time, strict bool) (ExportRequest, error) {
	x := &exportReader{strict: strict, now: now}
	f := readObject(v, "", &x.faults)
	f.require("format", "scope")
	r := ExportRequest{
		Format: oneOf(f, "format", ExportHTML, ExportPDF, ExportMarkdown),
		Scope:  oneOf(f, "scope", ExportSite, ExportPublished, ExportSelected),

		IncludeDrafts: f.flag("includeDrafts"),
		CallbackURL:   f.httpURL("callbackUrl"),
	}
	r.Selection = x.selection(f, r.Format)
	r.Rendering = x.rendering(f, r.Format)
	r.Delivery = x.delivery(f)
	if r.Scope == ExportSelected && !f.has("selection") {
		x.faults.Add("/selection", "is required with the scope selected")
	}
	for i, item := range r.Selection.Items {
		at := PointerIndex("/selection/items", i)
		switch {
		case item.Type != ItemAsset:
		case r.Format == ExportPDF:
			x.warn(at, "has no effect: a pdf has assets only where pages show them")
		case !r.Rendering.EmbedAssets:
			x.warn(at, "has no effect: assets are left out, as embed is false")
		}
	}
	if r.Scope == ExportPublished && r.IncludeDrafts {
		x.warn("/includeDrafts", "has no effect on the scope published")
	}
	x.closed(f)
	r.Warnings = x.notes.List()
	return r, x.faults.Err()
}

func (x *exportReader) warn(path, format string, args ...any) {
	x.notes.Add(ExportWarning{Path: shorten(path), Message: fieldError("", format, args...).Message})
}

// closed reports members that were not read.
func (x *exportReader) closed(f *fields) {
	if x.strict {
		f.closed(true)
		return
	}
	for _, name := range f.unknown() {
		x.warn(Pointer(f.path, name), "is not a known member and has no effect")
	}
}

// oneOf reads a string from a list of values; "" if absent or invalid.
func oneOf[T ~string](f *fields, name string, values ...T) T {
	s := f.str(name)
	if s == nil {
		return ""
	}
	names := make([]string, len(values))
	for i, v := range values {
		if T(*s) == v {
			return v
		}
		names[i] = string(v)
	}
	f.faults.Add(Pointer(f.path, name), "must be one of %s", strings.Join(names, ", "))
	return ""
}

// nested reads an object member; nil if absent or invalid.
func (f *fields) nested(name string) *fields {
	v, ok := f.get(name, KindObject)
	if !ok {
		return nil
	}
	return readObject(v, Pointer(f.path, name), f.faults)
}

// text reads a non-empty string of at most MaxExportText bytes without NUL.
func (f *fields) text(name string) string {
	s := f.str(name)
	if s == nil {
		return ""
	}
	path := Pointer(f.path, name)
	switch {
	case *s == "":
		f.faults.Add(path, "must not be empty")
	case len(*s) > MaxExportText:
		f.faults.Add(path, "must have at most %d bytes", MaxExportText)
	case strings.ContainsRune(*s, 0):
		f.faults.Add(path, "must not contain the NUL character")
	}
	return *s
}

func (x *exportReader) delivery(from *fields) ExportDelivery {
	var d ExportDelivery
	f := from.nested("delivery")
	if f == nil {
		return d
	}
	list, _ := f.get("channels", KindArray)
	if n := len(list.Items); n > MaxExportChannels {
		x.faults.Add("/delivery/channels", "must have at most %d channels; it has %d", MaxExportChannels, n)
		list.Items = nil
	}
	for i, item := range list.Items {
		d.Channels = append(d.Channels, x.channel(item, PointerIndex("/delivery/channels", i)))
	}
	d.ExpiresAt = x.expires(f)
	x.closed(f)
	return d
}

func (x *exportReader) channel(v Value, path string) (c ExportChannel) {
	f := readObject(v, path, &x.faults)
	f.require("kind")
	c.Kind = oneOf(f, "kind", ChannelEmail, ChannelWebhook)
	switch c.Kind {
	case ChannelEmail:
		f.require("email")
		c.Email = f.text("email")
		if c.Email != "" && !validEmail(c.Email) {
			x.faults.Add(Pointer(path, "email"), "must be an email address such as docs@example.com")
		}
	case ChannelWebhook:
		f.require("url")
		c.URL = f.httpURL("url")
	}
	if c.Kind != "" {
		x.closed(f)
	}
	return c
}

// validEmail reports whether s is a single bare address.
func validEmail(s string) bool {
	a, err := mail.ParseAddress(s)
	return err == nil && a.Address == s && a.Name == "" && !strings.ContainsAny(s, "\r\n \"<>")
}

// expires reads the end of the download (decision 54).
func (x *exportReader) expires(f *fields) *time.Time {
	t, _ := f.time("expiresAt")
	if t == nil {
		return nil
	}
	if !t.After(x.now) {
		x.faults.Add("/delivery/expiresAt", "must be in the future")
		return nil
	}
	if last := x.now.Add(MaxExportLife); t.After(last) {
		x.warn("/delivery/expiresAt", "is more than 30 days ahead; the download ends after 30 days")
		t = &last
	}
	return t
}

// WarningList collects warnings up to MaxExportWarnings. The zero value is ready to
// use.
type WarningList struct {
	list []ExportWarning
	more int
}

// Add adds a warning.
func (w *WarningList) Add(n ExportWarning) {
	if len(w.list) >= MaxExportWarnings-1 {
		w.more++
		return
	}
	w.list = append(w.list, n)
}

// List returns the warnings; the last one has the number of omitted ones.
func (w *WarningList) List() []ExportWarning {
	if w.more == 0 {
		return w.list
	}
	return append(w.list[:len(w.list):len(w.list)], ExportWarning{Message: fieldError("", "There are %d more warnings.", w.more).Message})
}
