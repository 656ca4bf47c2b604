package octavo

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// PageCreate is the body for creating or replacing a page.
type PageCreate struct {
	Title       string
	Slug        string
	Content     string
	Status      PageStatus      // "" if omitted
	Frontmatter json.RawMessage // nil if omitted
	Dialect     *Dialect        // nil for that of the parent or the site; an existing page keeps its own
	CallbackURL string          // only for creation; not stored on the page (decision 9)
}

// PagePatch is a change of some members of a page; nil keeps a member. Position,
// PublishAt and UnpublishAt are extensions (decision 10).
type PagePatch struct {
	Title    *string
	Content  *string
	Status   *PageStatus
	ParentID *ID // "" makes it a root page
	Position *OptInt
	Publish  *OptTime
	// Unpublish is when the page becomes a draft again.
	Unpublish *OptTime
	Dialect   *Dialect // "" for none
	Unknown   []string // ignored members (decision 48)
}

// OptInt is a number or, when nil, its removal.
type OptInt struct{ Value *int64 }

// OptTime is a time or, when nil, its removal.
type OptTime struct{ Value *time.Time }

// DecodePageCreate reads the body for creating a page. Unknown members are errors
// (decision 48).
func DecodePageCreate(v Value) (PageCreate, error) {
	var faults Faults
	p := decodePageCreate(v, "", true, &faults)
	return p, faults.Err()
}

// DecodePageUpsert reads the body for replacing a page. Unknown members are errors, and
// it has no callbackUrl (decision 9).
func DecodePageUpsert(v Value) (PageCreate, error) {
	var faults Faults
	p := decodePageCreate(v, "", false, &faults)
	return p, faults.Err()
}

func decodePageCreate(v Value, path string, callback bool, faults *Faults) PageCreate {
	f := readObject(v, path, faults)
	f.require("title", "slug", "content")
	p := PageCreate{Title: orZero(f.title())}
	if s := f.str("slug"); s != nil {
		p.Slug = *s
		if msg := CheckSlug(*s); msg != "" {
			faults.Add(Pointer(path, "slug"), "%s", msg)
		}
	}
	p.Content, p.Status = orZero(f.str("content")), orZero(f.status())
	if fm, ok := f.get("frontmatter", KindObject); ok {
		p.Frontmatter = fm.AppendJSON(nil)
	}
	p.Dialect = f.dialect()
	if callback {
		p.CallbackURL = f.httpURL("callbackUrl")
	}
	f.closed(true)
	return p
}

// DecodePagePatch reads a partial update. Unknown members are ignored and listed, but
// at least one known member is required (decision 48); if strict, unknown ones are
// errors.
func DecodePagePatch(v Value, strict bool) (PagePatch, error) {
	var faults Faults
	p := decodePagePatch(v, "", strict, &faults)
	return p, faults.Err()
}

func decodePagePatch(v Value, path string, strict bool, faults *Faults) PagePatch {
	f := readObject(v, path, faults)
	p := PagePatch{Title: f.title(), Content: f.str("content"), Status: f.status()}
	if id, ok := f.parent(); ok {
		p.ParentID = &id
	}
	if n, ok := f.position(); ok {
		p.Position = &OptInt{n}
	}
	if t, ok := f.time("publishAt"); ok {
		p.Publish = &OptTime{t}
	}
	if t, ok := f.time("unpublishAt"); ok {
		p.Unpublish = &OptTime{t}
	}
	p.Dialect = f.dialect()
	p.Unknown = f.unknown()
	f.closed(strict)
	if !strict && v.Kind == KindObject && len(p.Unknown) == len(v.Members) {
		faults.Add(path, "must name at least one of title, content, status, parentId, position, publishAt, unpublishAt, dialect")
	}
	if strict && v.Kind == KindObject && len(v.Members) == 0 {
		faults.Add(path, "must name at least one member to change")
	}
	return p
}

// PageMove is the destination of a page: below ParentID, if given, before or after a
// sibling there, or after all of them. It is an extension (decision 78).
type PageMove struct {
	ParentID      *ID // "" is the root; nil keeps the parent
	Before, After ID
}

// DecodePageMove reads a move. Unknown members are ignored, or errors if strict.
func DecodePageMove(v Value, strict bool) (PageMove, error) {
	var faults Faults
	f := readObject(v, "", &faults)
	m := PageMove{Before: f.pageID("before"), After: f.pageID("after")}
	if id, ok := f.parent(); ok {
		m.ParentID = &id
	}
	if m.Before != "" && m.After != "" {
		faults.Add("/after", "must not be given together with before")
	}
	f.closed(strict)
	return m, faults.Err()
}

// pageID reads the identifier of a page.
func (f *fields) pageID(name string) ID {
	s := f.str(name)
	if s != nil && !ValidIdentifier(*s) {
		f.faults.Add(Pointer(f.path, name), "must be the identifier of a page, such as page_01h455vb4pex5vsknk084sn02q")
	}
	return ID(orZero(s))
}

// title reads the title, which has 1 to MaxTitle code points and no NUL.
func (f *fields) title() *string {
	s := f.str("title")
	if s == nil {
		return nil
	}
	path := Pointer(f.path, "title")
	switch n := utf8.RuneCountInString(*s); {
	case n == 0:
		f.faults.Add(path, "must not be empty")
	case n > MaxTitle:
		f.faults.Add(path, "must have at most %d characters; it has %d", MaxTitle, n)
	case strings.ContainsRune(*s, 0):
		f.faults.Add(path, "must not contain the NUL character")
	}
	return s
}

