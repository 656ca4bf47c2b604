package faulttest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"syscall"
	"testing"
	"time"
)

// pagesOfWord is the number of pages written together with a common word.
const pagesOfWord = 20

// A server that was killed while it indexes, merges or saves its index finds every page
// that it had confirmed, and no deleted one.
func TestKilledWhileIndexing(t *testing.T) {
	t.Parallel()
	in := onSQLite(t)
	a := newAPI(t, "", in.token(t))
	moments := chance(1<<16 - 9)
	finds := map[string]int{} // pages by word
	var before []any          // deletions of what was written last
	for round := 0; round <= 2**rounds && !t.Failed(); round++ {
		s := in.serve(t)
		a.url = s.url
		for word, want := range finds {
			until(t, "search for what was written", func() error { return a.finds(t, word, want) })
		}
		for batch := range 6 {
			word := fmt.Sprintf("willow%dx%d", round, batch)
			if len(before) > 0 && batch%2 == 1 {
				a.bulk(t, before)
				finds[fmt.Sprintf("willow%dx%d", round, batch-1)] = 0
			}
			before = nil
			for _, id := range a.bulk(t, creations(word)) {
				before = append(before, map[string]any{"op": "delete", "id": id})
			}
			finds[word] = pagesOfWord
		}
		before = nil
		if round%2 == 1 { // so that it is killed while it stops and saves, or just afterwards
			_ = s.cmd.Process.Signal(syscall.SIGTERM) // it runs
		}
		<-time.After(time.Duration(moments.Int64N(int64(30 * time.Millisecond))))
		s.kill()
		in.doctor(t)
	}
}

// creations are operations that create published pages with a word.
func creations(word string) (operations []any) {
	for n := range pagesOfWord {
		operations = append(operations, map[string]any{"op": "create", "page": map[string]any{
			"title": "Tree", "slug": fmt.Sprintf("%s-%d", word, n), "status": "published", "content": "A tree: " + word + ".",
		}})
	}
	return operations
}

// bulk performs all operations, and returns the ids of their pages.
func (a *api) bulk(t *testing.T, operations []any) (ids []string) {
	t.Helper()
	res, err := a.do(t.Context(), call{method: http.MethodPost, path: "/pages/bulk", body: map[string]any{"atomic": true, "operations": operations}})
	var result struct {
		Results []struct {
			Status int
			Page   struct{ ID string }
		}
	}
	if err == nil {
		err = json.Unmarshal(res.body, &result)
	}
	if err != nil || res.status != http.StatusOK {
		t.Fatalf("bulk: have %s, %v", res, err)
	}
	for _, r := range result.Results {
		if r.Status >= http.StatusBadRequest {
			t.Fatalf("bulk: have %s", res)
		}
		ids = append(ids, r.Page.ID)
	}
	return ids
}

// finds returns what is wrong with a search for a word in quotes.
func (a *api) finds(t *testing.T, word string, want int) error {
	res, err := a.do(t.Context(), call{method: http.MethodGet, path: "/search?limit=100&q=%22" + word + "%22"})
	if err != nil {
		return err
	}
	var found []struct{ ID string }
	if err := json.Unmarshal(res.body, &found); err != nil || len(found) != want {
		return fmt.Errorf("search for %s: have %d pages in %s, want %d", word, len(found), res, want)
	}
	return nil
}
