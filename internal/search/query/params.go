package query

import "github.com/octavo-docs/octavo/internal/search/segment"

// FieldParams are the weights of a field.
type FieldParams struct {
	Weight float64 // relative to the other fields
	Length float64 // b of BM25: how much a long field is reduced, 0 to 1
}

// Params are the parameters of ranking. They were found by measurement; see
// the decision record on search.
type Params struct {
	Fields     [segment.Fields]FieldParams
	Saturation float64 // k of BM25: how soon repetition stops counting

	// Weights of terms other than the word itself.
	Stem       float64    // another form of the word
	Synonym    float64    // a synonym
	Prefix     float64    // a completion of the last word
	PrefixOnly float64    // the same, if the last word is unknown
	Typo       [3]float64 // by the number of edits
	Rest       float64    // share of what weaker terms of a group add
	Meaning    float64    // share of the idf of a word that is that of the word and its synonyms together
	Rarer      float64    // maximum idf of the completions of a known last word, of that of the word

	// Weights of words relative to each other.
	Stop        float64 // a stop word
	Contracted  float64 // half of don't, we'll and the like
	Function    float64 // a pair of characters with a grammatical one
	Joined      float64 // the whole of a compound
	Part        float64 // a part of a compound whose whole is known
	Name        float64 // the whole of a name in a program
	NamePart    float64 // a part of it
	Begun       float64 // completions of a known word
	Other       float64 // synonyms of a word in titles, headings and links
	Neighbours  float64 // neighbouring words joined
	Split       float64 // a part of an unknown word
	Named       float64 // one of two words of a title that the query joins
	Flag        float64 // an option, such as --no-cache
	Missing     float64 // an unknown word, of the largest idf
	MissingGram float64

	// Weights beside those of the terms.
	Proximity float64
	Verbatim  float64    // the words in a row
	Said      [3]float64 // share of Verbatim if nothing names the page by the row: of two words, of more, in a sentence
	Itself    float64    // times Verbatim: the only word itself, not a completion
	Title     float64
	Link      float64
	Heading   float64
	RowForms  float64 // share of Verbatim if only other forms of the words name the page by the row
	Forms     float64 // share of a word in titles, headings and links that have only other forms of it
	Capitals  float64 // share of the fit of a heading that writes a name with other capitals
	Section   float64 // the best section, if the query is a long sentence
	News      float64 // factor for news, 0 to 1
	Sentence  float64 // share of parts of names in headings, if the query is a sentence
	Context   float64 // share of a word that names the page outside of its title

	Candidates int // how many documents are reranked
	Expansions int // maximum of completions
	Postings   int // approximate maximum of postings for completions

	// A word in more than Common documents finds no further documents once
	// rarer words have found Enough.
	Common, Enough int
}

// DefaultParams returns the best measured parameters.
func DefaultParams() Params {
	p := Params{
		Saturation: .71,
		Stem:       .78, Synonym: .8, Prefix: .58, PrefixOnly: 1.05, Typo: [3]float64{0, .98, .45}, Rest: .64, Meaning: .3, Rarer: 3,
		Stop: .4, Contracted: .05, Function: .5, Joined: .6, Part: .2, Name: 1, NamePart: .05, Begun: .5, Other: .95, Neighbours: .5, Split: .8, Named: .3, Flag: 3.8,
		Missing: .84, MissingGram: .1,
		Proximity: 1, Verbatim: .5, Said: [3]float64{.9, .3, .3}, Itself: 2, Title: .8, Link: .7, Heading: .4, Forms: .9, RowForms: .6, Capitals: .8, Section: .4, News: .4, Sentence: .1, Context: 1,
		Candidates: 80, Expansions: 96, Postings: 40_000, Common: 3000, Enough: 600,
	}
	p.Fields[segment.Title] = FieldParams{8, .34}
	p.Fields[segment.Heading] = FieldParams{3.4, .2}
	p.Fields[segment.Name] = FieldParams{2.7, .05}
	p.Fields[segment.Body] = FieldParams{1, .81}
	p.Fields[segment.Code] = FieldParams{1, .81}
	p.Fields[segment.Description] = FieldParams{3, .5}
	p.Fields[segment.Slug] = FieldParams{2.6, .95}
	p.Fields[segment.Tag] = FieldParams{2, .5}
	p.Fields[segment.Ancestor] = FieldParams{1, .9}
	p.Fields[segment.Former] = FieldParams{2.6, .95}
	p.Fields[segment.Link] = FieldParams{1, .5}
	return p
}
