package embed

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// pagesOf finds pages by their names, which are their identifiers; read counts the bytes.
func pagesOf(texts map[string]string, read *int) Pages {
	return Pages{
		Find: func(href string) (string, bool) {
			_, href = reference.Off(href)
			id, _, _ := strings.Cut(strings.TrimPrefix(href, "wiki:"), "#")
			_, found := texts[id]
			return id, found
		},
		Read: func(id string) (int, func() *document.Document) {
			*read += len(texts[id])
			return len(texts[id]), func() *document.Document { return document.Parse(texts[id], document.Options{Dialect: "obsidian"}) }
		},
	}
}

// outline is what quotations show, in brackets.
func outline(blocks []document.Block) string {
	var text strings.Builder
	for _, b := range blocks {
		if q, ok := b.(*document.Quote); ok && q.Embedded {
			text.WriteString("[" + outline(q.Blocks) + "]")
		} else if ok {
			text.WriteString("{" + outline(q.Blocks) + "}")
		} else if l, ok := b.(*document.List); ok {
			if l.Ordered {
				fmt.Fprint(&text, l.Start)
			}
			for _, item := range l.Items {
				text.WriteString("(" + outline(item.Blocks) + ")")
			}
		} else {
			text.WriteString(strings.ReplaceAll(document.Beginning([]document.Block{b}, 1000), "\n", "/"))
		}
	}
	return text.String()
}

func TestInto(t *testing.T) {
	t.Parallel()
	texts := map[string]string{
		"n":    "# N\n\na ^x\n\n## One\n\nb\n\n### Sub\n\nc\n\n## Two\n\n- d\n- e ^y\n\t- f ^z\n\n> q\n> r\n\n^quote\n\n| h |\n|--|\n| i |\n\n^table\n",
		"self": "s ![[self]]", "a": "A ![[b]]", "b": "B ![[a]]",
		"c1": "1 ![[c2]]", "c2": "2 ![[c3]]", "c3": "3 ![[c4]]", "c4": "4 ![[c5]]", "c5": "5 ![[c6]]", "c6": "6",
		"html": "<div id=\"k\">\n\nin\n\n</div>\n\n# Top\n\nt", "empty": "", "steps": "3. c\n4. d ^d\n",
	}
	for _, c := range []struct{ text, want string }{
		{"![[n#One]]", "n > One[OnebSubc]"},
		{"![[n#^x]]", "n[a]"},
		{"![[steps#^d]]", "steps[4(d)]"},
		{"![[n#^y]]", "n[(e(f))]"},
		{"![[n#^z]]", "n[(f)]"},
		{"![[n#^quote]]", "n[{q r}]"},
		{"![[n#^table]]", "n[h/i]"},
		{"![[n#Two#Sub]]", "n > Two > Sub[Subc]"},
		{"![[n#none]]", "n > none"},
		{"![[html#k]]", "html > k[in]"},
		{"![[html#top]]", "html > top[Topt]"},
		{"![[empty]] ![[other]]", "empty other"},
		{"- ![[c6]]\n- x", "(c6[6])(x)"},
		{"> ![[c6]]", "{c6[6]}"},
		{"one ![[c6]] and *![[c6]]*", "one c6 and c6[6][6]"},
		{"| ![[c6]] |\n|--|", "c6"},
		{"[[c6]] `![[c6]]`", "c6 ![[c6]]"},
		{"![[self]]", "self[s self]"},
		{"![[a]]", "a[A b[B a]]"},
		{"![[c1]]", "c1[1 c2[2 c3[3 c4[4 c5[5 c6]]]]]"},
		{"![[page]]", "page"},
	} {
		d, read := document.Parse(c.text, document.Options{Dialect: "obsidian"}), 0
		Into(d, "page", pagesOf(texts, &read))
		if have := outline(d.Blocks); have != c.want {
			t.Errorf("%q: have %s, want %s", c.text, have, c.want)
		}
	}
}

// TestBounds holds that no page reads more of others than the limits, whatever it embeds.
func TestBounds(t *testing.T) {
	t.Parallel()
	big := strings.Repeat("word ", 100_000)
	for name, c := range map[string]struct {
		text  string
		texts map[string]string
		most  int
	}{
		"large ones":     {strings.Repeat("![[big]]\n\n", 100), map[string]string{"big": big}, maxBytes + len(big)},
		"many ones":      {strings.Repeat("![[x]] ", 10_000), map[string]string{"x": "x"}, maxPages},
		"many in others": {"![[a]]", map[string]string{"a": strings.Repeat("![[b]] ", 50), "b": strings.Repeat("![[c]] ", 50), "c": strings.Repeat("![[d]] ", 50), "d": "x"}, maxPages * 350},
	} {
		d, read := document.Parse(c.text, document.Options{Dialect: "obsidian"}), 0
		Into(d, "page", pagesOf(c.texts, &read))
		if read == 0 || read > c.most || len(d.Notices) == 0 {
			t.Errorf("%s: %d bytes were read and there are %d notices, want at most %d bytes, and a notice", name, read, len(d.Notices), c.most)
		}
	}
}

// TestAdopted holds that nothing of an embedded page stands for the page around.
func TestAdopted(t *testing.T) {
	t.Parallel()
	d, read := document.Parse("![[n]]\n\n# Part\n\n[^a]\n\n[^a]: own", document.Options{Dialect: "obsidian"}), 0
	Into(d, "page", pagesOf(map[string]string{"n": "# Part\n\ntext <b id=\"part\">b</b> [^a] [^a]\n\n[^a]: theirs\n"}, &read))
	if have := fmt.Sprint(len(d.Contents(1, 6)), d.Anchors().Labels(), len(d.Footnotes), d.Footnotes[1].Number, d.Footnotes[1].References); have != "1 [] 2 2 2" {
		t.Errorf("have %s, want one heading, and the second footnote with two references", have)
	}
	for _, s := range markdown.Sections(d) {
		if strings.Contains(s.Text, "text") || strings.Contains(s.Text, "theirs") {
			t.Errorf("the text for search has that of the embedded page: %q", s.Text)
		}
	}
}

// TestLabelled holds that what has a label of MyST replaces a link without a text.
func TestLabelled(t *testing.T) {
	t.Parallel()
	myst := document.Options{Dialect: "myst"}
	text := "(a)=\n## A\n\nb\n\n## C\n\n```{list-table} D\n:name: e\n* - f\n```\n"
	for written, want := range map[string]string{"![](#a)": "[Ab]", "x ![](#a)": "x a[Ab]", "![y](#e)": "y[D/f]", "```{embed} #e\n```": "[D/f]", "![](#z)": "z"} {
		d := document.Parse(written, myst)
		Into(d, "page", Pages{
			Find: func(string) (string, bool) { return "other", true },
			Read: func(string) (int, func() *document.Document) {
				return len(text), func() *document.Document { return document.Parse(text, myst) }
			},
		})
		if have := outline(d.Blocks); have != want {
			t.Errorf("%q: have %s, want %s", written, have, want)
		}
	}
}
