package markup

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
	render "github.com/octavo-docs/octavo/internal/document/html"
)

// read returns the words and the marked elements of HTML.
func read(t *testing.T, source string) (words, elements string) {
	t.Helper()
	root, err := Parse([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for n := range root.Descendants() {
		name := map[string]string{"b": "strong", "i": "em", "s": "del"}[n.Data]
		if name == "" {
			name = n.Data
		}
		if n.Type == html.ElementNode && slices.Contains([]string{"strong", "em", "del", "code", "a", "sub", "li", "h2", "br", "blockquote", "td"}, name) && (name == "br" || Text(n) != "") {
			names = append(names, name)
		}
	}
	return strings.Join(strings.Fields(RawText(root)), ""), strings.Join(names, " ")
}

// TestRead converts HTML, renders the Markdown as pages are, and holds words and
// elements of both against each other.
func TestRead(t *testing.T) {
	t.Parallel()
	r := render.New(highlight.New(0))
	for _, source := range []string{
		"<p>a <b> b </b>c<i>d</i><b>e</b> <i><b>f</b> g</i><i><b>h</b></i></p>",
		"<p>一<strong>二。</strong>三<em>「四」</em>五</p>",
		"<p>* _a_ __b__ a_b_c `c` [d](e) ![f](g) &lt;h&gt; &amp;amp; &amp;lt; \\ \\* ~~i~~ {#j} {{k}} $l$ $$m$$ ==n== ^o^</p>",
		"<p># a</p><p>1. b</p><p>1) c</p><p>- d</p><p>+ e</p><p>&gt; f</p><p>::: note</p><p>=== g</p><p>--- h</p><p>| i | j |</p><p>~~~</p><p>[k]: l</p><p>[^m]: n</p>",
		"<p>a<br>- b<br># c<br>---<br>1. d<br>=</p>",
		"<h2>a #</h2><h2>b {#c}</h2><h2><a href='x'>d</a> <code>`e``</code></h2>",
		"<p><a href='x'>[a]</a><a href='y'>b]</a> !<a href='z'>c</a>{d} <a href='w'>e</a>(f)</p>",
		"<ul><li>a<ul><li>b</li></ul></li><li># c</li><li>- d</li><li>1. e</li></ul><ul><li>f</li></ul><ol><li><p>g</p><p>h</p></li><li>i</li></ol>",
		"<ol start=9><li>a<ul><li>b<p>c</p></li></ul></li><li>d<ol><li>e</li></ol>f</li></ol>",
		"<blockquote><p>a</p><ul><li>b<blockquote>c</blockquote></li></ul></blockquote><p>d</p>",
		"<table><tr><td>a|b</td><td><code>c|d</code></td></tr><tr><td><b>e</b></td><td><s>f</s></td></tr></table>",
		"<table><tr><td colspan=2>a</td></tr><tr><td><ul><li>b</li></ul></td><td># c<table><tr><td rowspan=2>d</td></tr><tr><td>e</td></tr></table></td></tr></table>",
		"<p>H<sub>2</sub>O <sub><b>x</b></sub></p>",
		"<p>Status: draft</p><p>a: b</p>",
		"<p>a</p>text<div>b<p>c</p>d</div><span>e<div>f</div></span>",
		"<p>https://example.com/a_b_c?d=*e*f, and f@example.com</p>",
	} {
		root, err := Parse([]byte(source))
		if err != nil {
			t.Fatal(err)
		}
		text := Convert(root, Options{})
		shown := string(r.Fragment(t.Context(), document.Parse(text, document.Options{}), render.Options{}).HTML)
		words, elements := read(t, source)
		haveWords, haveElements := read(t, shown)
		if !strings.Contains(source, "https:") && haveElements != elements || haveWords != words {
			t.Errorf("%s\nhave %q %s\nwant %q %s\nMarkdown %s", source, haveWords, haveElements, words, elements, text)
		}
	}
}
