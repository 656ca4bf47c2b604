package reader

import (
	"bytes"
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/document/words"
	"github.com/octavo-docs/octavo/internal/search/live"
	"github.com/octavo-docs/octavo/internal/site/look"
)

// framed returns a page of the site itself, such as search results, which
// robots do not index.
func (x *Site) framed(title string, here *page, write func(look.Out)) (*File, error) {
	var text bytes.Buffer
	out := look.Out{Buffer: &text}
	around := look.Page{Title: title, Head: "<meta name=\"robots\" content=\"noindex\">\n"}
	if here != nil {
		around.Node = here.Node
	}
	out.Before(&x.look, around)
	out.Raw("<article>\n<h1>")
	out.Text(title)
	out.Raw("</h1>\n")
	write(out)
	out.Raw("</article>\n<footer class=\"site-foot\">\n")
	out.After(&x.look, around)
	f, err := x.file(typeHTML, text.Bytes())
	if err == nil {
		f.Policy = policy
	}
	return f, err
}

// maxListed limits how many pages of a level are shown at once.
const maxListed = 200

// Below returns the list of the pages directly below one, or of those at the
// top, starting at an index.
func (x *Site) Below(under string, from int) (*File, error) {
	above, list, title := x.slugs[under], x.look.Top, x.tongue.AllPages
	var parent *look.Node
	switch {
	case above != nil:
		list, title, parent = above.Children, above.Name, above.Node
	case under != "":
		return nil, errNoPage()
	}
	if from < 0 || from > 0 && from >= len(list) {
		return nil, errNoPage()
	}
	return x.framed(title, above, func(out look.Out) {
		more := func(from int, text string) {
			address := x.look.More(parent)
			joint := "?"
			if strings.Contains(address, "?") {
				joint = "&amp;"
			}
			out.Raw("<p>")
			out.Link(address+joint+"from="+strconv.Itoa(from), text)
			out.Raw("</p>\n")
		}
		if from > 0 {
			more(max(0, from-maxListed), x.tongue.Earlier)
		}
		to := min(from+maxListed, len(list))
		out.List(&x.look, list[from:to])
		if to < len(list) {
			more(to, x.tongue.More)
		}
	})
}

// maxLinks limits the list of links to a page.
const maxLinks = 500

// Links returns the list of the pages that link to a page.
func (x *Site) Links(ctx context.Context, to string) (*File, error) {
	p := x.slugs[to]
	if p == nil {
		return nil, errNoPage()
	}
	links, err := x.Pages.LinkedFrom(ctx, audience(), p.id, maxLinks)
	if err != nil {
		return nil, err
	}
	seen := map[*page]bool{p: true, nil: true}
	var from []*look.Node
	for _, link := range links {
		if f := x.pages[link.ID]; !seen[f] {
			seen[f] = true
			from = append(from, f.Node)
		}
	}
	return x.framed(x.tongue.LinksHere, p, func(out look.Out) {
		out.Raw("<p>")
		out.Link(p.Href, p.Name)
		out.Raw("</p>\n")
		out.List(&x.look, from[:min(len(from), maxListed)])
	})
}

// Result is a search result for scripts.
type Result struct {
	Title     string   `json:"title"`
	URL       string   `json:"url"` // a path
	Section   string   `json:"section,omitempty"`
	Highlight string   `json:"highlight"` // HTML: escaped text with <mark> around matches
	Trail     []string `json:"trail"`
}

// searched returns the language to search in from a page with a language; ""
// means all, if the site has only one.
func (x *Site) searched(language string) string {
	if len(x.spoken) < 2 {
		return ""
	}
	return cmp.Or(language, x.look.Language)
}

// speaking returns the page languages that match a language: itself, its
// variants, and broader ones.
func (x *Site) speaking(language string) (list []string) {
	for _, said := range x.spoken {
		if l := cmp.Or(said, x.look.Language); octavo.InLanguage(l, language) || octavo.InLanguage(language, l) {
			list = append(list, said)
		}
	}
	return list
}

