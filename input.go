package octavo

import (
	"strconv"
	"strings"
	"time"
)

// fields reads the members of one object and collects all errors. An absent member and
// an invalid one both read as absent, so a decoder needs no error handling.
type fields struct {
	object Value
	path   string // the JSON Pointer of the object
	faults *Faults
	known  []string
}

// readObject starts reading v; if it is not an object, that is an error.
func readObject(v Value, path string, faults *Faults) *fields {
	if v.Kind != KindObject {
		faults.Add(path, "must be an object, not %s", article(v.Kind))
	}
	return &fields{object: v, path: path, faults: faults}
}

// article is the name of a kind in a sentence.
func article(k Kind) string {
	switch k {
	case KindNull:
		return "null"
	case KindArray, KindObject:
		return "an " + k.String()
	}
	return "a " + k.String()
}

// Pointer appends a member name to a JSON Pointer, escaped (RFC 6901 section 3).
func Pointer(base, name string) string {
	return base + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}

// PointerIndex appends an array index to a JSON Pointer.
func PointerIndex(base string, i int) string { return base + "/" + strconv.Itoa(i) }

// get returns a member of the expected kind.
func (f *fields) get(name string, want Kind) (Value, bool) {
	f.known = append(f.known, name)
	v, ok := f.object.Get(name)
	if !ok {
		return Value{}, false
	}
	if v.Kind != want {
		f.faults.Add(Pointer(f.path, name), "must be %s, not %s", article(want), article(v.Kind))
		return Value{}, false
	}
	return v, true
}

// nullable is get for members that may be null; null counts as present.
func (f *fields) nullable(name string, want Kind) (v Value, present bool) {
	if v, ok := f.object.Get(name); ok && v.Kind == KindNull {
		f.known = append(f.known, name)
		return v, true
	}
	return f.get(name, want)
}

// str returns a string member, or nil.
func (f *fields) str(name string) *string {
	if v, ok := f.get(name, KindString); ok {
		return &v.Str
	}
	return nil
}

// orZero returns the value of v, or the zero value for nil.
func orZero[T any](v *T) (zero T) {
	if v == nil {
		return zero
	}
	return *v
}

// has reports whether the member is present, valid or not.
func (f *fields) has(name string) bool {
	_, ok := f.object.Get(name)
	return ok
}

// require adds an error for each missing name.
func (f *fields) require(names ...string) {
	if f.object.Kind != KindObject {
		return
	}
	for _, name := range names {
		if !f.has(name) {
			f.faults.Add(Pointer(f.path, name), "is required")
		}
	}
}

// unwanted adds an error with a reason if the member is present.
func (f *fields) unwanted(name, why string) {
	f.known = append(f.known, name)
	if f.has(name) {
		f.faults.Add(Pointer(f.path, name), "must be omitted: %s", why)
	}
}

// unknown returns the members that were not read, in order.
func (f *fields) unknown() []string {
	var names []string
next:
	for _, m := range f.object.Members {
		for _, k := range f.known {
			if k == m.Name {
				continue next
			}
		}
		names = append(names, m.Name)
	}
	return names
}

// flag returns a boolean member, false if absent.
func (f *fields) flag(name string) bool {
	v, _ := f.get(name, KindBool)
	return v.Bool
}

// httpURL returns a member that is an address for Octavo to call, "" if absent.
func (f *fields) httpURL(name string) string {
	s := f.str(name)
	if s == nil {
		return ""
	}
	if msg := CheckHTTPURL(*s); msg != "" {
		f.faults.Add(Pointer(f.path, name), "%s", msg)
	}
	return *s
}

// closed adds an error for every unknown member if strict. It distinguishes a wrong
// case from a wrong name, since that mistake is hard to see.
func (f *fields) closed(strict bool) {
	if !strict {
		return
	}
	for _, name := range f.unknown() {
		hint := ""
		for _, k := range f.known {
			if strings.EqualFold(k, name) {
				hint = "; did you mean " + strconv.Quote(k) + "? Names are matched by exact case"
			}
		}
		f.faults.Add(Pointer(f.path, name), "is not a known member%s", hint)
	}
}

// ParseTime reads an RFC 3339 date-time, the form of the contract's Timestamp. A leap
// second is read as the moment when it ends, as computer clocks do. The year in UTC
// must have four digits, so that the response has that form too.
func ParseTime(text string) (time.Time, error) {
	wrong := func(why string) (time.Time, error) {
		return time.Time{}, &time.ParseError{Layout: time.RFC3339, Value: text, Message: ": " + why}
	}
	plain := strings.ToUpper(text)
	// time.Parse also accepts an hour of one digit, a comma before the fraction and
	// offsets of 24 hours and of 60 minutes.
	const seconds = len("2006-01-02T15:04:")
	if len(plain) < seconds+2 || plain[seconds-1] != ':' || strings.Contains(plain, ",") {
		return wrong("not of the form 2006-01-02T15:04:05Z")
	}
	if zone := len(plain) - len("+00:00"); !strings.HasSuffix(plain, "Z") && (plain[zone+1:] > "23:59" || plain[zone+4:] > "59") {
		return wrong("no such offset")
	}
	leap := plain[seconds:seconds+2] == "60"
	if leap {
		plain = plain[:seconds] + "59" + plain[seconds+2:]
	}
	t, err := time.Parse(time.RFC3339Nano, plain)
	if err != nil {
		return time.Time{}, err
	}
	t = t.UTC()
	if leap {
		t = t.Add(time.Second)
		if t.Day() != 1 || t.Hour() != 0 || t.Minute() != 0 || t.Second() != 0 {
			return wrong("a leap second is the last of a month")
		}
	}
	if t.Year() < 0 || t.Year() > 9999 {
		return wrong("in UTC not within the years 0000 to 9999")
	}
	return t, nil
}

// time returns a nullable time member: present with nil means null.
func (f *fields) time(name string) (t *time.Time, present bool) {
	v, ok := f.nullable(name, KindString)
	if !ok || v.Kind == KindNull {
		return nil, ok
	}
	parsed, err := ParseTime(v.Str)
	if err != nil || parsed.Year() < 1 || parsed.Year() > 9999 {
		f.faults.Add(Pointer(f.path, name), "must be an RFC 3339 date-time such as 2026-01-31T12:00:00Z")
		return nil, false
	}
	return &parsed, true
}
