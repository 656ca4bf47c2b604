package importer

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/importer/brought"
)

// serve answers the two operations of the API that an import uses from m.
func serve(t *testing.T, m *memory) Target {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/pages", func(w http.ResponseWriter, r *http.Request) {
		var list [][]byte
		for _, p := range m.pages {
			page := *p
			if r.FormValue("include") == "imported" {
				b, _, _ := brought.Read(m.imported[p.ID])
				page.Imported, _ = b.Object(nil)
			}
			list = append(list, page.AppendJSON(nil))
		}
		fmt.Fprintf(w, `{"data":[%s],"pagination":{"limit":100,"hasMore":false}}`, joinBytes(list))
	})
	mux.HandleFunc("GET /v1/pages/{id}", func(w http.ResponseWriter, r *http.Request) {
		page, err := m.Page(r.Context(), octavo.ID(r.PathValue("id")))
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(page.AppendJSON(nil))
	})
	mux.HandleFunc("POST /v1/pages/bulk", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		v, err := octavo.ValueOf(body)
		if err != nil {
			t.Error(err)
		}
		bulk, err := octavo.DecodeBulk(v, true)
		if err != nil {
			t.Error(err)
		}
		var results [][]byte
		for _, op := range bulk.Operations {
			if op.Err != nil {
				t.Errorf("operation: %v", op.Err)
			}
			results = append(results, m.answer(op))
		}
		fmt.Fprintf(w, `{"results":[%s]}`, joinBytes(results))
	})
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	c, err := client.New(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	return Server(c)
}

func joinBytes(list [][]byte) string {
	parts := make([]string, len(list))
	for i, item := range list {
		parts[i] = string(item)
	}
	return strings.Join(parts, ",")
}

// answer carries one operation out as a server does.
func (m *memory) answer(op octavo.BulkOperation) []byte {
	results, _ := m.Apply(context.Background(), []octavo.BulkOperation{op})
	var e *octavo.Error
	if errors.As(results[0].Err, &e) {
		info := e.Type.Info()
		p, _ := json.Marshal(octavo.Problem{Type: "/problems/" + string(e.Type), Title: info.Title, Status: info.Status, Detail: e.Detail, Errors: e.Fields})
		return fmt.Appendf(nil, `{"status":%d,"problem":%s}`, info.Status, p)
	}
	if op.Op == octavo.BulkDelete {
		return []byte(`{"status":204}`)
	}
	return fmt.Appendf(nil, `{"status":200,"page":%s}`, m.pages[results[0].ID].AppendJSON(nil))
}

func TestServerTarget(t *testing.T) {
	m := newMemory()
	target := serve(t, m)
	files := folder("index.md", "---\ntags: [x]\nn: 1.50\n---\n<b>", "a/index.md", "---\nslug: q\naliases: /old\n---\n", "a/b.md", "# B\u2028&", "c.md", "---\nslug: w\n---\n")
	if have, want := actions(mustRun(t, files, target, Options{})), "created a/b.md, created a/index.md, created c.md, created index.md"; have != want {
		t.Errorf("have %s, want %s", have, want)
	}
	if have := actions(mustRun(t, files, target, Options{})); have != "" {
		t.Errorf("second run: have %s, want nothing", have)
	}
	home := m.bySource("index.md")
	if home.Content != "<b>" || string(home.Frontmatter) != `{"tags":["x"],"n":1.50}` || m.raw[home.ID] != "---\ntags: [x]\nn: 1.50\n---\n" {
		t.Errorf("have %+v with %q", home, m.raw[home.ID])
	}
	if b := m.bySource("a/b.md"); m.pages[b.ParentID].ParentID != home.ID || m.formerOf(b.ParentID)[0] != "old" {
		t.Errorf("the way from a/b.md to the root is not right: %+v", m.pages)
	}
	// A slug that moves on reaches the importer as a problem of its kind.
	files = folder("index.md", "---\nslug: q\n---\n", "a/index.md", "---\nslug: w\n---\n", "a/b.md", "# B\u2028&", "c.md", "---\nslug: v\n---\n")
	if have, want := actions(mustRun(t, files, target, Options{})), "updated a/index.md, updated c.md, updated index.md"; have != want {
		t.Errorf("slugs move: have %s, want %s", have, want)
	}
}

func TestServerWithoutAnswer(t *testing.T) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodGet {
			fmt.Fprint(w, `{"data":[],"pagination":{"limit":100,"hasMore":false}}`)
			return
		}
		fmt.Fprint(w, `{"results":[{"status":201}]}`)
	}))
	defer srv.Close()
	c, err := client.New(srv.URL)
	if err != nil {
		t.Fatal(err)
	}
	if e := mustRun(t, folder("a.md", "x"), Server(c), Options{})[0]; !e.Failed {
		t.Errorf("have %+v, want that the page failed", e)
	}
}