// Find returns search results, best first: in a language, or in all if that
// is "" or has no results.
func (x *Site) Find(ctx context.Context, text, language string, limit int) ([]Result, error) {
	if language != "" {
		if list := x.speaking(language); len(list) > 0 && len(list) < len(x.spoken) {
			if results, err := x.find(ctx, live.Query{Text: text, Languages: list, Limit: limit}); err != nil || len(results) > 0 {
				return results, err
			}
		}
	}
	return x.find(ctx, live.Query{Text: text, Limit: limit})
}

func (x *Site) find(ctx context.Context, q live.Query) ([]Result, error) {
	results := []Result{}
	if strings.TrimSpace(q.Text) == "" {
		return results, nil
	}
	found, err := x.Search.Search(ctx, audience(), nil, q)
	if err != nil {
		return nil, err
	}
	for _, hit := range found.Hits {
		p := x.pages[octavo.ID(hit.ID)]
		if p == nil {
			continue // it was published since
		}
		r := Result{Title: p.Name, URL: p.Href, Highlight: hit.Excerpt, Trail: []string{}}
		if hit.Heading != p.Name {
			r.Section = hit.Heading
		}
		if hit.Anchor != "" {
			r.URL += "#" + fragment(hit.Anchor)
		}
		for _, above := range p.Trail() {
			r.Trail = append(r.Trail, above.Name)
		}
		results = append(results, r)
	}
	return results, nil
}

// suggested is how many pages are suggested for a missing one.
const suggested = 5

// Near searches for parts of a query without results: its longest words, and
// the beginning of one.
func (x *Site) Near(ctx context.Context, query string) (near []Result, err error) {
	words := strings.Fields(query)
	slices.SortStableFunc(words, func(a, b string) int { return utf8.RuneCountInString(b) - utf8.RuneCountInString(a) })
	words = words[:min(len(words), suggested)]
	if len(words) > 0 {
		letters := []rune(words[0])
		words = append(words, string(letters[:(len(letters)+1)/2]))
	}
	for _, word := range words {
		found, err := x.Find(ctx, word, "", suggested)
		if err != nil {
			return nil, err
		}
		for _, r := range found {
			if len(near) < suggested && !slices.ContainsFunc(near, func(n Result) bool { return n.URL == r.URL }) {
				near = append(near, r)
			}
		}
	}
	return near, nil
}

// Results returns the results page of a search in a language, with near ones
// if there are none.
func (x *Site) Results(query, language string, results, near []Result) (*File, error) {
	return x.framed(x.tongue.SearchPages, nil, func(out look.Out) {
		out.Raw("<form class=\"site-ask\" action=\"", x.look.Find, "\">\n<input class=\"site-query\" type=\"search\" name=\"q\"")
		out.Attribute("aria-label", x.tongue.SearchPages)
		out.Attribute("value", query)
		out.Raw(" autocomplete=\"off\" spellcheck=\"false\">\n<button class=\"site-start\" type=\"submit\">")
		out.Text(x.tongue.Search)
		out.Raw("</button>\n")
		out.In(language)
		out.Raw("</form>\n")
		if strings.TrimSpace(query) == "" {
			return
		}
		if len(results) == 0 {
			out.Raw("<p>")
			out.Text(x.tongue.Nothing)
			out.Raw("</p>\n")
			if len(near) > 0 {
				out.Raw("<h2>")
				out.Text(x.tongue.Near)
				out.Raw("</h2>\n")
				x.results(out, near)
			}
			return
		}
		x.results(out, results)
	})
}

// results writes search results. Highlight is HTML.
func (x *Site) results(out look.Out, results []Result) {
	out.Raw("<ol class=\"site-found\">\n")
	for _, r := range results {
		out.Raw("<li>\n")
		if len(r.Trail) > 0 {
			out.Raw("<p class=\"site-within\">")
			out.Text("\u2068" + strings.Join(r.Trail, "\u2069 › \u2068") + "\u2069") // each runs its own way
			out.Raw("</p>\n")
		}
		title := r.Title
		if r.Section != "" {
			title += " › " + r.Section
		}
		out.Link(r.URL, title)
		out.Raw("\n<p class=\"site-excerpt\">", r.Highlight, "</p>\n</li>\n")
	}
	out.Raw("</ol>\n")
}

