package exports

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// remembered is how many bytes of code an export remembers the colours of.
const remembered = 4 << 20

// document parses what a page says.
func (t Text) document() *document.Document {
	content := string(t.Content)
	mdx := markdown.FormatOf(content, t.Path, t.Frontmatter) == markdown.MDX
	return document.Parse(content, document.Options{MDX: mdx, Frontmatter: t.Frontmatter})
}

// language returns the language that front matter says a page has, "" where it
// does not.
func (t Text) language() string {
	for _, name := range []string{"lang", "language"} {
		if tag := t.member(name); isLanguage(tag) {
			return tag
		}
	}
	return ""
}

// isLanguage reports whether text has the form of a language tag (RFC 5646,
// section 2.1): groups of letters and digits, of which the first are letters.
func isLanguage(text string) bool {
	for i, group := range strings.Split(text, "-") {
		if len(group) < 1 || len(group) > 8 || i == 0 && len(group) == 1 {
			return false
		}
		for _, c := range []byte(group) {
			letter := 'a' <= c|0x20 && c|0x20 <= 'z'
			if !letter && (i == 0 || c < '0' || c > '9') {
				return false
			}
		}
	}
	return true
}

// member returns a string of the front matter, or "".
func (t Text) member(name string) string {
	if !strings.Contains(string(t.Frontmatter), `"`+name+`"`) {
		return "" // most have none, and some are large
	}
	front, err := octavo.ValueOf(t.Frontmatter)
	if err != nil {
		return ""
	}
	v, _ := front.Get(name)
	if v.Kind != octavo.KindString {
		return ""
	}
	return v.Str
}

// made is when the newest of the pages was changed: the same for the same book.
func (b *Book) made() (newest time.Time) {
	if b.service.Undated {
		return newest
	}
	for _, p := range b.Pages {
		if at := time.UnixMilli(p.Updated).UTC(); at.After(newest) {
			newest = at
		}
	}
	return newest
}

// updated is when a page was changed; zero where that means nothing.
func (b *Book) updated(p *Page) time.Time {
	if b.service.Undated {
		return time.Time{}
	}
	return time.UnixMilli(p.Updated).UTC()
}

// Renderings know pages by their slugs, which in contrast to identifiers are
// the same wherever the pages are.

// notice passes the warnings of a rendering on.
func (b *Book) notice(slug string, n document.Notice) {
	if n.Kind.Warning() {
		b.Warn(octavo.ExportWarning{Page: b.bySlug[slug].ID, Line: n.Line, Message: fmt.Sprintf("%s: %s", n.Kind, n.Text)})
	}
}

// maxImage is the most bytes of an image that is read into memory.
const maxImage = 64 << 20

// errTooLarge says that an image has more than maxImage bytes.
var errTooLarge = errors.New("the image is too large")

// readAll reads a file of at most maxImage bytes.
func readAll(file io.Reader, size int64) ([]byte, error) {
	if size > maxImage {
		return nil, fmt.Errorf("%w: it has %d bytes, and only %d are read", errTooLarge, size, maxImage)
	}
	return io.ReadAll(file)
}
