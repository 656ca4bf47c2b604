package search

import (
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo/docs"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// What the ranking reaches over the project's own documentation, less a little.
// A change that makes it worse has to lower these, and to say why.
const (
	floorMRR     = .86
	floorSuccess = .80
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
	indexes, documents := make(map[string]*Index), make(map[string][]Document)
	board, unseen := scoreboard{}, scoreboard{}
	for _, task := range readTasks(t, *queriesFlag) {
		if indexes[task.Corpus] == nil {
			documents[task.Corpus] = readCorpus(t, os.DirFS(filepath.Join(*corporaFlag, task.Corpus)))
			indexes[task.Corpus] = indexOf(t, Config{}, documents[task.Corpus])
		}
		index := indexes[task.Corpus]
		if rank := board.answer(t, index, task); rank != 1 && *misses {
			t.Logf("%-10s rank %d: %s  (%v)", task.Class, rank, task.Query, task.Relevant)
		}
		withoutLinks(t, index, documents[task.Corpus], task.Query, func() {
			if rank := unseen.answer(t, index, task); rank != 1 && *misses {
				t.Logf("%-10s unseen, rank %d: %s  (%v)", task.Class, rank, task.Query, task.Relevant)
			}
		})
	}
	t.Logf("\n%s", board)
	t.Logf("without the links whose text the query is:\n%s", unseen)
}

// withoutLinks calls measure while the index does not have the links whose text
// is the query, or nearly: where queries are texts of links, finding just these
// shows no judgement.
func withoutLinks(t *testing.T, index *Index, documents []Document, query string, measure func()) {
	t.Helper()
	var before, without []Change
	for i := range documents {
		d := &documents[i]
		same := func(text string) bool { return alike(text, query) }
		if slices.ContainsFunc(d.LinkTexts, same) {
			less := *d
			less.LinkTexts = slices.DeleteFunc(slices.Clone(d.LinkTexts), same)
			before, without = append(before, put(d)), append(without, put(&less))
		}
	}
	mustApply(t, index, 1, without...)
	measure()
	mustApply(t, index, 1, before...)
}

// alike reports whether most pairs of characters of two texts are the same.
func alike(a, b string) bool {
	count := map[string]int{}
	pairs := func(text string, n int) (total int) {
		runes := []rune(" " + strings.ToLower(text) + " ")
		for i := range len(runes) - 1 {
			count[string(runes[i:i+2])] += n
		}
		return len(runes) - 1
	}
	total := pairs(a, 1) + pairs(b, -1)
	apart := 0
	for _, n := range count {
		apart += max(n, -n)
	}
	return 5*apart < 2*total
}
