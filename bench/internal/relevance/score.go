package relevance

import (
	"slices"

	"github.com/octavo-docs/octavo/bench/internal/figure"
)

// table is how well one engine answers, by class of query.
type table struct {
	classes []*class
}

type class struct {
	name                     string
	queries, first           int
	reciprocal, milliseconds float64
}

// note notes the answer to a query, in its class and for all.
func (t *table) note(q query, a answer) {
	rank := slices.IndexFunc(a.Paths[:min(len(a.Paths), depth)], func(path string) bool { return slices.Contains(q.Relevant, path) }) + 1
	for _, name := range []string{figure.All, q.Class} {
		c := t.class(name)
		c.queries++
		c.milliseconds += a.Milliseconds
		if rank > 0 {
			c.reciprocal += 1 / float64(rank)
		}
		if rank == 1 {
			c.first++
		}
	}
}

func (t *table) class(name string) *class {
	for _, c := range t.classes {
		if c.name == name {
			return c
		}
	}
	t.classes = append(t.classes, &class{name: name})
	return t.classes[len(t.classes)-1]
}

func (t *table) asked(name string) int { return t.class(name).queries }

// figures adds the figures of the engine.
func (t *table) figures(engine string, list *figure.List) {
	for _, c := range t.classes {
		n := float64(c.queries)
		list.Add(engine, c.name, figure.MRR, c.reciprocal/n)
		list.Add(engine, c.name, figure.First, float64(c.first)/n)
		list.Add(engine, c.name, figure.Queries, n)
		if c.name == figure.All {
			list.Add(engine, c.name, figure.Mean, c.milliseconds/n)
		}
	}
}
