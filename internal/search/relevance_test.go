package search

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/octavo-docs/octavo/docs"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// What the ranking reaches over the project's own documentation, less a little.
// A change that makes it worse has to lower these, and to say why.
const (
	floorMRR     = .85
	floorSuccess = .75
)

func TestRelevanceOverTheProjectsDocs(t *testing.T) {
	t.Parallel()
	index := indexOf(t, Config{}, readCorpus(t, docs.Files()))
	board := scoreboard{}
	for _, task := range readTasks(t, "testdata/queries.jsonl") {
		if rank := board.answer(t, index, task); rank != 1 {
			t.Logf("%-10s rank %d: %s", task.Class, rank, task.Query)
		}
	}
	t.Logf("\n%s", board)
	all := board["all"]
	if all.mrr() < floorMRR || all.success() < floorSuccess {
		t.Errorf("MRR@10 %.3f, Success@1 %.3f; want at least %.3f and %.3f\n%s", all.mrr(), all.success(), floorMRR, floorSuccess, board)
	}
}

// Other sets of documentation are given by flags:
//
//	go test ./internal/search -run TestRelevanceOverCorpora -v \
//		-corpora FOLDER -queries FILE -misses
//
// FOLDER has a folder for each corpus that FILE names. FILE has an object of
// JSON on each line, with query, class, corpus, and the paths that are right.
var (
	corporaFlag = flag.String("corpora", "", "folder of corpora to measure relevance over")
	queriesFlag = flag.String("queries", "", "file of queries with known answers")
	misses      = flag.Bool("misses", false, "tell which queries are not answered first")
)

func TestRelevanceOverCorpora(t *testing.T) {
	t.Parallel()
	if *corporaFlag == "" {
		return
	}
	indexes := make(map[string]*Index)
	board := scoreboard{}
	for _, task := range readTasks(t, *queriesFlag) {
		if indexes[task.Corpus] == nil {
			indexes[task.Corpus] = indexOf(t, Config{}, readCorpus(t, os.DirFS(filepath.Join(*corporaFlag, task.Corpus))))
		}
		if rank := board.answer(t, indexes[task.Corpus], task); rank != 1 && *misses {
			t.Logf("%-10s rank %d: %s  (%v)", task.Class, rank, task.Query, task.Relevant)
		}
	}
	t.Logf("\n%s", board)
}
