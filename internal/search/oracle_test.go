package search

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/internal/search/analysis"
	"github.com/octavo-docs/octavo/internal/search/segment"
)

// oracle scores documents by the definition: every word against every word of
// every document, with no index.
type oracle struct {
	params Ranking
	terms  []map[string]*[segment.Fields]float64 // by document
	length [][segment.Fields]float64
	mean   [segment.Fields]float64
}

func newOracle(documents []*Document) *oracle {
	o := &oracle{params: DefaultRanking()}
	for _, d := range documents {
		terms := make(map[string]*[segment.Fields]float64)
		var length [segment.Fields]float64
		scan := func(f segment.Field, texts ...string) {
			for _, text := range texts {
				var s analysis.Scanner
				length[f] += float64(s.Scan(analysis.Clean(text), 0, func(t analysis.Token) {
					if terms[string(t.Text)] == nil {
						terms[string(t.Text)] = new([segment.Fields]float64)
					}
					if f == segment.Heading && t.Name {
						terms[string(t.Text)][segment.Name]++
						return
					}
					terms[string(t.Text)][f]++
				}))
			}
		}
		scan(segment.Title, d.Title)
		scan(segment.Slug, d.Slug)
		scan(segment.Description, d.Description)
		scan(segment.Tag, d.Tags...)
		scan(segment.Ancestor, d.Ancestors...)
		scan(segment.Former, d.FormerSlugs...)
		scan(segment.Link, d.LinkTexts...)
		for _, s := range d.Sections {
			scan(segment.Heading, s.Heading)
			scan(segment.Body, s.Text)
			scan(segment.Code, s.Code)
		}
		o.terms, o.length = append(o.terms, terms), append(o.length, length)
		for f := range length {
			o.mean[f] += length[f]
		}
	}
	for f := range o.mean {
		o.mean[f] = max(o.mean[f]/float64(len(documents)), 1)
	}
	return o
}

// impact is BM25F with a saturation for each field.
func (o *oracle) impact(doc int, term string) float64 {
	counts := o.terms[doc][term]
	if counts == nil {
		return 0
	}
	sum, total := 0.0, 0.0
	for f, p := range o.params.Fields {
		switch segment.Field(f) {
		case segment.Title, segment.Heading, segment.Body, segment.Slug:
			total += p.Weight
		}
		norm := 1 - p.Length + p.Length*o.length[doc][f]/o.mean[f]
		if tf := counts[f] / norm; tf > 0 {
			sum += p.Weight * tf / (o.params.Saturation + tf)
		}
	}
	return sum / total
}

// group returns what a set of terms, each with its weight, counts in each
// document.
func (o *oracle) group(terms map[string]float64) (scores []float64, idf, found float64) {
	scores = make([]float64, len(o.terms))
	without := 1.0
	for term := range terms {
		found := 0.0
		for doc := range o.terms {
			if o.terms[doc][term] != nil {
				found++
			}
		}
		without *= 1 - found/float64(len(o.terms))
	}
	for doc := range o.terms {
		best, sum := 0.0, 0.0
		for term, weight := range terms {
			v := weight * o.impact(doc, term)
			best, sum = max(best, v), sum+v
		}
		scores[doc] = min(best+o.params.Rest*(sum-best), 1)
	}
	found = float64(len(o.terms)) * (1 - without)
	idf = math.Log1p((float64(len(o.terms)) - found + .5) / (found + .5))
	for doc := range scores {
		scores[doc] *= idf
	}
	return scores, idf, found
}

