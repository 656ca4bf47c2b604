package html

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	nethtml "golang.org/x/net/html"

	"github.com/octavo-docs/octavo/internal/document"
	"github.com/octavo-docs/octavo/internal/document/highlight"
)

// unsafe tells what a fragment has that may load, run or style anything, or
// break out of the element that it is put into; "" if nothing.
func unsafe(fragment []byte) string {
	z := nethtml.NewTokenizer(bytes.NewReader(fragment))
	var open []string
	for {
		switch z.Next() {
		case nethtml.ErrorToken:
			if len(open) > 0 {
				return fmt.Sprintf("%v not closed", open)
			}
			return ""
		case nethtml.StartTagToken, nethtml.SelfClosingTagToken:
			t := z.Token()
			if fault := unsafeTag(t); fault != "" {
				return fault
			}
			if !slices.Contains([]string{"br", "hr", "img", "wbr", "col"}, t.Data) {
				open = append(open, t.Data)
			}
		case nethtml.EndTagToken:
			t := z.Token()
			if len(open) == 0 || open[len(open)-1] != t.Data {
				return fmt.Sprintf("</%s> closes %v", t.Data, open)
			}
			open = open[:len(open)-1]
		case nethtml.CommentToken, nethtml.DoctypeToken:
			return "comment or doctype " + z.Token().String()
		}
	}
}

var safeElements = strings.Fields(`a abbr address article aside b bdi bdo blockquote br caption cite code colgroup data dd del
	details dfn div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li mark nav ol p pre q rp rt ruby
	s samp section small span strong sub summary sup table tbody td tfoot th thead time tr u ul var wbr`)

var safeAttributes = strings.Fields(`abbr alt aria-label class colspan data-line datetime dir height href id lang name open
	reversed role rowspan scope src start tabindex title type value width`)

func unsafeTag(t nethtml.Token) string {
	if !slices.Contains(safeElements, t.Data) {
		return "element " + t.String()
	}
	for _, a := range t.Attr {
		if !slices.Contains(safeAttributes, a.Key) {
			return "attribute " + a.Key + " of " + t.String()
		}
		if a.Key != "href" && a.Key != "src" {
			continue
		}
		u, err := url.Parse(strings.TrimSpace(a.Val))
		if err != nil {
			return fmt.Sprintf("address %q: %v", a.Val, err)
		}
		if !slices.Contains([]string{"", "http", "https", "mailto", "tel"}, u.Scheme) && !(a.Key == "src" && isPicture(a.Val)) {
			return fmt.Sprintf("scheme of %q", a.Val)
		}
	}
	return ""
}

//go:embed testdata/hostile.json
var hostileList []byte

// hostile is what an attacker wants a browser to see, and where in a page it may stand;
// %s is the payload. Walks through Studio read the list as well.
var hostile = sync.OnceValue(func() (list struct{ Payloads, Places []string }) {
	if err := json.Unmarshal(hostileList, &list); err != nil {
		panic(err)
	}
	return list
})

func TestNothingUnsafe(t *testing.T) {
	t.Parallel()
	r := New(highlight.New(0))
	for _, place := range hostile().Places {
		for _, payload := range hostile().Payloads {
			content := strings.ReplaceAll(place, "%s", payload)
			for _, mdx := range []bool{false, true} {
				d := document.Parse(content, document.Options{MDX: mdx})
				out := r.Fragment(t.Context(), d, Options{HeadingLinks: true}).HTML
				if fault := unsafe(out); fault != "" {
					t.Errorf("%q, MDX %v: %s\n%s", content, mdx, fault, out)
				}
			}
		}
	}
}

// TestWriterSafe takes the sanitiser away: what is written must be
// safe without it.
func TestWriterSafe(t *testing.T) {
	t.Parallel()
	r := New(highlight.New(0))
	for _, place := range hostile().Places {
		for _, payload := range hostile().Payloads {
			content := strings.ReplaceAll(place, "%s", payload)
			for _, mdx := range []bool{false, true} {
				w := writer{ctx: t.Context(), renderer: r, doc: document.Parse(content, document.Options{MDX: mdx})}
				w.unsanitised = true
				w.takeIDs()
				w.blocks(w.doc.Blocks)
				w.footnotes()
				w.sanitise()
				if fault := unsafe(w.out); fault != "" {
					t.Errorf("%q, MDX %v: %s\n%s", content, mdx, fault, w.out)
				}
			}
		}
	}
}

func FuzzFragment(f *testing.F) {
	all := hostile().Payloads
	for i, place := range hostile().Places {
		f.Add(strings.ReplaceAll(place, "%s", all[i%len(all)]), true)
		f.Add(strings.ReplaceAll(place, "%s", all[(i*7)%len(all)]), false)
	}
	r := New(highlight.New(1 << 20))
	f.Fuzz(func(t *testing.T, content string, mdx bool) {
		d := document.Parse(content, document.Options{MDX: mdx})
		out := r.Fragment(t.Context(), d, Options{HeadingLinks: true}).HTML
		if fault := unsafe(out); fault != "" {
			t.Fatalf("%q, MDX %v: %s\n%s", content, mdx, fault, out)
		}
	})
}
