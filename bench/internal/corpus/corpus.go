// Package corpus makes the pages that are measured: Markdown of about 2 KB
// with headings, prose, lists, code and links. Page n is the same bytes in
// every run and for every server. It stores nothing.
package corpus

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
)

const (
	seed    = 0x0c7a70 // of all pages
	tags    = 20       // different tags; each page has two
	wanted  = 1700     // bytes of content after which a page ends with its next block
	drafts  = 10       // one page in so many is a draft
	linked  = 1000     // links lead to one of the first so many pages
	newPage = 1 << 40  // numbers above are pages that a run creates
)

// Page is a page as it is sent to a server.
type Page struct {
	Title       string      `json:"title"`
	Slug        string      `json:"slug"`
	Status      string      `json:"status"`
	Content     string      `json:"content"`
	Frontmatter Frontmatter `json:"frontmatter"`
}

// Frontmatter is the front matter of a page.
type Frontmatter struct {
	Tags    []string `json:"tags"`
	Owner   string   `json:"owner"`
	Reading int      `json:"readingMinutes"`
}

// Tag returns one of the tags.
func Tag(n int) string { return fmt.Sprintf("topic-%02d", n%tags) }

// Of returns page n.
func Of(n uint64) Page {
	r := rand.New(rand.NewPCG(seed, n))
	first := r.IntN(tags)
	status := "published"
	if r.IntN(drafts) == 0 {
		status = "draft"
	}
	title := sentence(r, 3+r.IntN(4))
	return Page{
		Title: title, Slug: fmt.Sprintf("page-%d", n), Status: status, Content: content(r, title),
		Frontmatter: Frontmatter{
			Tags:  []string{Tag(first), Tag(first + 1 + r.IntN(tags-1))},
			Owner: "team-" + word(r), Reading: 1 + r.IntN(9),
		},
	}
}

// New returns a page that is not among the stored ones: run is different in
// every run, n counts within it.
func New(run uint32, n uint64) Page {
	page := Of(newPage + n)
	page.Slug = fmt.Sprintf("new-%x-%d", run, n)
	return page
}

// JSON returns a page as the body that creates it.
func (p Page) JSON() []byte {
	text, err := json.Marshal(p)
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return text
}

// content makes the Markdown.
func content(r *rand.Rand, title string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", title)
	for b.Len() < wanted {
		switch r.IntN(6) {
		case 0:
			fmt.Fprintf(&b, "## %s\n\n", sentence(r, 2+r.IntN(4)))
		case 1:
			fmt.Fprintf(&b, "```sh\n%s --%s %s\n```\n\n", word(r), word(r), word(r))
		case 2:
			for range 2 + r.IntN(4) {
				fmt.Fprintf(&b, "- %s\n", sentence(r, 4+r.IntN(6)))
			}
			b.WriteByte('\n')
		case 3:
			fmt.Fprintf(&b, "See [%s](page-%d).\n\n", sentence(r, 2), r.Uint64N(linked))
		default:
			for range 2 + r.IntN(3) {
				b.WriteString(sentence(r, 8+r.IntN(10)))
				b.WriteString(". ")
			}
			b.WriteString("\n\n")
		}
	}
	return b.String()
}

// sentence is some words, the first with a capital.
func sentence(r *rand.Rand, words int) string {
	list := make([]string, words)
	for i := range list {
		list[i] = word(r)
	}
	list[0] = strings.ToUpper(list[0][:1]) + list[0][1:]
	return strings.Join(list, " ")
}

// word is two or three syllables.
func word(r *rand.Rand) string {
	syllables := [...]string{
		"ba", "ce", "do", "fi", "gu", "ka", "le", "mo", "ni", "pu", "ra", "se", "to", "vi", "zu",
		"tra", "ple", "sto", "gri", "clu", "ser", "ver", "con", "nec", "ing", "tion", "er", "al",
	}
	var b strings.Builder
	for range 2 + r.IntN(2) {
		b.WriteString(syllables[r.IntN(len(syllables))])
	}
	return b.String()
}
