// Package words has what Octavo says by itself in pages that it renders, in the
// language of their text: titles of boxes, names of links, labels of buttons. The
// HTML of a page, exported sites and PDF take their words from here, so that one
// language says the same everywhere.
//
// The package chooses no language: it is told one, and has English for those that
// it does not know. Messages of the API and of the command line are not its
// subject.
package words

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// files has the words of each language, in a file named after it.
//
//go:embed languages/*.json
var files embed.FS

// languages are the words by language.
var languages = sync.OnceValue(func() map[string]Words {
	all := map[string]Words{}
	entries, err := files.ReadDir("languages")
	for _, entry := range entries {
		var text []byte
		if text, err = files.ReadFile("languages/" + entry.Name()); err != nil {
			break
		}
		var w Words
		if err = json.Unmarshal(text, &w); err != nil {
			break
		}
		all[strings.TrimSuffix(entry.Name(), ".json")] = w
	}
	if err != nil { // a test reads them all
		panic(fmt.Sprintf("words: read the languages: %v", err))
	}
	return all
})

// Words are those of one language. In some of them %s stands for what the field
// says.
type Words struct {
	Untitled     string // a book of several pages
	Contents     string // table of contents of a book
	Of           string // between the number of a sheet and that of all: "3 of 10"
	Footnote     string
	Note         string // titles of boxes that have none
	Tip          string
	Info         string
	Warning      string
	Danger       string
	Important    string // an info, and
	Caution      string // a warning that is called so
	Required     string // of a parameter
	Deprecated   string
	Default      string
	Details      string // what is folded away and has no title
	Code         string // a block of code among several that has no title
	ToDo         string // a task that is open
	Done         string
	LinkTo       string // label of the link at a heading; %s is its text
	BackTo       string // label of the link back from a footnote; %s is the number of the reference
	OnThisPage   string
	Skip         string
	AllPages     string
	BestResult   string // label of the button that opens it
	SearchPages  string // label of the field
	Search       string // in the empty field
	Dark         string // label of the switch of colours
	Where        string // label of the list of pages above
	Updated      string // before a date
	Made         string // before a date
	PreviousNext string // label of the links to both
	Previous     string
	Next         string
	Start        string // the link to the first page
	NoPages      string
	Moved        string // title of what stands at a former address
	MovedTo      string // before the link
	Earlier      string // in a long list of pages
	More         string
	Copy         string
	Copied       string
	NotCopied    string
	Loading      string
	NoIndex      string
	Instead      string // %s are words that were probably meant
	Nothing      string
	NotAll       string
	OnePage      string // what a search found
	Pages        string // %s is their number
	Best         string // %s is how many of them are shown
	LinksHere    string // title of the list of backlinks
	AsMarkdown   string // the link to the text as it was written
	Reference    string // the link to that of the API
	Account      string // the link to that of the reader
	NotFound     string // title of what stands where no page is
	NothingHere  string // below it
	Perhaps      string // the same before links to pages that may be meant
	Changed      string // said of a page that is being looked at
	Gone         string // likewise
	Reload       string // the link behind them
	Helpful      string // what readers are asked about a page
	Yes          string
	No           string
	SayMore      string // opens the field for why
	Thanks       string // for the answer
	NotSent      string // where it could not be sent
	Recent       string // title of the last searches
	Forget       string // forgets them
	Edit         string // name of the link to edit a page
	Enlarge      string // the button that is a picture
	CopyPage     string // copies the text of a page as it was written
	Near         string // title of what is near where nothing was found
	BackToPage   string // the link behind the thanks
}

// In returns the words in a language, a tag of BCP 47; those of English where
// there are none.
func In(language string) Words { return languages()[Known(language)] }

// Known returns the language of the words that In returns.
func Known(language string) string {
	primary, _, _ := strings.Cut(strings.ToLower(language), "-")
	if _, ok := languages()[primary]; ok {
		return primary
	}
	return "en"
}

// Callout returns what a box of a kind is called that has no title, by the name that
// its author gave it.
func (w *Words) Callout(variant, name string) string {
	switch {
	case strings.EqualFold(name, "important"):
		return w.Important
	case strings.EqualFold(name, "caution"):
		return w.Caution
	}
	switch variant {
	case "tip":
		return w.Tip
	case "info":
		return w.Info
	case "warning":
		return w.Warning
	case "danger":
		return w.Danger
	}
	return w.Note
}

// With puts text in place of the %s of a phrase.
func With(phrase, text string) string { return strings.Replace(phrase, "%s", text, 1) }
