package octavo

import (
	"encoding/json"
	"strings"
	"time"
)

// FrontUpdated returns the date of the last change in front matter, from the members of
// generators or its date; the zero time if there is none.
func FrontUpdated(frontmatter json.RawMessage) time.Time {
	for _, name := range []string{"last_update", "lastmod", "lastUpdated", "last_updated", "last_modified_at", "updated", "updatedDate", "modified", "date"} {
		v := frontMember(frontmatter, name)
		if date, ok := v.Get("date"); ok { // last_update: {date: …} of Docusaurus
			v = date
		} else if date, ok := v.Get("updated"); ok { // date: {updated: …} of Material for MkDocs
			v = date
		}
		text := strings.TrimSpace(v.Str)
		if t, err := time.Parse(time.RFC3339, text); v.Kind == KindString && err == nil {
			return t
		}
		if t, err := time.Parse(time.DateOnly, text[:min(len(text), len(time.DateOnly))]); v.Kind == KindString && err == nil {
			return t
		}
	}
	return time.Time{}
}
