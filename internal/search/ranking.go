package search

import (
	"fmt"
	"slices"

	"github.com/octavo-docs/octavo/internal/search/query"
	"github.com/octavo-docs/octavo/internal/search/segment"
)

// Ranking has the parameters of ranking.
type Ranking = query.Params

// DefaultRanking returns the best measured parameters.
func DefaultRanking() Ranking { return query.DefaultParams() }

// Fields returns the names of the fields of a document, as in RankingOf and
// explanations.
func Fields() []string {
	names := make([]string, segment.Fields)
	for f := range segment.Fields {
		names[f] = f.String()
	}
	return names
}

// RankingOf returns the default ranking with other weights of some fields, which are
// numbers above 0, relative to each other. It fails for an unknown field.
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
