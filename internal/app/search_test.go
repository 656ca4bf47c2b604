package app_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/octavo-docs/octavo/internal/config"
	"github.com/octavo-docs/octavo/internal/search"
)

// TestEveryFieldHasItsWeight: the options know the fields of the search, and
// say what they weigh.
func TestEveryFieldHasItsWeight(t *testing.T) {
	t.Parallel()
	ranking := search.DefaultRanking()
	for i, field := range search.Fields() {
		o := config.Options{}
		parser, err := kong.New(&o, kong.NoDefaultHelp())
		if err != nil {
			t.Fatal(err)
		}
		if _, err := parser.Parse([]string{"--search-weights=" + field + "=0.25"}); err != nil {
			t.Fatal(err)
		}
		if err := o.Check(); err != nil {
			t.Errorf("--search-weights=%s=0.25: %v", field, err)
		}
		if have, err := search.RankingOf(o.SearchWeights()); err != nil || have.Fields[i].Weight != .25 {
			t.Errorf("%s: have %+v, %v; want the weight .25", field, have.Fields, err)
		}
		flags := parser.Model.Flags
		at := slices.IndexFunc(flags, func(f *kong.Flag) bool { return f.Name == "search-weights" })
		if want := fmt.Sprintf("%s=%g", field, ranking.Fields[i].Weight); !strings.Contains(flags[at].Help, want) {
			t.Errorf("the help of --search-weights lacks %s", want)
		}
	}
	if _, err := search.RankingOf(map[string]float64{"author": 1}); err == nil {
		t.Error("a field that there is not: have no error")
	}
}
