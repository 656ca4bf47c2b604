package rewrite

import (
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/markdown"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
)

// TestBasePath shows links of a server whose public address has a path, and escapes.
func TestBasePath(t *testing.T) {
	t.Parallel()
	l := Links{Names: NewNames("https://docs.example/base/"), Moved: map[octavo.ID]Moved{}}
	a, x := Page{ID: "page_a", Slug: "a"}, Page{ID: "page_x", Slug: "x"}
	l.Change(a, Page{ID: "page_a", Slug: "new"})
	for _, c := range []struct{ text, want string }{
		{"[1](https://docs.example/base/a#p)", "[1](https://docs.example/base/new#p)"},
		{"[2](/base/a) [3](/a) [4](https://docs.example/a)", "[2](/base/new) [3](/new) [4](https://docs.example/a)"},
		{"<https://docs.example/base/a> [5](HTTPS://Docs.example/base/a)", "<https://docs.example/base/new> [5](HTTPS://Docs.example/base/new)"},
		{"[6](a?x=1&amp;y=2#p) [7](<a?q=(b> 'T')", "[6](new?x=1&amp;y=2#p) [7](<new?q=(b> 'T')"},
		{"[8](https://elsewhere.example/a) [9](b) [10](mailto:a@b.example)", "[8](https://elsewhere.example/a) [9](b) [10](mailto:a@b.example)"},
	} {
		piece := Read(c.text, markdown.Format{}).Whole()
		for {
			piece.Edits = l.Edits(piece, x, x)
			asked, _ := l.Ask(func(_ octavo.ID, candidates []pagestore.Target) (found []pagestore.LinkTarget, _ error) {
				for _, c := range candidates {
					if c.Slug == "a" || c.Path == "a" {
						found = append(found, pagestore.LinkTarget{Link: c.Link, ID: a.ID, Slug: a.Slug})
					}
				}
				return found, nil
			})
			if !asked {
				break
			}
		}
		if have := Join([]Piece{piece}, nil); have != c.want {
			t.Errorf("%s\nhave %s\nwant %s", c.text, have, c.want)
		}
	}
}