func (f *fields) status() *PageStatus {
	s := f.str("status")
	if s == nil {
		return nil
	}
	status := PageStatus(*s)
	if !status.Valid() {
		f.faults.Add(Pointer(f.path, "status"), "must be one of draft, published, archived")
	}
	return &status
}

// parent reads parentId; present and "" means null.
func (f *fields) parent() (ID, bool) {
	v, ok := f.nullable("parentId", KindString)
	if !ok || v.Kind == KindNull {
		return "", ok
	}
	if !ValidIdentifier(v.Str) {
		f.faults.Add(Pointer(f.path, "parentId"), "must be the identifier of a page, such as page_01h455vb4pex5vsknk084sn02q, or null")
		return "", false
	}
	return ID(v.Str), true
}

// position reads a whole number of 32 bits; present and nil means null.
func (f *fields) position() (*int64, bool) {
	v, ok := f.nullable("position", KindNumber)
	if !ok || v.Kind == KindNull {
		return nil, ok
	}
	n, whole := v.Int()
	if !whole || n < -1<<31 || n > 1<<31-1 {
		f.faults.Add(Pointer(f.path, "position"), "must be a whole number between -2147483648 and 2147483647")
		return nil, false
	}
	return &n, true
}

// CheckSlug returns what is wrong with a slug, or "" when it matches the
// contract's pattern ^[a-z0-9]+(?:-[a-z0-9]+)*$ and has at most MaxSlug bytes.
func CheckSlug(s string) string {
	if s == "" {
		return "must not be empty"
	}
	if len(s) > MaxSlug {
		return "must have at most 512 characters"
	}
	dash := true // a dash may not come first
	for _, c := range []byte(s) {
		if c == '-' && !dash {
			dash = true
			continue
		}
		if !(c >= 'a' && c <= 'z' || c >= '0' && c <= '9') {
			dash = true
			break
		}
		dash = false
	}
	if dash {
		return "must be lower-case letters and digits in groups joined by single hyphens, such as getting-started"
	}
	return ""
}

// CheckHTTPURL returns what is wrong with an absolute http or https address for Octavo
// to call, or "".
func CheckHTTPURL(s string) string {
	const want = "must be an absolute http or https URL, such as https://example.com/hook"
	if len(s) > MaxCallbackURL {
		return "must have at most 2048 characters"
	}
	for _, c := range []byte(s) {
		if c <= ' ' || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			return want + ", with other characters percent-encoded"
		}
	}
	u, err := url.Parse(s)
	if err == nil && u.Port() != "" {
		_, err = strconv.ParseUint(u.Port(), 10, 16)
	}
	if err != nil || u.Hostname() == "" || u.Opaque != "" || (!strings.EqualFold(u.Scheme, "http") && !strings.EqualFold(u.Scheme, "https")) {
		return want
	}
	return ""
}

// FrontText returns a string member of front matter, or "".
func FrontText(frontmatter json.RawMessage, name string) string {
	if v := frontMember(frontmatter, name); v.Kind == KindString {
		return v.Str
	}
	return ""
}

// NoIndex reports whether front matter asks robots to omit the page.
func NoIndex(frontmatter json.RawMessage) bool {
	nested, _ := frontMember(frontmatter, "seo").Get("noindex")
	return nested.Bool || frontMember(frontmatter, "noindex").Bool || strings.Contains(strings.ToLower(frontMember(frontmatter, "robots").Str), "noindex")
}

// frontMember returns a member of front matter, null if absent. Front matter was
// checked when it was written; unreadable front matter has no members.
func frontMember(frontmatter json.RawMessage, name string) Value {
	for _, written := range []string{name, strings.ToUpper(name[:1]) + name[1:], strings.ToUpper(name)} {
		if !bytes.Contains(frontmatter, []byte(`"`+written+`"`)) {
			continue // skips most, some of which are large
		}
		front, err := ValueOf(frontmatter)
		if err != nil {
			return Value{}
		}
		if v, ok := front.Get(written); ok {
			return v
		}
	}
	return Value{}
}

// Tags returns the tags of a page: the items of the array tags in front matter, or of
// its single string, separated by commas (decision 25). Numbers and booleans are tags
// by their text, objects by their label or name.
func Tags(frontmatter json.RawMessage) []string {
	tags := frontMember(frontmatter, "tags")
	switch tags.Kind {
	case KindString:
		for text := range strings.SplitSeq(tags.Str, ",") {
			tags.Items = append(tags.Items, String(strings.TrimSpace(text)))
		}
	case KindNumber, KindBool:
		tags.Items = []Value{tags}
	}
	var list []string
	seen := map[string]bool{}
	for _, item := range tags.Items {
		if text := tagText(item); text != "" && !seen[text] {
			seen[text] = true
			list = append(list, text)
		}
	}
	return list
}

func tagText(v Value) string {
	switch v.Kind {
	case KindString, KindNumber:
		return v.Str
	case KindBool:
		return strconv.FormatBool(v.Bool)
	case KindObject:
		for _, name := range []string{"label", "name", "title"} {
			if text, ok := v.Get(name); ok && text.Kind == KindString {
				return text.Str
			}
		}
	}
	return ""
}
