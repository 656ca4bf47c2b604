package search

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo/internal/document/reference"
	"github.com/octavo-docs/octavo/internal/frontmatter"
	"github.com/octavo-docs/octavo/internal/markdown"
)

// readCorpus makes documents of the Markdown files of a tree. The id of a
// document is its path.
func readCorpus(tb testing.TB, tree fs.FS) []Document {
	tb.Helper()
	var documents []Document
	links := make(map[string][]markdown.Link) // by the page that has them
	titles := make(map[string]string)         // of the index pages, by folder
	err := fs.WalkDir(tree, ".", func(name string, entry fs.DirEntry, err error) error {
		extension := path.Ext(name)
		if err != nil || entry.IsDir() || extension != ".md" && extension != ".mdx" || strings.HasSuffix(name, "SOURCE.md") {
			return err
		}
		content, err := fs.ReadFile(tree, name)
		if err != nil {
			return err
		}
		document := readDocument(tb, name, content)
		links[name] = markdown.Links(string(content), formatOf(name))
		if base := path.Base(name); base == "index.md" || base == "_index.md" {
			titles[path.Dir(name)] = document.Title
		}
		documents = append(documents, document)
		return nil
	})
	if err != nil {
		tb.Fatalf("reading the corpus: %v", err)
	}
	for i := range documents {
		d := &documents[i]
		folder := path.Dir(d.ID)
		if base := path.Base(d.ID); base == "index.md" || base == "_index.md" {
			folder = path.Dir(folder)
		}
		for ; folder != "."; folder = path.Dir(folder) {
			if title := titles[folder]; title != "" {
				d.Ancestors = append(d.Ancestors, title)
			}
		}
	}
	addLinkTexts(documents, links)
	return documents
}

// addLinkTexts gives the documents the texts of the links that lead to them.
// Addresses start where the files do: in the folder that all of them are in.
func addLinkTexts(documents []Document, links map[string][]markdown.Link) {
	root := path.Dir(documents[0].ID)
	for _, d := range documents {
		for root != "." && !strings.HasPrefix(d.ID, root+"/") {
			root = path.Dir(root)
		}
	}
	below := func(name string) string { return strings.TrimPrefix(name, root+"/") }
	at := make(map[string]int)
	for i, d := range documents {
		at[reference.PathKey(below(d.ID))] = i
	}
	for _, d := range documents {
		for _, link := range links[d.ID] {
			for _, target := range reference.Targets(link.Href, below(d.ID), "") {
				if i, found := at[target.Path]; found {
					if documents[i].ID != d.ID {
						documents[i].LinkTexts = append(documents[i].LinkTexts, link.Label)
					}
					break
				}
			}
		}
	}
}

func formatOf(name string) markdown.Format {
	if path.Ext(name) == ".mdx" {
		return markdown.Format{MDX: true}
	}
	return markdown.Format{}
}

func readDocument(tb testing.TB, name string, content []byte) Document {
	tb.Helper()
	d := Document{ID: name, Published: true, UpdatedAt: time.UnixMilli(int64(len(content)) * 1000)}
	raw, body, notation, err := frontmatter.Split(content)
	if err != nil {
		tb.Fatalf("front matter of %s: %v", name, err)
	}
	if notation != frontmatter.None {
		var meta struct {
			Title, Description string
			Tags               []string
		}
		front, err := frontmatter.Parse(raw, notation)
		if err == nil {
			err = json.Unmarshal(front, &meta)
		}
		if err != nil {
			tb.Fatalf("front matter of %s: %v", name, err)
		}
		d.Title, d.Description, d.Tags = meta.Title, meta.Description, meta.Tags
	}
	d.Sections, d.Labels = Sections(string(body), formatOf(name), nil, nil)
	slug := strings.TrimSuffix(name, path.Ext(name))
	slug = strings.TrimSuffix(strings.TrimSuffix(slug, "/index"), "/_index")
	d.Slug = slug
	return d
}

// task is a query and the documents that answer it.
type task struct {
	Query    string   `json:"query"`
	Class    string   `json:"class"`
	Corpus   string   `json:"corpus"`
	Relevant []string `json:"relevant"`
}

func readTasks(tb testing.TB, name string) []task {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatalf("reading queries: %v", err)
	}
	defer func() { _ = f.Close() }()
	var tasks []task
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var t task
		if err := json.Unmarshal(lines.Bytes(), &t); err != nil {
			tb.Fatalf("queries: %s: %v", lines.Text(), err)
		}
		tasks = append(tasks, t)
	}
	if err := lines.Err(); err != nil {
		tb.Fatalf("reading queries: %v", err)
	}
	return tasks
}

// indexOf returns an index of documents.
func indexOf(tb testing.TB, config Config, documents []Document) *Index {
	tb.Helper()
	index := New(config)
	changes := make([]Change, len(documents))
	for i := range documents {
		changes[i] = Change{ID: documents[i].ID, Document: &documents[i]}
	}
	if err := index.Apply(tb.Context(), 1, changes); err != nil {
		tb.Fatalf("indexing: %v", err)
	}
	return index
}

// rate sums up how well a class of queries was answered.
type rate struct {
	queries, first int
	reciprocal     float64
}

func (r rate) mrr() float64     { return r.reciprocal / float64(max(r.queries, 1)) }
func (r rate) success() float64 { return float64(r.first) / float64(max(r.queries, 1)) }

// scoreboard holds the rates by class, and of all queries under "all".
type scoreboard map[string]rate

// answer asks one query and notes how well it was answered; it returns the
// rank of the first right answer, 0 if none is among the first ten.
func (b scoreboard) answer(tb testing.TB, index *Index, t task) int {
	tb.Helper()
	answer, err := index.Search(tb.Context(), Query{Text: t.Query, Limit: 10, PublishedOnly: true})
	if err != nil {
		tb.Fatalf("searching %q: %v", t.Query, err)
	}
	rank := 0
	for i := len(answer.Hits) - 1; i >= 0; i-- {
		for _, id := range t.Relevant {
			if answer.Hits[i].ID == id {
				rank = i + 1
			}
		}
	}
	for _, class := range []string{"all", t.Class} {
		r := b[class]
		r.queries++
		if rank == 1 {
			r.first++
		}
		if rank > 0 {
			r.reciprocal += 1 / float64(rank)
		}
		b[class] = r
	}
	return rank
}

func (b scoreboard) String() string {
	var s strings.Builder
	fmt.Fprintf(&s, "%-18s %7s %7s %9s\n", "class", "queries", "MRR@10", "Success@1")
	for _, class := range sortedKeys(b) {
		fmt.Fprintf(&s, "%-18s %7d %7.3f %9.3f\n", class, b[class].queries, b[class].mrr(), b[class].success())
	}
	return s.String()
}
