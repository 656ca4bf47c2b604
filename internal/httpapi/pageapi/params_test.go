package pageapi

import (
	"bytes"
	"crypto/rand"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// FuzzQuery checks that parameters without a fault are fit for the store.
func FuzzQuery(f *testing.F) {
	for _, seed := range []string{
		"limit=5&sort=title&status=draft&tag=a%20b&slug=x&parentId=root&updatedAfter=2026-01-31T12%3A00%3A00%2B01%3A00",
		"include=authors,children,assets&cursor=AAAA", "limit=+1", "limit=1&limit=2", "a;b", "tag=%00", "slug=%ff", "parentId=page_01h455vb4pex5vsknk084sn02q",
		"limit=0x10&updatedAfter=0000-01-01T00:00:00Z", "include=", "%zz=1",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, query string) {
		var q pagestore.Query
		var mark *sqldb.Cursor
		a := rest.New(rest.Options{
			IDs: octavo.NewIDSource(time.Now, rand.Reader), Now: time.Now, Log: slog.New(slog.DiscardHandler), CursorKey: bytes.Repeat([]byte{1}, 32),
		})
		a.MountFiles("/pages", "pages", func(r *rest.Request) (*rest.Response, error) {
			p := r.Params()
			q = pageQuery(p)
			q.Limit = p.Limit()
			readInclude(p)
			mark = p.Cursor(listName(q))
			if mark != nil && r.Cursor(listName(q), *mark) != r.URL.Query().Get("cursor") {
				t.Errorf("%q: the cursor of %v is another one", query, mark)
			}
			return rest.JSON(http.StatusOK, nil), p.Faults.Err()
		})
		r := httptest.NewRequest(http.MethodGet, "/pages", nil)
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		a.ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			return
		}
		switch {
		case q.Limit < 1 || q.Limit > rest.MaxLimit,
			!slices.Contains([]string{"createdAt", "-createdAt", "-updatedAt", "title"}, string(q.Sort)),
			!slices.Contains([]string{"", "draft", "published", "archived"}, string(q.Status)),
			q.Slug != "" && octavo.CheckSlug(q.Slug) != "",
			q.Parent != nil && *q.Parent != "" && !octavo.ValidIdentifier(string(*q.Parent)),
			strings.ContainsRune(q.Tag, 0):
			t.Errorf("%q: have %+v behind %v without a fault", query, q, mark)
		}
	})
}
