package query

import (
	"math"

	"github.com/octavo-docs/octavo/internal/search/analysis"
)

// unitKind is the origin of a unit.
type unitKind uint8

const (
	wordUnit unitKind = iota
	gramUnit
	compoundUnit  // a compound as a whole
	neighbourUnit // neighbouring words written as one
	flagUnit
	splitUnit // a piece of an unknown word
	begunUnit // completions of a known word
	otherUnit // synonyms of a word, which count only in titles, headings and links
)

// unit is what is looked up: a word of the query, or something made from words.
type unit struct {
	text     string
	kind     unitKind
	weight   float64
	pos      int
	span     int    // positions that it covers
	from, to int    // the words it is made from, if any; from is also the unit that it completes or stands for
	parts    uint64 // and their units
	stop     bool
	half     bool // of a contraction
	missing  bool // unknown
	rare     int  // see rare
	groups   []group
	docs     float64 // approximate number of documents
	idf      float64 // of its rarest group; that of the word, for its synonyms
}

// countGroup estimates the number of documents with any term of a group, as
// if each were spread by chance. Counting would read all postings, which for
// common words is most of the work.
func (s *search) countGroup(g *group) {
	without := 1.0
	for i := range g.terms {
		without *= 1 - float64(g.terms[i].docs)/float64(s.docs)
	}
	g.docs = float64(s.docs) * (1 - without)
}

// groupKind is how the terms of a group relate to the word.
type groupKind uint8

const (
	exactGroup groupKind = iota
	prefixGroup
	typoGroup
	synonymGroup
)

// group is a set of terms that stand for a word in one way. They share the
// number of documents with any of them.
type group struct {
	kind  groupKind
	terms []term
	docs  float64 // approximate number of documents with any of the terms
	idf   float64
}

// term is a term of the vocabulary and its weight relative to the word.
type term struct {
	text   string
	weight float64
	ids    []int // by source, -1 where it does not occur
	docs   int   // number of documents
}

// plan makes units from the query.
func (s *search) plan() {
	slots := s.parsed.slots
	weights := make([]float64, len(slots))
	for i := range slots {
		weights[i] = s.slotWeight(&slots[i])
	}
	wholes, rows := s.wholes(weights), s.rowSynonyms()
	seen := make(map[string]int) // units of words, by text
	unitOf := make([]int, len(slots))
	for i := range slots {
		if at, again := seen[slots[i].text]; again && !slots[i].last {
			unitOf[i] = at
			s.units[at].weight = max(s.units[at].weight, weights[i])
			continue
		}
		if unitOf[i] = len(s.units); len(s.units) == maxUnits {
			continue
		}
		seen[slots[i].text] = len(s.units)
		s.addWord(&slots[i], weights[i])
	}
	for _, u := range wholes {
		for i := u.from; i < u.to; i++ {
			u.parts |= 1 << unitOf[i] // none if there was no room
		}
		s.addUnit(u)
	}
	s.addOthers(unitOf, rows)
}

// addUnit adds a unit if there is room.
func (s *search) addUnit(u unit) {
	if len(s.units) < maxUnits {
		s.units = append(s.units, u)
	}
}

// slotWeight returns the weight of a word before compounds are known.
func (s *search) slotWeight(slot *slot) float64 {
	switch {
	case slot.half:
		return s.params.Contracted
	case slot.kind == analysis.Gram && analysis.FunctionGram(slot.text):
		return s.params.Function
	case slot.kind == analysis.Word && analysis.StopWord(slot.text):
		return s.params.Stop
	}
	return 1
}

// wholes finds the compounds and neighbours whose joined form is known, and
// lowers the weights of their parts.
func (s *search) wholes(weights []float64) []unit {
	var units []unit
	slots := s.parsed.slots
	for _, c := range s.parsed.compounds {
		if slots[c.from].half && !s.alone(slots[c.from].pos) {
			continue
		}
		base := unit{pos: slots[c.from].pos, span: slots[c.to-1].pos + 1 - slots[c.from].pos, from: c.from, to: c.to}
		if c.text != "" {
			u := base
			u.kind, u.text, u.weight = compoundUnit, c.text, s.params.Joined
			part := s.params.Part
			if c.name {
				u.weight, part = s.params.Name, s.params.NamePart
			}
			u.groups = s.exact(c.text, !c.phrase)
			if c.last && !c.phrase && len(c.text) >= minPrefixWhole {
				u.groups = s.complete(c.text, u.groups)
			}
			if len(u.groups) > 0 {
				for i := range units { // runs of letters within the compound came before it
					if units[i].from >= c.from && units[i].to <= c.to {
						units[i].weight = min(units[i].weight, part)
					}
				}
				for i := c.from; i < c.to; i++ {
					weights[i] = min(weights[i], part)
				}
				units = append(units, u)
			}
		}
		if c.flag != "" {
			u := base
			u.kind, u.text, u.weight = flagUnit, c.flag, s.params.Flag
			if u.groups = s.exact(c.flag, false); len(u.groups) > 0 {
				units = append(units, u)
			}
		}
	}
	return s.neighbours(units)
}

// minPrefixWhole is the minimum length for completing an unfinished compound.
const minPrefixWhole = 4

// maxNeighbours is how many words may be joined.
const maxNeighbours = 5

