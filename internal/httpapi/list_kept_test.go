package httpapi_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/metrics"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// Whatever this or another process does to pages, a cached list is only sent while it
// equals the database, and only to callers who may see it.
func TestListsFromMemory(t *testing.T) {
	t.Run("sqlite", func(t *testing.T) { newListed(t, 1, octavotest.Options{}).run(60) })
	t.Run("postgres", func(t *testing.T) { newListed(t, 2, octavotest.Options{PostgresURL: octavotest.Postgres(t)}).run(60) })
}

// listed is a few pages that are changed and listed at random.
type listed struct {
	*testing.T
	rng     *rand.Rand
	ahead   atomic.Int64 // of the clock
	servers []*octavotest.Server
	counts  []*metrics.Metrics
	readers []string // keys
	writer  string
	ids     []octavo.ID
	made    int
}

func newListed(t *testing.T, processes int, o octavotest.Options) *listed {
	l := &listed{T: t, rng: rand.New(rand.NewPCG(1, 2))}
	o.Now = l.now
	for range processes {
		o.Metrics = metrics.New("test")
		l.servers, l.counts = append(l.servers, octavotest.Start(t, o)), append(l.counts, o.Metrics)
	}
	l.writer = l.servers[0].Key(t, auth.KeyRequest{Scopes: octavo.ScopeWrite})
	l.readers = []string{l.servers[0].Key(t, auth.KeyRequest{}), l.servers[0].Key(t, auth.KeyRequest{PublishedOnly: true})}
	return l
}

func (l *listed) run(steps int) {
	for range steps {
		done, paths := l.change(), l.queries()
		for i, s := range l.servers {
			for _, path := range paths {
				for reader, key := range l.readers {
					l.compare(s, path, key, fmt.Sprintf("after %s, by process %d for reader %d", done, i, reader))
				}
			}
		}
	}
	for i, counts := range l.counts {
		w := httptest.NewRecorder()
		counts.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
		hits := regexp.MustCompile(`(?m)^octavo_page_cache_hits_total (\S+)$`).FindStringSubmatch(w.Body.String())
		if n, err := strconv.ParseFloat(hits[1], 64); err != nil || n == 0 {
			l.Errorf("process %d has answered %s pages from memory, want some", i, hits[1])
		}
	}
}

// change does something to the pages, which may be refused.
func (l *listed) change() (done string) {
	s := l.servers[l.rng.IntN(len(l.servers))]
	do := func(method, path, body string) {
		done = method + " " + path + " " + body
		resp, text := send(l.T, s, method, "/v1"+path, body, "X-API-Key", l.writer, "Content-Type", "application/json")
		if resp.StatusCode >= 500 {
			l.Fatalf("%s: have %d %s", done, resp.StatusCode, text)
		}
		for _, found := range regexp.MustCompile(`"id":"(page_[0-9a-z]{26})"`).FindAllStringSubmatch(text, -1) {
			if resp.StatusCode == http.StatusCreated || strings.HasSuffix(path, "/bulk") {
				l.ids = append(l.ids, octavo.ID(found[1]))
			}
		}
	}
	status := []string{"draft", "published", "published", "archived"}[l.rng.IntN(4)]
	title := []string{"a", "b", "c"}[l.rng.IntN(3)]
	l.made++
	page := fmt.Sprintf(`{"title":%q,"slug":"p%d","content":"of %d","status":%q,"frontmatter":{"tags":["red","t%d"]}}`, title, l.made%40, l.made, status, l.made%3)
	id := "/pages/" + string(l.pick())
	switch l.rng.IntN(12) {
	case 0, 1:
		do(http.MethodPost, "/pages", page)
	case 2:
		do(http.MethodPatch, id, fmt.Sprintf(`{"title":%q}`, title))
	case 3:
		do(http.MethodPatch, id, fmt.Sprintf(`{"status":%q}`, status))
	case 4:
		do(http.MethodPatch, id, fmt.Sprintf(`{"parentId":%q}`, l.pick()))
	case 5:
		do(http.MethodDelete, id+"?children="+[]string{"cascade", "reparent"}[l.rng.IntN(2)], "")
	case 6:
		do(http.MethodPost, id+"/restore", "")
	case 7:
		do(http.MethodPut, id, page)
	case 8:
		do(http.MethodPost, "/pages/bulk", fmt.Sprintf(`{"operations":[{"op":"create","page":%s,"parentId":%q},{"op":"update","id":%q,"page":{"status":%q}},{"op":"delete","id":%q}]}`,
			page, l.pick(), l.pick(), status, l.pick()))
	case 9:
		do(http.MethodPost, id+"/revisions/1/restore", "")
	case 10:
		at := l.now().Add(time.Minute).UTC().Format(time.RFC3339)
		do(http.MethodPatch, id, fmt.Sprintf(`{%q:%q}`, []string{"publishAt", "unpublishAt"}[l.rng.IntN(2)], at))
		l.ahead.Add(int64(2 * time.Minute))
		if _, _, err := s.Store.Pages.RunSchedule(l.Context(), octavo.Actor{}); err != nil {
			l.Fatal(err)
		}
	case 11:
		l.ahead.Add(int64(10 * 24 * time.Hour))
		done = "sweeping"
		if _, err := s.Store.Sweep(l.Context(), octavo.Actor{}); err != nil {
			l.Fatal(err)
		}
	}
	return done
}

