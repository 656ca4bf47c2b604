package client

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
)

// TestExports asks for an export, waits for it, downloads and removes it. The
// download gets no credential: its address is signed.
func TestExports(t *testing.T) {
	t.Parallel()
	var asked []string
	looks := 0
	var server *httptest.Server
	server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.URL.RequestURI()+" "+r.Header.Get("Authorization"))
		switch {
		case r.URL.Path == "/file":
			_, _ = w.Write([]byte("bytes"))
		case r.Method == http.MethodPost:
			w.WriteHeader(http.StatusAccepted)
			_, _ = w.Write([]byte(`{"id":"exp_1","status":"queued","downloadUrl":null,"progress":{"done":0,"total":2}}`))
		case r.Method == http.MethodDelete:
			w.WriteHeader(http.StatusNoContent)
		case looks == 0:
			looks++
			_, _ = w.Write([]byte(`{"id":"exp_1","status":"processing","downloadUrl":null,"progress":{"done":1,"total":2}}`))
		default:
			_, _ = w.Write([]byte(`{"id":"exp_1","status":"ready","downloadUrl":"` + server.URL + `/file","progress":{"done":2,"total":2},"size":5,"sha256":"x"}`))
		}
	}))
	defer server.Close()
	c, err := New(server.URL, WithToken("t"))
	if err != nil {
		t.Fatal(err)
	}
	e, err := c.CreateExport(t.Context(), json.RawMessage(`{"format":"pdf","scope":"site"}`))
	if err != nil || e.ID != "exp_1" {
		t.Fatalf("have %+v, %v", e, err)
	}
	if _, err := c.Download(t.Context(), e, new(strings.Builder)); err == nil {
		t.Error("an export without a result can be downloaded")
	}
	var seen []int
	e, err = c.AwaitExport(t.Context(), e.ID, func(p octavo.ExportProgress) { seen = append(seen, p.Done) })
	if err != nil || e.Status != octavo.ExportReady || len(seen) != 2 || seen[1] != 2 {
		t.Fatalf("have %+v, %v, progress %v", e, err, seen)
	}
	var out strings.Builder
	if n, err := c.Download(t.Context(), e, &out); err != nil || n != 5 || out.String() != "bytes" {
		t.Errorf("have %q, %d, %v", &out, n, err)
	}
	e.Size = 6
	if _, err := c.Download(t.Context(), e, &out); err == nil {
		t.Error("a download that is too short is taken for whole")
	}
	if err := c.DeleteExport(t.Context(), e.ID); err != nil {
		t.Error(err)
	}
	want := "POST /v1/exports Bearer t|GET /v1/exports/exp_1?wait=2 Bearer t|GET /v1/exports/exp_1?wait=2 Bearer t|GET /file |GET /file |DELETE /v1/exports/exp_1 Bearer t"
	if have := strings.Join(asked, "|"); have != want {
		t.Errorf("requests:\nhave %s\nwant %s", have, want)
	}
}
