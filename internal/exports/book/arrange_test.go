package book

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// TestArrange: each page stands behind its parent, and hangs from it once.
func TestArrange(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ pages, want string }{
		{"", ""},
		{"a b", "a b"},
		{"b<a c<a a d<b", "a(b(d) c)"},
		{"d<b a e b<a", "a(b(d)) e"},
		{"b<gone c<b", "b(c)"},
		{"a b<c c<b", "a b c"}, // a circle
	} {
		var pages []*Page
		for _, text := range strings.Fields(c.pages) {
			id, parent, _ := strings.Cut(text, "<")
			pages = append(pages, &Page{Stub: pagestore.Stub{ID: octavo.ID(id), ParentID: octavo.ID(parent)}})
		}
		if have := outline(tie(arrange(pages))); have != c.want {
			t.Errorf("%s: have %s, want %s", c.pages, have, c.want)
		}
	}
}

func outline(pages []*Page) string {
	var list []string
	for _, p := range pages {
		text := string(p.ID)
		if len(p.Children) > 0 {
			text += fmt.Sprintf("(%s)", outline(p.Children))
		}
		list = append(list, text)
	}
	return strings.Join(list, " ")
}
