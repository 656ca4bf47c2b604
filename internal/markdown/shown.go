package markdown

import (
	"html"
	"strings"

	"github.com/octavo-docs/octavo/internal/markdown/inline"
)

// maxShown is the longest address of what a page shows, in bytes. Longer ones
// hold the picture itself.
const maxShown = 4 << 10

// show notes what a tag shows by literal attributes.
func (c *collector) show(t *inline.Tag[[]byte]) {
	for _, name := range []string{"src", "poster", "data"} {
		if value, found := attribute(t, name); found && (name != "data" || t.Name == "object") {
			c.shown = append(c.shown, html.UnescapeString(string(value)))
		}
	}
	value, found := attribute(t, "srcset")
	if !found && t.JSX {
		value, found = attribute(t, "srcSet")
	}
	if !found {
		return
	}
	for _, candidate := range strings.Split(html.UnescapeString(string(value)), ",") {
		if words := strings.Fields(candidate); len(words) > 0 {
			c.shown = append(c.shown, words[0])
		}
	}
}

// uniqueAddresses makes URI references of addresses, leaves out those that
// cannot be any, and keeps the first of equal ones.
func uniqueAddresses(addresses []string) []string {
	kept := addresses[:0]
	seen := make(map[string]bool, len(addresses))
	for _, address := range addresses {
		if len(address) > maxShown {
			continue
		}
		href, ok := uriReference(address)
		if ok && !seen[href] {
			seen[href] = true
			kept = append(kept, href)
		}
	}
	return kept
}
