package rewrite

import (
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
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

// TestWikiLinks: wiki links follow pages that are renamed, and headings that move.
func TestWikiLinks(t *testing.T) {
	t.Parallel()
	l := Links{Names: NewNames("https://docs.example"), Moved: map[octavo.ID]Moved{}}
	note, file, x := Page{ID: "page_a", Slug: "my-note"}, Page{ID: "page_f", Slug: "f-file", Source: "f/File.md"}, Page{ID: "page_x", Slug: "x"}
	l.Change(note, Page{ID: "page_a", Slug: "new"})
	l.Change(file, Page{ID: "page_f", Slug: "g", Source: "f/File.md"})
	part := Page{ID: "page_p", Slug: "part"}
	l.Make(part)
	l.Moved["page_f"] = Moved{Anchors: reference.NewAnchors([]reference.Anchor{{Name: "one"}, {Name: "two"}}), To: map[string]Spot{"two": {"page_p", "two"}}, Others: reference.NewAnchors(nil)}
	text := "[[My note]] [[my-note#H|text]] ![[My note]] [[File]] [[File#One]] [[File#Two|2]] [[None]] [[#H]]"
	piece := Read(text, markdown.Format{Dialect: octavo.DialectObsidian}).Whole()
	for asked := true; asked; {
		piece.Edits = l.Edits(piece, x, x)
		asked, _ = l.Ask(func(_ octavo.ID, candidates []pagestore.Target) (found []pagestore.LinkTarget, _ error) {
			for _, c := range candidates {
				for _, p := range []Page{note, file} {
					if c.Slug == p.Slug || p.Source != "" && c.Path == reference.NameKey(p.Source) {
						found = append(found, pagestore.LinkTarget{Link: c.Link, ID: p.ID, Slug: p.Slug})
					}
				}
			}
			return found, nil
		})
	}
	if have, want := Join([]Piece{piece}, nil), "[[new]] [[new#H|text]] ![[new]] [[File]] [[File#One]] [[part#Two|2]] [[None]] [[#H]]"; have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
}

// TestLabels: links by label stay as they are, and roles that name a page follow it.
func TestLabels(t *testing.T) {
	t.Parallel()
	l := Links{Names: NewNames("https://docs.example"), Moved: map[octavo.ID]Moved{}}
	was, x := Page{ID: "page_a", Slug: "old"}, Page{ID: "page_x", Slug: "x"}
	l.Change(was, Page{ID: "page_a", Slug: "new"})
	l.Moved["page_x"] = Moved{Anchors: reference.NewAnchors([]reference.Anchor{{Name: "here"}}), To: map[string]Spot{"here": {"page_x", "there"}}, Others: reference.NewAnchors(nil)}
	piece := Read("[](#fig) {ref}`fig` {ref}`t <fig>` {doc}`old` {doc}`the old <old>` [a](old) [b](#here)", markdown.Format{Dialect: octavo.DialectMyST}).Whole()
	for asked := true; asked; {
		piece.Edits = l.Edits(piece, x, x)
		asked, _ = l.Ask(func(_ octavo.ID, candidates []pagestore.Target) (found []pagestore.LinkTarget, _ error) {
			for _, c := range candidates {
				if c.Slug == was.Slug {
					found = append(found, pagestore.LinkTarget{Link: c.Link, ID: was.ID, Slug: was.Slug})
				}
			}
			return found, nil
		})
	}
	if have, want := Join([]Piece{piece}, nil), "[](#fig) {ref}`fig` {ref}`t <fig>` {doc}`new` {doc}`the old <new>` [a](new) [b](#there)"; have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
}
