package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/octavo-docs/octavo/internal/search/analysis"
	"github.com/octavo-docs/octavo/internal/search/segment"
)

// resolve finds a term in the sources. It reports whether any living document has it.
func (s *search) resolve(text string) (ids []int, known bool) {
	ids = make([]int, len(s.sources))
	for i := range s.sources {
		id, found := s.sources[i].Find(text)
		if found = found && s.alive(i, id); !found {
			id = -1
		}
		ids[i], known = id, known || found
	}
	return ids, known
}

// alive reports whether a living document has a term.
func (s *search) alive(source, id int) bool {
	src := &s.sources[source]
	if len(src.Dead) == 0 {
		return true
	}
	c := src.Cursor(id)
	for c.Next() {
		if s.stands(src, &c) {
			return true
		}
		if s.tick(1) != nil {
			return false
		}
	}
	return false
}

// count returns the number of living documents with a term.
func (s *search) count(ids []int) int {
	n := 0
	for i, id := range ids {
		if id >= 0 {
			n += s.frequency(i, id)
		}
	}
	return n
}

// exact returns the group of a word itself and, with forms, of its other forms.
func (s *search) exact(text string, forms bool) []group {
	g := group{kind: exactGroup}
	if ids, known := s.resolve(text); known {
		g.terms = append(g.terms, term{text: text, weight: 1, ids: ids, docs: s.count(ids)})
	}
	if forms && !analysis.StopWord(text) {
		for _, form := range s.gather(func(i int, add func(int)) { s.sources[i].Forms(text, s.speaks, add) }) {
			if form.text != text && !analysis.StopWord(form.text) {
				form.weight, form.docs = s.params.Stem, s.count(form.ids)
				g.terms = append(g.terms, form)
			}
		}
	}
	if len(g.terms) == 0 {
		return nil
	}
	return []group{g}
}

// speaks reports whether pages with a stemmer may be found.
func (s *search) speaks(stemmer analysis.Stemmer) bool {
	return len(s.query.Languages) == 0 || slices.ContainsFunc(s.query.Languages, func(language string) bool {
		return analysis.StemmerOf(language) == stemmer
	})
}

// gather makes terms from the numbers that each source adds, in order of their text.
func (s *search) gather(from func(source int, add func(id int))) []term {
	var found []term
	at := make(map[string]int)
	for i := range s.sources {
		from(i, func(id int) {
			if !s.alive(i, id) {
				return
			}
			text := s.sources[i].Term(id)
			n, known := at[string(text)]
			if !known {
				n = len(found)
				at[string(text)] = n
				ids := make([]int, len(s.sources))
				for j := range ids {
					ids[j] = -1
				}
				found = append(found, term{text: string(text), ids: ids})
			}
			found[n].ids[i] = id
		})
	}
	slices.SortFunc(found, func(a, b term) int { return strings.Compare(a.text, b.text) })
	return found
}

// frequent calls add for the most frequent terms of a range, counting only living
// documents. Otherwise words of many deleted pages would take the place of others.
func (s *search) frequent(source, from, to int, add func(id int)) {
	most := s.params.Expansions
	type counted struct{ id, docs int }
	rarer := func(a, b counted) int {
		return cmp.Or(cmp.Compare(b.docs, a.docs), cmp.Compare(a.id, b.id))
	}
	kept := make([]counted, 0, 2*most)
	bar := 1 // terms in fewer documents are not among the most frequent
	for id := from; id < to; id++ {
		if s.sources[source].Frequency(id) < bar {
			continue // counting would read its postings
		}
		c := counted{id, s.frequency(source, id)}
		if c.docs < bar {
			continue
		}
		if kept = append(kept, c); len(kept) == cap(kept) {
			slices.SortFunc(kept, rarer)
			kept = kept[:most]
			bar = kept[most-1].docs
		}
	}
	slices.SortFunc(kept, rarer)
	for _, c := range kept[:min(most, len(kept))] {
		add(c.id)
	}
}