// neighbours finds neighbouring words that the documents write as one.
func (s *search) neighbours(units []unit) []unit {
	slots := s.parsed.slots
	for from := range slots {
		text := slots[from].text
		if slots[from].kind != analysis.Word || slots[from].phrase || slots[from].half {
			continue
		}
		for to := from + 1; to < len(slots) && to-from < maxNeighbours; to++ {
			next := &slots[to]
			if next.kind != analysis.Word || next.phrase || next.half || next.pos > slots[to-1].pos+1 || len(text)+len(next.text) > analysis.MaxTerm {
				break
			}
			text += next.text
			if s.oneCompound(from, to+1) {
				continue
			}
			u := unit{kind: neighbourUnit, text: text, weight: s.params.Neighbours, pos: slots[from].pos, span: next.pos + 1 - slots[from].pos, from: from, to: to + 1}
			if u.groups = s.exact(text, false); len(u.groups) > 0 {
				units = append(units, u)
			}
		}
	}
	return units
}

// oneCompound reports whether slots are within a compound.
func (s *search) oneCompound(from, to int) bool {
	for _, c := range s.parsed.compounds {
		if c.from <= from && to <= c.to && c.text != "" {
			return true
		}
	}
	return false
}

// addWord makes a unit from a word, or several if only pieces of it are known.
func (s *search) addWord(slot *slot, weight float64) {
	u := unit{kind: wordUnit, text: slot.text, weight: weight, pos: slot.pos, span: 1}
	switch {
	case slot.kind == analysis.Single && !slot.phrase:
		u.kind = gramUnit
		u.groups = s.complete(slot.text, s.exact(slot.text, false))
	case slot.kind != analysis.Word:
		u.kind, u.span = gramUnit, 2
		u.groups = s.exact(slot.text, false)
	default:
		u.stop, u.half = slot.half || analysis.StopWord(slot.text), slot.half
		u.groups = s.exact(slot.text, !slot.phrase)
		if slot.last {
			u.groups = s.complete(slot.text, u.groups)
		}
		begun := s.begun(&u, len(s.units))
		if !slot.phrase && !u.stop {
			u.groups = s.addSynonyms(u.groups, u.text)
		}
		if len(u.groups) == 0 && !slot.phrase && s.correct(&u, slot.last) {
			return
		}
		if len(u.groups) > 0 && !slot.phrase {
			s.addNamed(&u)
			s.addBegun(begun)
			return
		}
	}
	u.missing = len(u.groups) == 0
	s.addUnit(u)
}

// begun separates the completions from a unit that will be the at-th. If the
// word is known and the only one, completions count in addition, and less.
// After other words it may well be unfinished, since they show the meaning.
func (s *search) begun(u *unit, at int) unit {
	if len(u.groups) < 2 || !s.alone(u.pos) {
		return unit{}
	}
	groups := u.groups
	u.groups = groups[:1:1]
	return unit{kind: begunUnit, text: u.text, weight: u.weight * s.params.Begun, pos: u.pos, span: u.span, from: at, groups: groups[1:]}
}

// alone reports whether all other words of the query say little.
func (s *search) alone(pos int) bool {
	for i := range s.parsed.slots {
		if slot := &s.parsed.slots[i]; slot.pos != pos && !slot.half && !analysis.StopWord(slot.text) {
			return false
		}
	}
	return true
}

// addBegun adds the result of begun.
func (s *search) addBegun(u unit) {
	if len(u.groups) > 0 {
		s.addUnit(u)
	}
}

// addNamed adds a known word, and if it is two words of a title, also those.
func (s *search) addNamed(u *unit) {
	pieces := s.named(u.text)
	if len(s.units)+1+len(pieces) > maxUnits {
		pieces = nil
	}
	if len(pieces) > 0 {
		u.kind, u.from = compoundUnit, len(s.units)+1
		u.to = u.from + len(pieces)
	}
	s.addUnit(*u)
	for i, piece := range pieces {
		s.addUnit(unit{kind: splitUnit, text: piece, weight: u.weight * s.params.Named, pos: u.pos + i, span: 1, groups: s.exact(piece, false)})
	}
}

// weigh computes the idf of all units and the base of a perfect document.
func (s *search) weigh() {
	s.maxIDF, s.ideal = 0, 0
	for i := range s.units {
		u := &s.units[i]
		if u.idf, u.docs = 0, 0; u.kind != otherUnit {
			s.weighGroups(u)
			s.maxIDF = max(s.maxIDF, u.idf)
		}
	}
	s.level()
	for i := range s.units {
		u := &s.units[i]
		if u.missing {
			u.idf = s.params.Missing * s.maxIDF
			if u.kind == gramUnit {
				u.idf = s.params.MissingGram * s.maxIDF
			}
		}
		if u.kind != begunUnit && u.kind != otherUnit {
			s.ideal += u.weight * u.idf
		}
	}
	for i := range s.units {
		if u := &s.units[i]; u.kind == otherUnit {
			s.weighGroups(u)
			u.idf = s.stoodFor(u) // synonyms make a word no rarer
			s.rare(u)
		}
	}
}

// idf returns the idf of what is in a number of documents.
func (s *search) idf(docs float64) float64 {
	return math.Log1p((float64(s.docs) - docs + .5) / (docs + .5))
}

// weighGroups computes the idf of the groups of a unit.
func (s *search) weighGroups(u *unit) {
	for j := range u.groups {
		g := &u.groups[j]
		s.countGroup(g)
		g.idf = s.idf(g.docs)
		switch {
		case u.kind == begunUnit || u.kind == otherUnit:
			g.idf = min(g.idf, s.stoodFor(u)) // it is rarer, but says no more
		case j > 0 && g.kind == prefixGroup:
			g.idf = min(g.idf, s.params.Rarer*u.groups[0].idf)
		}
		u.idf = max(u.idf, g.idf)
		u.docs += g.docs
	}
}
