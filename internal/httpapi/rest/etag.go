package rest

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// EntityTag is the strong validator of one representation of a page or an asset: its
// identifier and version, its view, its media type and its content coding (decision
// 12). In the header they are joined by dots.
type EntityTag struct {
	ID      string // the suffix of the page's or asset's id
	Version int64
	View    string // "", the visibility of a page's parent: p, n, or the expiry of an asset's address
	Media   string // "" for JSON
	coding  string
}

// String returns the tag with its quotes.
func (t EntityTag) String() string {
	s := `"` + t.ID + "." + strconv.FormatInt(t.Version, 10)
	for _, part := range []string{t.View, t.Media, t.coding} {
		if part != "" {
			s += "." + part
		}
	}
	return s + `"`
}

// condition is a parsed If-Match or If-None-Match field.
type condition struct {
	any  bool
	tags []string // with quotes; weak ones with W/
}

// parseCondition reads such a field; given is false if there is none.
func parseCondition(h http.Header, name string) (c condition, given bool, err error) {
	values := h.Values(name)
	if len(values) == 0 {
		return c, false, nil
	}
	c, ok := parseTags(strings.Join(values, ","))
	if !ok {
		return c, true, octavo.Invalid(name, `must be * or entity tags in quotes, such as "abc.3"`)
	}
	return c, true, nil
}

func parseTags(field string) (condition, bool) {
	var c condition
	rest := strings.Trim(field, " \t")
	if rest == "*" {
		return condition{any: true}, true
	}
	for rest != "" {
		tag := rest
		body, weak := strings.CutPrefix(rest, "W/")
		if !strings.HasPrefix(body, `"`) {
			return c, false
		}
		end := strings.IndexByte(body[1:], '"')
		if end < 0 {
			return c, false
		}
		n := end + 2
		if weak {
			n += 2
		}
		c.tags = append(c.tags, tag[:n])
		rest = strings.TrimLeft(rest[n:], " \t")
		if rest == "" {
			break
		}
		if rest[0] != ',' {
			return c, false
		}
		rest = strings.TrimLeft(rest[1:], " \t,")
	}
	return c, len(c.tags) > 0
}

// matchesPage reports whether a tag names this version of the page or asset, in any
// representation; weak tags never do (RFC 9110 section 13.1.1).
func (c condition) matchesPage(id octavo.ID, version int64) bool {
	if c.any {
		return true
	}
	want := `"` + id.Suffix() + "." + strconv.FormatInt(version, 10)
	return slices.ContainsFunc(c.tags, func(tag string) bool {
		return tag == want+`"` || strings.HasPrefix(tag, want+".")
	})
}

// weakDetail is the error if If-Match has only weak tags, which never match.
const weakDetail = "The entity tag in If-Match is weak (W/), and weak tags allow no change (RFC 9110 section 13.1.1). " +
	"This server's tags are strong; a proxy that compresses responses makes them weak: turn its compression off."

// weakOnly reports whether If-Match has only weak tags.
func weakOnly(h http.Header) bool {
	c, given, err := parseCondition(h, "If-Match")
	return given && err == nil && !c.any && !slices.ContainsFunc(c.tags, func(tag string) bool { return !strings.HasPrefix(tag, "W/") })
}

// ParseIfMatch reads an If-Match value for the store.
func ParseIfMatch(field string) (sqldb.IfMatch, error) {
	c, ok := parseTags(field)
	if !ok {
		return nil, octavo.Invalid("If-Match", "must be * or entity tags in quotes")
	}
	return c.matchesPage, nil
}

// WriteCondition returns the condition of a change, or nil. If-Match has precedence
// over If-None-Match (RFC 9110 section 13.2.2).
func (r *Request) WriteCondition() (sqldb.IfMatch, error) {
	var faults octavo.Faults
	match, given, err := parseCondition(r.Header, "If-Match")
	faults.Merge(err)
	none, refused, err := parseCondition(r.Header, "If-None-Match")
	faults.Merge(err)
	if err := faults.Err(); err != nil || !given && !refused {
		return nil, err
	}
	return func(id octavo.ID, version int64) bool {
		return (!given || match.matchesPage(id, version)) && (!refused || !none.matchesPage(id, version))
	}, nil
}

// readCondition evaluates the conditional fields of a read whose representation has
// this tag. It returns the status to send instead, or 0. An invalid field is ignored.
func readCondition(r *Request, status int, tag EntityTag) int {
	if status != http.StatusOK || r.Method != http.MethodGet && r.Method != http.MethodHead {
		return 0
	}
	text := tag.String()
	if c, given, err := parseCondition(r.Header, "If-Match"); given && err == nil && !c.any && !slices.Contains(c.tags, text) {
		return http.StatusPreconditionFailed
	}
	c, given, err := parseCondition(r.Header, "If-None-Match")
	if !given || err != nil {
		return 0
	}
	if c.any || slices.Contains(c.tags, text) || slices.Contains(c.tags, "W/"+text) {
		return http.StatusNotModified
	}
	return 0
}
