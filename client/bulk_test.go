package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
)

func TestBulkEncodesOperations(t *testing.T) {
	parent, source, raw, title := octavo.ID("page_9"), "a/b.md", "x: 1 # <y>\n", "T"
	root, n := octavo.ID(""), int64(-4)
	bulk := octavo.Bulk{Atomic: true, Operations: []octavo.BulkOperation{
		{
			Op: octavo.BulkCreate, Create: &octavo.PageCreate{Title: "t", Slug: "s", Content: "<c>"}, ParentID: &parent,
			Position: &octavo.OptInt{Value: &n}, FormerSlugs: []string{"a", "b"}, Source: &source, ImportSet: &title, RawFront: &raw,
		},
		{Op: octavo.BulkUpdate, ID: "page_1", IfMatch: `"3"`, Patch: &octavo.PagePatch{Title: &title}, ParentID: &root, Position: &octavo.OptInt{}},
		{Op: octavo.BulkDelete, ID: "page_2", Children: "reparent"},
	}}
	want := `{"atomic":true,"operations":[` +
		`{"op":"create","page":{"title":"t","slug":"s","content":"<c>"},"parentId":"page_9","position":-4,"formerSlugs":["a","b"],"source":"a/b.md","importSet":"T","rawFrontmatter":"x: 1 # <y>\n"},` +
		`{"op":"update","id":"page_1","ifMatch":"\"3\"","page":{"title":"T"},"parentId":null,"position":null},` +
		`{"op":"delete","id":"page_2","children":"reparent"}]}`
	var have string
	c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		have = string(body)
		fmt.Fprint(w, `{"results":[{"status":201,"page":`+pageJSON+`},{"status":409,"problem":{"type":"/problems/slug-taken","title":"x","status":409}},{"status":204}]}`)
	})
	results, err := c.Bulk(context.Background(), bulk)
	if err != nil {
		t.Fatal(err)
	}
	if have != want {
		t.Errorf("have %s\nwant %s", have, want)
	}
	if len(results) != 3 || results[0].Page.ID != "page_1" || results[1].Problem.Status != 409 || results[2].Page != nil {
		t.Errorf("results: have %+v", results)
	}
}

func TestBulkDividesByNumberAndSize(t *testing.T) {
	var sizes []int
	keys := map[string]bool{}
	c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if len(body) > 200_000 {
			t.Errorf("a body of %d bytes, want at most 200000", len(body))
		}
		var in struct{ Operations []json.RawMessage }
		if err := json.Unmarshal(body, &in); err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(in.Operations))
		keys[r.Header.Get("Idempotency-Key")] = true
		fmt.Fprintf(w, `{"results":[%s]}`, strings.TrimSuffix(strings.Repeat(`{"status":204},`, len(in.Operations)), ","))
	}, client.WithMaxBody(200_000))
	var bulk octavo.Bulk
	for range 2500 {
		bulk.Operations = append(bulk.Operations, octavo.BulkOperation{Op: octavo.BulkDelete, ID: "page_1"})
	}
	for _, size := range []int{90_000, 90_000, 250_000, 90_000} {
		bulk.Operations = append(bulk.Operations, octavo.BulkOperation{Op: octavo.BulkCreate, Create: &octavo.PageCreate{Content: strings.Repeat("x", size)}})
	}
	results, err := c.Bulk(context.Background(), bulk, client.IdempotencyKey("k"))
	if err != nil {
		t.Fatal(err)
	}
	if have, want := fmt.Sprint(sizes), "[1000 1000 502 1]"; have != want {
		t.Errorf("requests: have %s, want %s", have, want)
	}
	if len(keys) != len(sizes) {
		t.Errorf("have %d keys for %d requests", len(keys), len(sizes))
	}
	for i, r := range results {
		if want := map[bool]int{true: 413, false: 204}[i == 2502]; r.Status != want {
			t.Errorf("result %d: have %d, want %d", i, r.Status, want)
		}
	}
	if _, err := c.Bulk(context.Background(), octavo.Bulk{Atomic: true, Operations: make([]octavo.BulkOperation, 1001)}); err == nil {
		t.Error("1001 atomic operations: have no error")
	}
}

func TestBulkWantsAResultForEach(t *testing.T) {
	c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, `{"results":[]}`) })
	if _, err := c.Bulk(context.Background(), octavo.Bulk{Operations: make([]octavo.BulkOperation, 1)}); err == nil {
		t.Error("have no error")
	}
}

// TestBulkInParts: short changes of long pages are sent again in
// halves, in their order, each request under a key of its own.
func TestBulkInParts(t *testing.T) {
	keys := map[string]bool{}
	refuseAll := false
	c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) {
		if key := r.Header.Get("Idempotency-Key"); keys[key] {
			t.Errorf("key %s was used twice", key)
		}
		keys[r.Header.Get("Idempotency-Key")] = true
		var in struct {
			Operations []struct{ ID string }
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		if len(in.Operations) > 3 || refuseAll {
			w.Header().Set("Content-Type", "application/problem+json")
			w.WriteHeader(http.StatusRequestEntityTooLarge)
			fmt.Fprint(w, `{"type":"/problems/too-large","title":"x","status":413}`)
			return
		}
		var results []string
		for _, op := range in.Operations {
			results = append(results, `{"status":200,"page":`+strings.Replace(pageJSON, "page_1", op.ID, 1)+`}`)
		}
		fmt.Fprint(w, `{"results":[`+strings.Join(results, ",")+`]}`)
	})
	var bulk octavo.Bulk
	title := "T"
	for i := range 10 {
		bulk.Operations = append(bulk.Operations, octavo.BulkOperation{Op: octavo.BulkUpdate, ID: octavo.ID(fmt.Sprintf("page_%d", i)), Patch: &octavo.PagePatch{Title: &title}})
	}
	results, err := c.Bulk(context.Background(), bulk, client.IdempotencyKey("k"))
	if err != nil || len(results) != len(bulk.Operations) {
		t.Fatalf("have %d results, %v, want %d", len(results), err, len(bulk.Operations))
	}
	for i, r := range results {
		if want := bulk.Operations[i].ID; r.Page == nil || r.Page.ID != want {
			t.Errorf("result %d: have %+v, want page %s", i, r.Page, want)
		}
	}
	refuseAll, keys = true, map[string]bool{}
	var refused *client.Problem
	if results, err := c.Bulk(context.Background(), bulk); !errors.As(err, &refused) || refused.Status != http.StatusRequestEntityTooLarge || len(results) > 0 {
		t.Errorf("a single one that is refused: have %d results, %v, want 413", len(results), err)
	}
}
