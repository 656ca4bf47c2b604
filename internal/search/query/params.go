package query

import "github.com/octavo-docs/octavo/internal/search/segment"

// FieldParams say how much a field counts.
type FieldParams struct {
	Weight float64 // against the other fields
	Length float64 // b of BM25: how much a long field counts less, 0 to 1
}

// Params are the parameters of ranking. They were found by measuring; see the
// decision record on search.
type Params struct {
	Fields     [segment.Fields]FieldParams
	Saturation float64 // k of BM25: how soon more of the same counts no more

	// What a term counts that is not the word itself.
	Stem       float64    // another form of the word
	Synonym    float64    // what others call it
	Prefix     float64    // goes on where the last word ends
	PrefixOnly float64    // the same, if the last word is none itself
	Typo       [3]float64 // by the number of edits
	Rest       float64    // share of what the weaker terms of a group add

	// What words count against each other.
	Stop        float64 // a stop word
	Contracted  float64 // a half of don't, we'll and the like
	Function    float64 // a pair of characters, one of which serves grammar
	Joined      float64 // the whole of a compound
	Part        float64 // a part of a compound whose whole is known
	Name        float64 // the whole of a name as programs write it
	NamePart    float64 // a part of it
	Begun       float64 // what goes on where a known word ends
	Other       float64 // what others call a word, in titles and headings
	Neighbours  float64 // neighbouring words taken as one
	Split       float64 // a part of an unknown word
	Named       float64 // one of two words of a title that the query has as one
	Flag        float64 // an option, as --no-cache
	Missing     float64 // a word found nowhere, of the largest idf
	MissingGram float64

	// What counts beside the terms.
	Proximity float64
	Verbatim  float64    // the words in a row
	Said      [2]float64 // share of Verbatim where nothing names the page by the row: of two words, of more
	Itself    float64    // times Verbatim: the only word, and not what begins with it
	Title     float64
	Link      float64
	Heading   float64
	RowForms  float64 // share of Verbatim where only other forms of the words name the page by the row
	Forms     float64 // share of what a word counts in titles, headings and links that have only other forms of it
	Section   float64
	News      float64 // what all of that counts of what tells news, 0 to 1
	Sentence  float64 // share of what parts of names in headings count, where the query is a sentence
	Context   float64 // share of a word that names the page, but not in its title

	Candidates int // how many documents are ranked again
	Expansions int // terms that complete a word, at most
	Postings   int // postings that completions may cost, about

	// A word that stands in more than Common documents finds no documents of its
	// own, once rarer words have found Enough.
	Common, Enough int
}

// DefaultParams returns the parameters that did best.
func DefaultParams() Params {
	p := Params{
		Saturation: .71,
		Stem:       .78, Synonym: .5, Prefix: .58, PrefixOnly: 1.05, Typo: [3]float64{0, .98, .45}, Rest: .64,
		Stop: .4, Contracted: .05, Function: .5, Joined: .6, Part: .2, Name: 1, NamePart: .03, Begun: .5, Other: .9, Neighbours: .5, Split: .8, Named: .3, Flag: 3.8,
		Missing: .84, MissingGram: .1,
		Proximity: 1, Verbatim: .5, Said: [2]float64{.9, .3}, Itself: 2, Title: .8, Link: .6, Heading: .4, Forms: .9, RowForms: .6, News: .4, Sentence: .1, Context: 1,
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
