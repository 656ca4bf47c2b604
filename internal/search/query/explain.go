package query

// Explanation shows how a query was interpreted.
type Explanation struct {
	Documents int               `json:"documents"` // searched documents
	Units     []UnitExplanation `json:"units"`
	Phrases   [][]string        `json:"phrases,omitempty"`
}

// UnitExplanation is a word of the query, or a unit made from several.
type UnitExplanation struct {
	Text   string             `json:"text"`
	Kind   string             `json:"kind"`
	Weight float64            `json:"weight"`
	IDF    float64            `json:"idf"`
	Groups []GroupExplanation `json:"groups,omitempty"`
}

// GroupExplanation is a set of terms that stand for a word in one way.
type GroupExplanation struct {
	Kind      string   `json:"kind"`
	Documents float64  `json:"documents"` // approximate
	Terms     []string `json:"terms"`
}

// HitExplanation shows the parts of a score. The base is the sum over the words, times
// the factor, which is for news; the others are between 0 and 1.
type HitExplanation struct {
	Base      float64 `json:"base"`
	Factor    float64 `json:"factor"`
	Proximity float64 `json:"proximity"`
	Verbatim  float64 `json:"verbatim"`
	Title     float64 `json:"title"`
	Link      float64 `json:"link"`
	Heading   float64 `json:"heading"`
	Section   float64 `json:"section"`
}

// String returns the name of a kind of unit.
func (k unitKind) String() string {
	return [...]string{"word", "gram", "compound", "neighbours", "flag", "piece", "begun", "other"}[k]
}

// String returns the name of a kind of group.
func (k groupKind) String() string { return [...]string{"exact", "prefix", "typo", "synonym"}[k] }

// explain returns how the query was interpreted.
func (s *search) explain() *Explanation {
	x := &Explanation{Documents: s.docs, Units: []UnitExplanation{}}
	for i := range s.units {
		u := &s.units[i]
		unit := UnitExplanation{Text: u.text, Kind: u.kind.String(), Weight: u.weight, IDF: u.idf}
		for _, g := range u.groups {
			group := GroupExplanation{Kind: g.kind.String(), Documents: g.docs}
			for _, t := range g.terms {
				group.Terms = append(group.Terms, t.text)
			}
			unit.Groups = append(unit.Groups, group)
		}
		x.Units = append(x.Units, unit)
	}
	for _, p := range s.parsed.phrases {
		x.Phrases = append(x.Phrases, p.terms)
	}
	return x
}
