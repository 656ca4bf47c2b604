package target_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/octavo-docs/octavo/bench/internal/corpus"
	"github.com/octavo-docs/octavo/bench/internal/target"
)

// docs stands in for an Octavo: it keeps the slugs that were created and lists
// them with the number of the next page as cursor.
type docs struct {
	mu    sync.Mutex
	slugs []string
}

func (d *docs) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case r.Header.Get("Authorization") != "Bearer secret":
		w.WriteHeader(http.StatusUnauthorized)
	case r.URL.Path == "/v1/pages/bulk":
		var in struct {
			Operations []struct {
				Op   string
				Page corpus.Page
			}
		}
		_ = json.NewDecoder(r.Body).Decode(&in) // what is missing shows in the count
		for _, op := range in.Operations {
			d.slugs = append(d.slugs, op.Page.Slug)
		}
		fmt.Fprintf(w, `{"results":[%s]}`, strings.TrimSuffix(strings.Repeat(`{"status":201},`, len(in.Operations)), ","))
	case r.Method == http.MethodPost:
		w.WriteHeader(http.StatusCreated)
		fmt.Fprint(w, `{"id":"page_new"}`)
	case r.URL.Path == "/v1/pages":
		from, _ := strconv.Atoi(r.URL.Query().Get("cursor")) // none is the start
		limit, _ := strconv.Atoi(r.URL.Query().Get("limit"))
		to := min(from+limit, len(d.slugs))
		var items []string
		for n := from; n < to; n++ {
			items = append(items, fmt.Sprintf(`{"id":"page_%d"}`, n))
		}
		cursor := ""
		if to < len(d.slugs) {
			cursor = fmt.Sprintf(`"cursor":"%d",`, to)
		}
		fmt.Fprintf(w, `{"data":[%s],"pagination":{%s"limit":%d}}`, strings.Join(items, ","), cursor, limit)
	default:
		w.Header().Set("ETag", `"1"`)
		fmt.Fprintf(w, `{"id":%q}`, r.URL.Path)
	}
}

// start starts a stand-in with pages.
func start(t *testing.T, pages int) (base string, d *docs) {
	t.Helper()
	d = &docs{}
	srv := httptest.NewServer(d)
	t.Cleanup(srv.Close)
	if err := target.FillOctavo(t.Context(), srv.URL, "secret", 0, pages, func(int) {}); err != nil {
		t.Fatal(err)
	}
	return srv.URL, d
}

func TestFillCreatesEveryPageOnce(t *testing.T) {
	_, d := start(t, 1234)
	slices.Sort(d.slugs)
	if have := len(slices.Compact(d.slugs)); have != 1234 {
		t.Errorf("have %d pages, want 1234", have)
	}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"results":[{"status":409,"problem":{"title":"taken"}}]}`)
	}))
	defer srv.Close()
	err := target.FillOctavo(t.Context(), srv.URL, "secret", 0, 1, func(int) {})
	if err == nil || !strings.Contains(err.Error(), "taken") {
		t.Errorf("a refused page: have %v, want its problem", err)
	}
}

func TestWalkOctavo(t *testing.T) {
	base, _ := start(t, 250)
	a, err := target.Octavo(t.Context(), base, "secret")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"/v1/pages?limit=20", "/v1/pages?limit=20&cursor=100", "/v1/pages?limit=20&cursor=200"}
	if !slices.Equal(a.Lists, want) {
		t.Errorf("lists: have %q, want %q", a.Lists, want)
	}
	if slices.IsSorted(a.Pages) || len(a.Pages) != 250 {
		t.Errorf("have %d pages, want 250 in no order", len(a.Pages))
	}
	if _, err := target.Octavo(t.Context(), base, "wrong"); err == nil {
		t.Error("with a wrong token: have no error")
	}
}

func TestSourcesToRequests(t *testing.T) {
	base, _ := start(t, 100)
	a, err := target.Octavo(t.Context(), base, "secret")
	if err != nil {
		t.Fatal(err)
	}
	second := func(*rand.Rand) int { return 1 }
	for _, c := range []struct {
		name string
		work target.Workload
		want string
	}{
		{"read", a.Read(second), "GET " + a.Pages[1]},
		{"list", a.List(false), "GET /v1/pages?limit=20"},
		{"filter", a.Filter("tag"), "GET /v1/pages?limit=20&tag=topic-03"},
		{"create", a.Writes(7), "POST /v1/pages"},
		{"mixed", a.Mixed(second, 7), "GET " + a.Pages[1]},
	} {
		bytes := string(c.work(0)(nil))
		r, err := http.ReadRequest(bufio.NewReader(strings.NewReader(bytes)))
		if err != nil {
			t.Errorf("%s: %v in %q", c.name, err, bytes)
			continue
		}
		body, err := io.ReadAll(r.Body)
		if err != nil || int64(len(body)) != r.ContentLength {
			t.Errorf("%s: have %d bytes of body (%v), want %d", c.name, len(body), err, r.ContentLength)
		}
		if have := r.Method + " " + r.RequestURI; have != c.want || r.Header.Get("Authorization") != "Bearer secret" || r.Host == "" {
			t.Errorf("%s: have %s with %v, want %s", c.name, have, r.Header, c.want)
		}
	}
	writes := a.Writes(7)
	if one, two := string(writes(0)(nil)), string(writes(1)(nil)); one == two {
		t.Error("two connections create the same page")
	}
}

func TestCaptureKeepsAnswers(t *testing.T) {
	base, _ := start(t, 100)
	a, err := target.Octavo(t.Context(), base, "secret")
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "answers")
	if _, err := target.Capture(t.Context(), base, a, file, 1); err != nil {
		t.Fatal(err)
	}
	found := map[string]target.Answer{}
	err = target.Answers(file, func(a target.Answer) { found[a.Method+" "+a.Path] = a })
	if err != nil {
		t.Fatal(err)
	}
	if want := len(a.Pages) + len(a.Lists) + 1; len(found) != want {
		t.Errorf("have %d answers, want %d", len(found), want)
	}
	page := found["GET "+a.Pages[0]]
	if page.Status != 200 || page.Header.Get("ETag") != `"1"` || page.Header.Get("Date") != "" || string(page.Body) != fmt.Sprintf(`{"id":%q}`, a.Pages[0]) {
		t.Errorf("have %+v, want the answer without its date", page)
	}
	if made := found["POST /v1/pages"]; made.Status != 201 || string(made.Body) != `{"id":"page_new"}` {
		t.Errorf("have %+v, want the created page", made)
	}
}