// complete adds the group of the terms that complete an unfinished word.
func (s *search) complete(text string, groups []group) []group {
	terms := s.gather(func(i int, add func(int)) {
		from, to := s.sources[i].Prefixed(text)
		if from < to && len(s.sources[i].Term(from)) == len(text) {
			from++ // skips the word itself
		}
		s.frequent(i, from, to, add)
	})
	for i := range terms { // a source counts all its terms once one was found
		for j, id := range terms[i].ids {
			if id < 0 {
				if id, found := s.sources[j].Find(terms[i].text); found {
					terms[i].ids[j] = id
				}
			}
		}
		terms[i].docs = s.count(terms[i].ids)
	}
	slices.SortFunc(terms, func(a, b term) int {
		return cmp.Or(cmp.Compare(b.docs, a.docs), strings.Compare(a.text, b.text))
	})
	g := group{kind: prefixGroup}
	weight := s.params.Prefix
	if len(groups) == 0 {
		weight = s.params.PrefixOnly
	}
	room := s.params.Postings
	for _, t := range terms {
		if len(g.terms) == s.params.Expansions || len(g.terms) > 0 && t.docs > room {
			break
		}
		room -= t.docs
		t.weight = weight
		g.terms = append(g.terms, t)
	}
	if len(g.terms) == 0 {
		return groups
	}
	return append(groups, g)
}

// addSynonyms adds a group for each synonym of words in a row.
func (s *search) addSynonyms(groups []group, words ...string) []group {
	for _, other := range analysis.Synonyms(words...) {
		form := analysis.Inflection(other)
		if slices.Contains(s.said, form) {
			continue // it counts by itself
		}
		g := group{kind: synonymGroup}
		for _, found := range s.exact(other, true) {
			for _, t := range found.terms {
				if analysis.Inflection(t.text) == form {
					t.weight *= s.params.Synonym
					g.terms = append(g.terms, t)
				}
			}
		}
		if len(g.terms) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// Limits of corrections.
const (
	minTypo      = 4  // minimum letters for one correction
	minTwoTypos  = 8  // minimum letters for two corrections
	maxTypo      = 40 // maximum letters of a corrected word
	maxCorrected = 12 // maximum terms for a word
)

// correct looks for corrections of an unknown word: a known word with one
// letter changed, known words written as one, a known word with two letters
// changed. It reports whether it added units.
func (s *search) correct(u *unit, last bool) bool {
	letters := 0
	for _, r := range u.text {
		if letters++; '0' <= r && r <= '9' {
			return false
		}
	}
	if letters < minTypo || letters > maxTypo {
		return false
	}
	if u.groups = s.similar(u.text, 1, last); len(u.groups) > 0 {
		return false
	}
	if pieces := s.split(u.text); len(pieces) > 0 {
		for i, piece := range pieces {
			p := *u
			p.kind, p.text, p.groups, p.pos = splitUnit, piece, s.exact(piece, false), u.pos+i
			p.weight *= s.params.Split
			s.addUnit(p)
		}
		return true
	}
	if letters >= minTwoTypos {
		u.groups = s.similar(u.text, 2, last)
	}
	return false
}

// similar returns the group of possible corrections of a word: nearest
// first, then by frequency, then those with the same first letter.
func (s *search) similar(text string, distance int, last bool) []group {
	matches := make(map[string]segment.Match)
	terms := s.gather(func(i int, add func(int)) {
		s.sources[i].Similar(text, distance, last, distance > 1, func(m segment.Match) bool {
			matches[string(s.sources[i].Term(m.Term))] = m
			add(m.Term)
			return s.tick(16) == nil
		})
		_ = s.tick(s.sources[i].Terms() / 16) // it stores the error
	})
	for i := range terms {
		terms[i].docs = s.count(terms[i].ids)
	}
	rank := func(t term) (int, int) {
		far, other := 2*matches[t.text].Distance, 0
		if matches[t.text].Prefix {
			far++
		}
		if t.text[0] != text[0] {
			other = 1
		}
		return far, other
	}
	slices.SortStableFunc(terms, func(a, b term) int {
		farA, otherA := rank(a)
		farB, otherB := rank(b)
		return cmp.Or(cmp.Compare(farA, farB), cmp.Compare(b.docs, a.docs), cmp.Compare(otherA, otherB))
	})
	if len(terms) > maxCorrected {
		terms = terms[:maxCorrected]
	}
	if len(terms) == 0 {
		return nil
	}
	for i := range terms {
		terms[i].weight = s.params.Typo[matches[terms[i].text].Distance]
	}
	return []group{{kind: typoGroup, terms: terms}}
}