// Empty returns the page that replaces a missing home page.
func (x *Site) Empty() (*File, error) {
	return x.framed(x.look.Title, nil, func(out look.Out) {
		out.Raw("<p>")
		out.Text(x.tongue.NoPages)
		out.Raw("</p>\n")
	})
}

// Missing returns the page for an address without one. With suggest, it
// searches for the words of the path.
func (x *Site) Missing(ctx context.Context, path string, suggest bool) (*File, error) {
	var results []Result
	if suggest {
		var err error
		if results, err = x.Find(ctx, strings.Map(word, path), "", suggested); err != nil {
			results = nil // the page is missing all the same
		}
	}
	return x.framed(x.tongue.NotFound, nil, func(out look.Out) {
		out.Raw("<p>")
		if len(results) == 0 {
			out.Text(x.tongue.NothingHere)
		} else {
			out.Text(x.tongue.Perhaps)
		}
		out.Raw("</p>\n")
		if len(results) > 0 {
			x.results(out, results)
		}
	})
}

// word keeps characters that may be part of a word of a path.
func word(r rune) rune {
	if strings.ContainsRune("/-_.+%", r) {
		return ' '
	}
	return r
}

// Moved returns the address of the page that was at a path below the site,
// if any: by a former slug, or by the path of its file. It must be visible
// here and must have had that name while it was public.
func (x *Site) Moved(ctx context.Context, path string) (to string, found bool, err error) {
	if octavo.CheckSlug(path) == "" {
		ref, moved, err := x.Store.Pages.RefBySlug(ctx, audience(), path)
		if err != nil && !octavo.IsType(err, octavo.NotFound) {
			return "", false, err
		}
		if p := x.pages[ref.ID]; moved != "" && p != nil {
			return p.Href, true, nil
		}
	}
	key := reference.PathKey(strings.TrimSuffix(path, ".html"))
	p, claimed := x.paths[key]
	if key != "" && !claimed && utf8.ValidString(key) {
		id, err := x.Store.Pages.ByFormerPath(ctx, key)
		if err != nil {
			return "", false, err
		}
		p = x.pages[id]
	}
	if p == nil || path == "" {
		return "", false, nil
	}
	return p.Href, true, nil
}

// fragment is the part after the # of an address.
func fragment(anchor string) string {
	return strings.TrimPrefix((&url.URL{Fragment: anchor}).String(), "#")
}

// First returns a page that explains how to add the first person. It shows
// no documentation.
func (s *Service) First() (*File, error) {
	return s.cover(func(out look.Out, _ *words.Words) {
		out.Raw(`<h1>Nobody can sign in yet</h1>
<p>People read this documentation once they have signed in. Add the first administrator by the link that the server printed when it started, or on the server itself:</p>
<pre><code>octavo users add you@example.com --name You --role admin --password-stdin</code></pre>
<p>With <code>octavo serve --site public</code> everybody reads it who reaches the server.</p>
`)
	})
}

// NotSent returns a page with the user's text if it was not accepted.
func (s *Service) NotSent(text string) (*File, error) {
	return s.cover(func(out look.Out, w *words.Words) {
		out.Raw("<h1>")
		out.Text(w.NotSent)
		out.Raw("</h1>\n<pre>")
		out.Text(text)
		out.Raw("</pre>\n<p>")
		out.Link(s.At(""), w.AllPages)
		out.Raw("</p>\n")
	})
}

// cover returns a page without any documentation, in English.
func (s *Service) cover(write func(look.Out, *words.Words)) (*File, error) {
	english := words.In("en")
	files, err := s.links("en")
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	out := look.Out{Buffer: &text}
	out.Head(&look.Site{Title: "Octavo", Language: "en", Words: &english, Home: s.At(""), Find: s.own + "/search", Files: files}, look.Page{})
	out.Raw("<main class=\"site-cover\" id=\"Content\" tabindex=\"-1\">\n")
	write(out, &english)
	out.Raw("</main>\n</body>\n</html>\n")
	f, err := s.file(typeHTML, text.Bytes())
	if err == nil {
		f.Policy = policy
	}
	return f, err
}
