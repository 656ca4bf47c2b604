package search

import (
	"fmt"
	"slices"

	"github.com/octavo-docs/octavo/internal/search/query"
	"github.com/octavo-docs/octavo/internal/search/segment"
)

// Ranking is how documents are ranked.
type Ranking = query.Params

// DefaultRanking returns the parameters that did best in measurements.
func DefaultRanking() Ranking { return query.DefaultParams() }

// Fields returns the names of the fields of a document, as RankingOf takes and
// explanations tell them.
func Fields() []string {
	names := make([]string, segment.Fields)
	for f := range segment.Fields {
		names[f] = f.String()
	}
	return names
}

// RankingOf returns the default ranking with other weights of some fields,
// which are numbers above 0: a word counts by what its field weighs against the
// others. It fails for a field that there is not.
func RankingOf(weights map[string]float64) (Ranking, error) {
	ranking, names := DefaultRanking(), Fields()
	for name, weight := range weights {
		f := slices.Index(names, name)
		if f < 0 {
			return Ranking{}, fmt.Errorf("documents have no field %q", name)
		}
		ranking.Fields[f].Weight = weight
	}
	return ranking, nil
}