// base scores a query of plain words, the last of which may be unfinished.
func (o *oracle) base(words []string) []float64 {
	sums := make([]float64, len(o.terms))
	content := slices.ContainsFunc(words, func(w string) bool { return !analysis.StopWord(w) })
	for n, word := range words {
		if content && analysis.StopWord(word) {
			continue // it counts in titles and phrases alone
		}
		forms, prefixed := map[string]float64{}, map[string]float64{}
		for _, terms := range o.terms {
			for term := range terms {
				switch {
				case term == word:
					forms[term] = 1
				case !analysis.StopWord(word) && !analysis.StopWord(term) && analysis.Stemmable(word) &&
					analysis.Stemmable(term) && analysis.Stem(term) == analysis.Stem(word):
					forms[term] = o.params.Stem
				}
				if n == len(words)-1 && term != word && strings.HasPrefix(term, word) {
					prefixed[term] = o.params.Prefix
				}
			}
		}
		var named []map[string]float64 // by synonym
		for _, other := range analysis.Synonyms(word) {
			form := analysis.Inflection(other)
			if slices.ContainsFunc(words, func(w string) bool { return analysis.Inflection(w) == form }) {
				continue
			}
			group := map[string]float64{}
			for _, terms := range o.terms {
				for term := range terms {
					switch {
					case term == other:
						group[term] = o.params.Synonym
					case analysis.Inflection(term) == form && analysis.Stem(term) == analysis.Stem(other):
						group[term] = o.params.Synonym * o.params.Stem
					}
				}
			}
			if len(group) > 0 {
				named = append(named, group)
			}
		}
		if len(forms) == 0 {
			for term := range prefixed {
				prefixed[term] = o.params.PrefixOnly
			}
		}
		weight := 1.0
		if analysis.StopWord(word) {
			weight = o.params.Stop
		}
		exact, idf, found := o.group(forms)
		completed, idfCompleted, foundCompleted := o.group(prefixed)
		alone := !slices.ContainsFunc(words, func(w string) bool { return w != word && !analysis.StopWord(w) })
		apart := alone && len(forms) > 0 // the completions
		most := 0.0
		if len(forms) > 0 {
			most = idf
		}
		if len(prefixed) > 0 && !apart {
			if len(forms) > 0 && idfCompleted > o.params.Rarer*idf {
				for doc := range completed {
					completed[doc] *= o.params.Rarer * idf / idfCompleted
				}
				idfCompleted = o.params.Rarer * idf
			}
			most, found = max(most, idfCompleted), found+foundCompleted
		}
		n := float64(len(o.terms))
		without := max(1-found/n, 0)
		for _, group := range named {
			_, _, found := o.group(group)
			without *= 1 - found/n
		}
		part := 1.0
		if together := math.Log1p((n*without + .5) / (n*(1-without) + .5)); together < most && len(named) > 0 {
			part = 1 - o.params.Meaning*(1-together/most)
			most *= part
		}
		others := make([]float64, len(sums))
		for _, group := range named {
			scores, idf, _ := o.group(group)
			for doc := range scores {
				others[doc] = max(others[doc], scores[doc]*min(1, most/idf))
			}
		}
		for doc := range sums {
			sums[doc] += weight * o.params.Other * others[doc]
			if apart {
				sums[doc] += weight * (part*exact[doc] + o.params.Begun*completed[doc]*min(1, idf/idfCompleted))
				continue
			}
			sums[doc] += weight * part * max(exact[doc], completed[doc])
		}
	}
	return sums
}

func TestScoresByDefinition(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 1))
	words := strings.Fields("agent agents build building cache the of config configure collector exporter span trac worda co e")
	for range 10 {
		var documents []*Document
		index := New(Config{})
		for n := range 40 {
			d := randomDocument(r, fmt.Sprintf("page_%03d", n))
			d.Published = true
			documents = append(documents, d)
			mustApply(t, index, int64(n), put(d))
		}
		o := newOracle(documents)
		for range 30 {
			query := []string{words[r.IntN(len(words)-3)], words[r.IntN(len(words))]}
			known := func(w string) bool {
				return slices.ContainsFunc(o.terms, func(m map[string]*[segment.Fields]float64) bool { return m[w] != nil })
			}
			if query[0] == query[1] || !known(query[0]) || known(query[0]+query[1]) {
				continue // corrections and compounds are tested elsewhere
			}
			want := o.base(query)
			answer := mustSearch(t, index, Query{Text: strings.Join(query, " "), Limit: 100, Explain: true})
			have := make([]float64, len(documents))
			for _, hit := range answer.Hits {
				n := slices.IndexFunc(documents, func(d *Document) bool { return d.ID == hit.ID })
				have[n] = hit.Explanation.Base / hit.Explanation.Factor
			}
			for n := range documents {
				if math.Abs(have[n]-want[n]) > 1e-4*(1+want[n]) {
					t.Fatalf("%q in document %d: have %g, want %g", query, n, have[n], want[n])
				}
			}
		}
	}
}
