// Package words has the texts that Octavo itself adds to rendered pages, in each language:
// titles of boxes, names of links, labels of buttons. HTML, exported sites and PDF share
// them.
//
// The caller chooses the language; unknown ones give English. Messages of the API and the
// command line are elsewhere.
package words

import (
	"embed"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
)

// files has one file per language, named after it.
//
//go:embed languages/*.json
var files embed.FS

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
	if err != nil { // a test parses them all
		panic(fmt.Sprintf("words: read the languages: %v", err))
	}
	return all
})

// Words are the texts in one language. %s is replaced as the field says.
type Words struct {
	Untitled     string // title of a book of several pages
	Contents     string // title of a table of contents
	Of           string // between a sheet number and the total: "3 of 10"
	Footnote     string
	Note         string // default titles of boxes
	Tip          string
	Info         string
	Warning      string
	Danger       string
	Important    string // title of an info callout
	Caution      string // title of a warning callout
	Required     string // a required parameter
	Deprecated   string
	Default      string
	Details      string // default title of collapsed content
	Code         string // default title of a tab of code
	ToDo         string // an open task
	Done         string
	LinkTo       string // label of a heading's link; %s is its text
	BackTo       string // label of the link from a footnote; %s is the number of the reference
	OnThisPage   string
	Skip         string
	AllPages     string
	BestResult   string // label of the button that opens the best result
	SearchPages  string // label of the search field
	Search       string // placeholder of the search field
	Dark         string // label of the theme switch
	Where        string // label of the breadcrumbs
	Updated      string // before a date
	Made         string // before a date
	PreviousNext string // label of the links to both
	Previous     string
	Next         string
	Start        string // link to the first page
	NoPages      string
	Moved        string // title at a former address
	MovedTo      string // before the link
	Earlier      string // in a long list of pages
	More         string
	Copy         string
	Copied       string
	NotCopied    string
	Loading      string
	NoIndex      string
	Instead      string // %s are suggested words
	Nothing      string
	NotAll       string
	OnePage      string // one search result
	Pages        string // %s is the number of results
	Best         string // %s is the number shown
	LinksHere    string // title of the backlinks
	AsMarkdown   string // link to the Markdown source
	Reference    string // link to the API reference
	Account      string // link to the reader's account
	NotFound     string // title of the page for a missing one
	NothingHere  string // below NotFound
	Perhaps      string // as NothingHere, with suggestions
	Changed      string // the page was changed while being read
	Gone         string // the page was deleted while being read
	Reload       string // link after Changed and Gone
	Helpful      string // question to readers about a page
	Yes          string
	No           string
	SayMore      string // opens the comment field
	Thanks       string // after feedback was sent
	NotSent      string // feedback could not be sent
	Recent       string // title of recent searches
	Forget       string // button that clears them
	Edit         string // link to edit a page
	Enlarge      string // button around a picture
	CopyPage     string // copies the Markdown source
	Near         string // title of similar results if nothing was found
	BackToPage   string // link after Thanks
}

// In returns the words in the language of a BCP 47 tag, or in English.
func In(language string) Words { return languages()[Known(language)] }

// Known returns the language that In uses.
func Known(language string) string {
	primary, rest, _ := strings.Cut(strings.ToLower(language), "-")
	if script, _, _ := strings.Cut(rest, "-"); primary == "zh" && script != "" && strings.Contains(" hant tw hk mo ", " "+script+" ") {
		return "zh-Hant"
	}
	if _, ok := languages()[primary]; ok {
		return primary
	}
	return "en"
}

// Callout returns the default title of a callout with a name.
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

// With replaces %s in a phrase.
func With(phrase, text string) string { return strings.Replace(phrase, "%s", text, 1) }
