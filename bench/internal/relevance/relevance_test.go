package relevance

import (
	"fmt"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/bench/internal/figure"
)

func TestScores(t *testing.T) {
	var scores table
	right := query{Class: "hand", Relevant: []string{"a", "b"}}
	for _, paths := range [][]string{{"x", "b", "a"}, {"a"}, nil, strings.Split("0123456789a", "")} { // ranks 2, 1, none, 11
		scores.note(right, answer{Paths: paths, Milliseconds: 2})
	}
	scores.note(query{Class: "phrase", Relevant: []string{"a"}}, answer{Paths: []string{"a"}, Milliseconds: 7})
	var list figure.List
	scores.figures("E", &list)
	var have []string
	for _, f := range list {
		have = append(have, fmt.Sprintf("%s %s %g", f.Name, f.Unit, f.Values[0]))
	}
	want := "all MRR@10 0.5, all Success@1 0.4, all queries 5, all mean-ms 3, hand MRR@10 0.375, hand Success@1 0.25, hand queries 4, phrase MRR@10 1, phrase Success@1 1, phrase queries 1"
	if strings.Join(have, ", ") != want {
		t.Errorf("have %s, want %s", strings.Join(have, ", "), want)
	}
}

func TestReadPage(t *testing.T) {
	p, err := readPage("guide/back-up/_index.md", []byte("---\ntitle: \"Back up\"\ndescription: Of data\n---\n# Ways\n\nA *copy*\nof [all](x.md).\n\n<Tip>Do\nit</Tip>\n\n```sh\ncp -r a b\n```\n"))
	if err != nil {
		t.Fatal(err)
	}
	if p.Words != "guide back up" || p.Title != "Back up" || p.Description != "Of data" || p.Headings != "Ways\n" {
		t.Errorf("have %+v", p)
	}
	for _, want := range []string{"A copy\nof all.", "Do", "cp -r a b"} {
		if !strings.Contains(p.Text, want) {
			t.Errorf("have the text %q, want %q in it", p.Text, want)
		}
	}
	if !strings.Contains(p.HTML, "<h1>Ways</h1>") {
		t.Errorf("have the HTML %q", p.HTML)
	}
	if p, err := readPage("a.md", []byte("# First\n")); err != nil || p.Title != "First" {
		t.Errorf("have %q, %v; want the heading as the title", p.Title, err)
	}
}

func TestQueriesInTheLanguagesOfPeers(t *testing.T) {
	for _, c := range []struct{ query, porter, trigram, postgres string }{
		{"rate limit", `("rate" OR "limit"*)`, `("rate" OR "limit")`, `('rate' | 'limit':*)`},
		{`"rate limit" in go`, `"rate limit" AND ("in" OR "go"*)`, `"rate limit"`, `('rate' <-> 'limit') & ('in' | 'go':*)`},
		{"--no-cache", `("no" OR "cache"*)`, `("cache")`, `('no' | 'cache':*)`},
		{"组合式函数", `("组合式函数"*)`, `("组合式" OR "合式函" OR "式函数")`, `('组合式函数':*)`},
		{"?", `""`, `""`, ""},
	} {
		if have := fts5Query(c.query, false); have != c.porter {
			t.Errorf("FTS5, %s: have %s, want %s", c.query, have, c.porter)
		}
		if have := fts5Query(c.query, true); have != c.trigram {
			t.Errorf("FTS5 by trigrams, %s: have %s, want %s", c.query, have, c.trigram)
		}
		if have := tsQuery(c.query); have != c.postgres {
			t.Errorf("PostgreSQL, %s: have %s, want %s", c.query, have, c.postgres)
		}
	}
}

func TestGoPeers(t *testing.T) {
	j := job{Queries: []string{"restore", `"copy of all"`, "databse"}, Pages: []page{
		{Path: "a.md", Title: "Backup", Text: "How to restore a backup."},
		{Path: "b.md", Title: "Copies", Text: "A copy of all pages."},
		{Path: "c.md", Title: "Databases", Text: "The database that is used."},
	}}
	for _, e := range []engine{{"Bleve", askBleve}, {"FTS5", fts5("porter unicode61")}} {
		answers, err := e.ask(t.Context(), j)
		if err != nil {
			t.Fatalf("%s: %v", e.name, err)
		}
		for i, want := range []string{"a.md", "b.md"} {
			if have := answers[i].Paths; len(have) == 0 || have[0] != want {
				t.Errorf("%s, %s: have %v, want %s first", e.name, j.Queries[i], have, want)
			}
		}
		if have := answers[2].Paths; e.name == "Bleve" && (len(have) == 0 || have[0] != "c.md") {
			t.Errorf("Bleve, a typo: have %v, want c.md first", have)
		}
	}
}
