package look

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
		write          func(Out, string)
	}{
		{"text", `<p>{{.}}</p>`, func(o Out, s string) { o.Raw("<p>"); o.Text(s); o.Raw("</p>") }},
		{"title", `<title>{{.}}</title>`, func(o Out, s string) { o.Raw("<title>"); o.Text(s); o.Raw("</title>") }},
		{"attribute", `<p title="{{.}}"></p>`, func(o Out, s string) { o.Raw("<p"); o.Attribute("title", s); o.Raw("></p>") }},
		{"fragment", `<a href="#{{.}}"></a>`, func(o Out, s string) { o.Raw(`<a href="#`); o.fragment(s); o.Raw(`"></a>`) }},
	} {
		oracle := template.Must(template.New("").Parse(c.template))
		for _, text := range hostile() {
			var want bytes.Buffer
			if err := oracle.Execute(&want, text); err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			c.write(Out{&out}, text)
			if have := out.String(); have != want.String() {
				t.Errorf("%s %q: have %q, want %q", c.name, text, have, &want)
			}
		}
	}
}

// TestTitleDirection: a title that runs otherwise than the page around it
// is set apart, and one that runs as that does stays, whatever its first letter.
func TestTitleDirection(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ language, name, want string }{
		{"en", "What is it?", "What is it?"},
		{"en", "عنوان 0.x", `<bdi dir="rtl">عنوان 0.x</bdi>`},
		{"en", "A guide to Docker & عنوان", `A guide to Docker &amp; عنوان`},
		{"fa", "Docker & عنوان", `Docker &amp; عنوان`},
		{"fa", "What is it?", `<bdi dir="ltr">What is it?</bdi>`},
		{"fa", "2.0", "2.0"},
	} {
		s := Site{Language: c.language}
		if have := s.title(NewNode("a", c.name)); have != c.want {
			t.Errorf("%q in %s: have %s, want %s", c.name, c.language, have, c.want)
		}
	}
}

// TestTextStandsWhereItBelongs checks that a page has the same elements and
// attributes whatever its texts are, and each text in the same places.
func TestTextStandsWhereItBelongs(t *testing.T) {
	t.Parallel()
	page := func(text string) string {
		var contents, out bytes.Buffer
		Out{&contents}.Entries([]document.Entry{{Heading: &document.Heading{Anchor: text, Text: text}, Entries: []document.Entry{{Heading: &document.Heading{Anchor: text, Text: text}}}}})
		english := words.In("en")
		site := &Site{Title: text + " site", Language: text, Words: &english, Home: "index.html", More: func(*Node) string { return "index.html" }}
		var nodes []*Node
		for i := range 4 {
			nodes = append(nodes, NewNode(fmt.Sprint("page", i), text))
		}
		site.Top = nodes[:1]
		for i, parent := range []int{-1, 0, 1, 1} {
			if parent >= 0 {
				nodes[i].Parent = nodes[parent]
				nodes[parent].Children = append(nodes[parent].Children, nodes[i])
			}
		}
		p := Page{Node: nodes[2], Title: text, Description: text, Policy: text, Contents: contents.String(), Previous: nodes[1], Next: nodes[3]}
		Out{&out}.Before(site, p)
		Out{&out}.Own(site, Article{Name: text, Language: text + "-x", Contents: contents.String(), Updated: text, Body: []byte("<p>body</p>")})
		Out{&out}.After(site, p)
		return out.String()
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
