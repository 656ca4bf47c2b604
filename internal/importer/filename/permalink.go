package filename

import (
	"cmp"
	"path"
	"regexp"
	"time"
)

var permalinkToken = regexp.MustCompile(`:[a-z]+`)

// Permalink returns the address that a pattern of Hugo, such as /:year/:slug/, gives the
// page whose folders below the content and whose name are parts. Title and slug are parts
// of an address. It is "" where a token is not known or has no value.
func Permalink(pattern string, parts []string, title, slug string, date time.Time) string {
	if parts[len(parts)-1] == "index" { // its folder is the page
		parts = parts[:len(parts)-1]
	}
	sections, name := parts[:len(parts)-1], parts[len(parts)-1]
	values := map[string]string{
		":section": parts[0], ":sections": path.Join(sections...), ":title": title, ":slug": cmp.Or(slug, title),
		":filename": name, ":contentbasename": name, ":slugorfilename": cmp.Or(slug, name), ":slugorcontentbasename": cmp.Or(slug, name),
	}
	for token, layout := range map[string]string{":year": "2006", ":month": "01", ":day": "02", ":yearday": "002"} {
		if !date.IsZero() {
			values[token] = date.Format(layout)
		}
	}
	complete := true
	address := permalinkToken.ReplaceAllStringFunc(pattern, func(token string) string {
		complete = complete && values[token] != ""
		return values[token]
	})
	if !complete || pattern == "" {
		return ""
	}
	return path.Clean("/" + address)
}
