package site

import (
	"bytes"
	"fmt"
	"html/template"
	"net/url"
	"strings"
	"testing"

	nethtml "golang.org/x/net/html"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/words"
)

// hostile are texts that are something else where they are not escaped.
func hostile() []string {
	all := []string{
		"", "plain", `"`, "'", "<", ">", "&amp;", "a+b", "é日🙂", "%41 %zz", "--></title></script><script>alert(1)</script>",
		`" onload="alert(1)`, "' onload='alert(1)", "javascript:alert(1)", "\xff\xfe", "\u2028{{.}}", "a\r\nb\tc", "\ufffe\ufdd0", "]]>",
	}
	for c := range 128 {
		all = append(all, string(rune(c)))
	}
	return all
}

// TestMarkupEscapes holds what is escaped here against html/template, which
// knows where a text stands.
func TestMarkupEscapes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, template string
		write          func(markup, string)
	}{
		{"text", `<p>{{.}}</p>`, func(m markup, s string) { m.raw("<p>"); m.text(s); m.raw("</p>") }},
		{"title", `<title>{{.}}</title>`, func(m markup, s string) { m.raw("<title>"); m.text(s); m.raw("</title>") }},
		{"attribute", `<p title="{{.}}"></p>`, func(m markup, s string) { m.raw("<p"); m.attribute("title", s); m.raw("></p>") }},
		{"fragment", `<a href="#{{.}}"></a>`, func(m markup, s string) { m.raw(`<a href="#`); m.fragment(s); m.raw(`"></a>`) }},
	} {
		oracle := template.Must(template.New("").Parse(c.template))
		for _, text := range hostile() {
			var want bytes.Buffer
			if err := oracle.Execute(&want, text); err != nil {
				t.Fatal(err)
			}
			b := &builder{}
			c.write(b.begin(), text)
			if have := b.filled.String(); have != want.String() {
				t.Errorf("%s %q: have %q, want %q", c.name, text, have, &want)
			}
		}
	}
}

// TestTextStandsWhereItBelongs holds that a page has the same elements and
// attributes whatever its texts are, and each text in the same places.
func TestTextStandsWhereItBelongs(t *testing.T) {
	t.Parallel()
	page := func(text string) string {
		b := &builder{book: Book{Title: text, Language: text}, words: words.In("en")}
		for i, level := range []int{0, 1, 2, 2} {
			b.book.Contents = append(b.book.Contents, Entry{Key: fmt.Sprint(i), Slug: fmt.Sprint("page", i), Title: text, Level: level})
		}
		if err := b.plan(); err != nil {
			t.Fatal(err)
		}
		it := b.items[2]
		it.description, it.updated = text, text
		b.begin().entries([]document.Entry{{Heading: &document.Heading{Anchor: text, Text: text}, Entries: []document.Entry{{Heading: &document.Heading{Anchor: text, Text: text}}}}})
		contents := b.filled.String()
		m, a := b.begin(), around{item: it, contents: contents, previous: b.items[1], next: b.items[3]}
		m.before(a)
		m.own(own{item: it, language: text + "-x", contents: contents, body: []byte("<p>body</p>")})
		m.after(a)
		return b.filled.String()
	}
	show := func(markup string) string {
		root, err := nethtml.Parse(strings.NewReader(markup))
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		for n := range root.Descendants() {
			data := n.Data
			for _, a := range n.Attr {
				if a.Key == "href" {
					if a.Val, err = url.PathUnescape(a.Val); err != nil {
						t.Error(err)
					}
				}
				data += fmt.Sprintf(" %s=%s", a.Key, a.Val)
			}
			fmt.Fprintf(&out, "%d %s\n", n.Type, data)
		}
		return out.String()
	}
	const place = "xyzzy"
	model := show(page(place))
	if n := strings.Count(model, place); n < 20 {
		t.Fatalf("the page has the text in %d places alone:\n%s", n, model)
	}
	for _, text := range hostile() {
		if strings.TrimSpace(text) == "" || strings.ContainsAny(text, "\x00\r") {
			continue // is left out, or is read as another character
		}
		want := strings.ReplaceAll(model, place, text)
		if have := show(page(text)); have != want {
			t.Errorf("%q\nhave %s\nwant %s", text, have, want)
		}
	}
}
