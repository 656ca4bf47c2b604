package relevance

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/lang/cjk"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	blevequery "github.com/blevesearch/bleve/v2/search/query"
)

// fields are the page fields and their weights, for peers that leave weights to their
// users.
var fields = []struct {
	name  string
	boost float64
}{{"title", 4}, {"headings", 2.5}, {"words", 2}, {"description", 1.5}, {"text", 1}}

// askBleve searches by Bleve, with its analysis of the language: words in every
// field, the last one as a prefix too, and words with one error for a little.
func askBleve(ctx context.Context, j job) ([]answer, error) {
	mapping := bleve.NewIndexMapping()
	mapping.DefaultAnalyzer = en.AnalyzerName
	if j.Chinese {
		mapping.DefaultAnalyzer = cjk.AnalyzerName
	}
	index, err := bleve.NewMemOnly(mapping)
	if err != nil {
		return nil, fmt.Errorf("make an index: %w", err)
	}
	defer index.Close()
	batch := index.NewBatch()
	for _, p := range j.Pages {
		document := map[string]string{"title": p.Title, "headings": p.Headings, "words": p.Words, "description": p.Description, "text": p.Text}
		if err := batch.Index(p.Path, document); err != nil {
			return nil, fmt.Errorf("index %s: %w", p.Path, err)
		}
	}
	if err := index.Batch(batch); err != nil {
		return nil, fmt.Errorf("index: %w", err)
	}
	answers := make([]answer, len(j.Queries))
	for i, q := range j.Queries {
		began := time.Now()
		found, err := index.SearchInContext(ctx, bleve.NewSearchRequestOptions(bleveQuery(q), depth, 0, false))
		if err != nil {
			return nil, fmt.Errorf("search %q: %w", q, err)
		}
		answers[i].Milliseconds = milliseconds(began)
		for _, hit := range found.Hits {
			answers[i].Paths = append(answers[i].Paths, hit.ID)
		}
	}
	return answers, nil
}

func bleveQuery(text string) blevequery.Query {
	phrases, words := split(text)
	var required, some []blevequery.Query
	for _, phrase := range phrases {
		var somewhere []blevequery.Query
		for _, f := range fields {
			q := bleve.NewMatchPhraseQuery(phrase)
			q.SetField(f.name)
			q.SetBoost(f.boost)
			somewhere = append(somewhere, q)
		}
		required = append(required, bleve.NewDisjunctionQuery(somewhere...))
	}
	for _, f := range fields {
		if len(words) == 0 {
			break
		}
		match := bleve.NewMatchQuery(strings.Join(words, " "))
		match.SetField(f.name)
		match.SetBoost(f.boost)
		near := bleve.NewMatchQuery(strings.Join(words, " "))
		near.SetField(f.name)
		near.SetBoost(f.boost / 5)
		near.SetFuzziness(1)
		near.SetPrefix(1)
		prefix := bleve.NewPrefixQuery(strings.ToLower(words[len(words)-1]))
		prefix.SetField(f.name)
		prefix.SetBoost(f.boost / 2)
		some = append(some, match, near, prefix)
	}
	if len(some) > 0 {
		required = append(required, bleve.NewDisjunctionQuery(some...))
	}
	return bleve.NewConjunctionQuery(required...)
}