func (l *listed) pick() octavo.ID {
	if len(l.ids) == 0 {
		return "page_00000000000000000000000000"
	}
	return l.ids[l.rng.IntN(len(l.ids))]
}

// queries returns the addresses of lists that differ in their filters alone.
func (l *listed) queries() (paths []string) {
	base := []string{"/v1", "/v2"}[l.rng.IntN(2)] + []string{"/pages?limit=3", "/pages?limit=50"}[l.rng.IntN(2)] +
		[]string{"", "&sort=title", "&sort=-updatedAt", "&sort=-createdAt"}[l.rng.IntN(4)]
	filters := []string{
		"", "", "&status=published", "&status=draft", "&tag=red", "&tag=t1", "&parentId=root", "&parentId=" + string(l.pick()),
		"&parentId=" + string(l.pick()), fmt.Sprintf("&slug=p%d", l.made%40), "&updatedAfter=" + l.now().Add(-time.Hour).UTC().Format(time.RFC3339),
	}
	for range 4 {
		paths = append(paths, base+filters[l.rng.IntN(len(filters))])
	}
	return paths
}

// now is the time of the servers.
func (l *listed) now() time.Time { return time.Now().Add(time.Duration(l.ahead.Load())) }

// compare holds a list, and what follows it, against the same read without memory.
func (l *listed) compare(s *octavotest.Server, path, key, when string) {
	want := l.list(s, path+"&include=children", key, "identity")
	for _, coding := range []string{"identity", "gzip", "identity", "gzip", "gzip"} {
		if have := l.list(s, path, key, coding); have.text != want.text {
			l.Fatalf("%s, GET %s in %s:\nhave %s\nwant %s", when, path, coding, have.text, want.text)
		}
	}
	if want.cursor != "" && !strings.Contains(path, "cursor=") {
		l.compare(s, path+"&cursor="+want.cursor, key, when)
	}
}

// answered is a list in a form that is the same for equal ones.
type answered struct{ text, cursor string }

func (l *listed) list(s *octavotest.Server, path, key, coding string) (a answered) {
	header := []string{"X-API-Key", key}
	if coding == "identity" {
		header = append(header, "Accept-Encoding", coding) // else it is asked for, and undone, on the way
	}
	resp, text := send(l.T, s, http.MethodGet, path, "", header...)
	var body struct {
		Data       []map[string]any
		Pagination struct {
			Cursor  string
			Limit   int
			HasMore bool
		}
	}
	if err := json.Unmarshal([]byte(text), &body); err != nil || resp.StatusCode != http.StatusOK {
		l.Fatalf("GET %s: have %d %s, %v", path, resp.StatusCode, text, err)
	}
	for _, page := range body.Data {
		delete(page, "children")
	}
	form, err := json.Marshal(body)
	if err != nil {
		l.Fatal(err)
	}
	return answered{string(form), body.Pagination.Cursor}
}
