package site

import (
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document"
)

// TestDirections shows that a page is written in the direction of its language,
// whatever that of the book is.
func TestDirections(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ book, page, want string }{
		{"", "", "<article>"},
		{"", "ar", `<article lang="ar" dir="rtl">`},
		{"", "de", `<article lang="de">`},
		{"", "az-Arab", `<article lang="az-Arab" dir="rtl">`},
		{"ar", "en", `<article lang="en" dir="ltr">`},
		{"ar", "he", `<article lang="he">`},
		{"ar", "ar-Latn", `<article lang="ar-Latn" dir="ltr">`},
		{"ar", "", "<article>"},
	} {
		b := small([2]string{"one", "text"})
		b.Language = c.book
		b.Pages = func(yield func(Page, error) bool) {
			yield(saying(Page{Key: "one", Language: c.page}, "text", document.Options{}), nil)
		}
		files, _ := write(t, b, plain())
		if !strings.Contains(files["one.html"], c.want) {
			t.Errorf("%q in %q: want %s in\n%s", c.page, c.book, c.want, files["one.html"])
		}
	}
}
