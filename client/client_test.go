package client_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
)

// clock stands still but for the pauses that are taken, which it records.
type clock struct {
	at      time.Time
	pauses  []time.Duration
	serving sync.Mutex // held while the server answers, which may outlast a lost request
}

func (c *clock) now() time.Time { return c.at }

func (c *clock) sleep(ctx context.Context, d time.Duration) error {
	c.pauses = append(c.pauses, d)
	c.at = c.at.Add(d)
	return ctx.Err()
}

// digits is a source of "random" bytes that never repeats itself.
type digits struct{ state [32]byte }

func (d *digits) Read(p []byte) (int, error) {
	d.state = sha256.Sum256(d.state[:])
	return copy(p, d.state[:]), nil
}

// connect returns a client of a server that answers with handler.
func connect(t *testing.T, handler http.HandlerFunc, opts ...client.Option) (*client.Client, *clock) {
	t.Helper()
	clk := &clock{at: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		clk.serving.Lock()
		defer clk.serving.Unlock()
		handler(w, r)
	}))
	t.Cleanup(srv.Close)
	opts = append([]client.Option{client.WithClock(clk.now, clk.sleep), client.WithRandom(&digits{})}, opts...)
	c, err := client.New(srv.URL, opts...)
	if err != nil {
		t.Fatal(err)
	}
	return c, clk
}

const pageJSON = `{"id":"page_1","title":"T","slug":"s","status":"draft","content":"<b>","parentId":null,` +
	`"createdAt":"2026-01-01T00:00:00.000Z","updatedAt":"2026-01-01T00:00:00.000Z","links":[],"position":3,"source":"a.md"}`

func TestNewRefusesAddresses(t *testing.T) {
	for _, addr := range []string{"", "docs.example.com", "ftp://docs.example.com", "http://", "http://u:p@h/", "http://h/?a=b", "http://h/#f", ":"} {
		if _, err := client.New(addr); err == nil {
			t.Errorf("New(%q): have no error, want one", addr)
		}
	}
	if _, err := client.New("http://h", client.WithTries(0)); err == nil {
		t.Error("WithTries(0): have no error, want one")
	}
	if _, err := client.New("http://h", client.WithHTTPClient(nil)); err == nil {
		t.Error("WithHTTPClient(nil): have no error, want one")
	}
}

func TestRequests(t *testing.T) {
	title, root := "A <b>&</b>", octavo.ID("")
	published := octavo.Published
	ctx := context.Background()
	tests := []struct {
		name string
		call func(*client.Client) error
		want string // method, address, condition, body
	}{
		{
			"get", func(c *client.Client) error {
				_, err := c.Get(ctx, "page_1", client.Include("authors", "children"))
				return err
			},
			"GET /v1/pages/page_1?include=authors%2Cchildren ",
		},
		{
			"get an odd id", func(c *client.Client) error { _, err := c.Get(ctx, "../x"); return err },
			"GET /v1/pages/..%2Fx ",
		},
		{
			"by slug", func(c *client.Client) error { _, err := c.GetBySlug(ctx, "a-b"); return err },
			"GET /v1/pages/by-slug/a-b ",
		},
		{"create", func(c *client.Client) error {
			_, err := c.Create(ctx, octavo.PageCreate{Title: title, Slug: "s", Content: "\u2028</script>", Status: published, Frontmatter: []byte(`{"b":1.0,"a":[]}`), CallbackURL: "http://x"})
			return err
		}, `POST /v1/pages {"title":"A <b>&</b>","slug":"s","content":"` + "\u2028" + `</script>","status":"published","frontmatter":{"b":1.0,"a":[]},"callbackUrl":"http://x"}`},
		{"patch", func(c *client.Client) error {
			_, err := c.Patch(ctx, "page_1", octavo.PagePatch{Title: &title, ParentID: &root, Position: &octavo.OptInt{}, Unpublish: &octavo.OptTime{}}, client.IfMatch(`"7"`))
			return err
		}, `PATCH /v1/pages/page_1 "7" {"title":"A <b>&</b>","parentId":null,"position":null,"unpublishAt":null}`},
		{"replace", func(c *client.Client) error {
			_, err := c.Replace(ctx, "page_1", octavo.PageCreate{Title: "t", Slug: "s", Content: "c"})
			return err
		}, `PUT /v1/pages/page_1 {"title":"t","slug":"s","content":"c"}`},
		{
			"delete", func(c *client.Client) error { return c.Delete(ctx, "page_1", client.Children("cascade")) },
			"DELETE /v1/pages/page_1?children=cascade ",
		},
		{
			"restore", func(c *client.Client) error { _, err := c.Restore(ctx, "page_1"); return err },
			"POST /v1/pages/page_1/restore ",
		},
		{
			"revision", func(c *client.Client) error { _, err := c.Revision(ctx, "page_1", 2); return err },
			"GET /v1/pages/page_1/revisions/2 ",
		},
		{
			"restore a revision", func(c *client.Client) error { _, err := c.RestoreRevision(ctx, "page_1", 2); return err },
			"POST /v1/pages/page_1/revisions/2/restore ",
		},
		{"list", func(c *client.Client) error {
			_, err := c.List(ctx, client.Query{Cursor: "c+", Limit: 5, Status: octavo.Draft, Slug: "s", Parent: &root, Tag: "a b", UpdatedAfter: time.Unix(0, 5e6), Sort: "-updatedAt", Include: []string{"assets"}})
			return err
		}, "GET /v1/pages?cursor=c%2B&include=assets&limit=5&parentId=root&slug=s&sort=-updatedAt&status=draft&tag=a+b&updatedAfter=1970-01-01T00%3A00%3A00.005Z "},
		{"health", func(c *client.Client) error { _, err := c.Health(ctx); return err }, "GET /v1/health "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var have string
			c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				have = r.Method + " " + r.RequestURI + " "
				if m := r.Header.Get("If-Match"); m != "" {
					have += m + " "
				}
				have += string(body)
				if (r.Method == http.MethodPost) != (r.Header.Get("Idempotency-Key") != "") {
					t.Errorf("Idempotency-Key %q on %s", r.Header.Get("Idempotency-Key"), r.Method)
				}
				fmt.Fprint(w, `{"id":"page_1"}`)
			})
			if err := tt.call(c); err != nil {
				t.Fatal(err)
			}
			if have != tt.want {
				t.Errorf("have %s\nwant %s", have, tt.want)
			}
		})
	}
}

func TestPageAndCredentials(t *testing.T) {
	var auth, key, agent, path string
	c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) {
		auth, key, agent, path = r.Header.Get("Authorization"), r.Header.Get("X-API-Key"), r.UserAgent(), r.URL.Path
		if r.Header.Get("If-None-Match") == `"9"` {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		w.Header().Set("ETag", `"9"`)
		fmt.Fprint(w, pageJSON)
	}, client.WithToken("tok"), client.WithAPIKey("oct_1"), client.WithUserAgent("me"), client.WithVersion("v2"))
	p, err := c.Get(context.Background(), "page_1")
	if err != nil {
		t.Fatal(err)
	}
	if p.ETag != `"9"` || p.Content != "<b>" || p.ParentID != "" || *p.Position != 3 || p.Source != "a.md" || p.CreatedAt.Year() != 2026 {
		t.Errorf("have %+v", p)
	}
	if auth != "Bearer tok" || key != "oct_1" || agent != "me" || path != "/v2/pages/page_1" {
		t.Errorf("have %q %q %q %q", auth, key, agent, path)
	}
	if _, err := c.Get(context.Background(), "page_1", client.IfNoneMatch(p.ETag)); !errors.Is(err, client.ErrNotModified) {
		t.Errorf("with If-None-Match: have %v, want ErrNotModified", err)
	}
}

func TestAllFollowsCursors(t *testing.T) {
	c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) {
		next := map[string]string{"": "a", "a": "b", "b": ""}[r.URL.Query().Get("cursor")]
		at := r.URL.Query().Get("cursor")
		fmt.Fprintf(w, `{"data":[{"id":"page_%s0"},{"id":"page_%[1]s1"}],"pagination":{"limit":2,"hasMore":%t,"cursor":%q}}`, at, next != "", next)
	})
	pages := c.All(context.Background(), client.Query{})
	for range 2 { // an iterator can be used again
		var ids []string
		for p, err := range pages {
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, string(p.ID))
		}
		if have, want := strings.Join(ids, " "), "page_0 page_1 page_a0 page_a1 page_b0 page_b1"; have != want {
			t.Errorf("have %s, want %s", have, want)
		}
	}
	for _, err := range pages {
		if err != nil {
			t.Error(err)
		}
		break // must not ask on
	}
}

func TestAllWantsACursor(t *testing.T) {
	for _, pagination := range []string{`{"hasMore":true}`, `{"hasMore":true,"cursor":""}`, `{"hasMore":true,"cursor":"a"}`} {
		c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintf(w, `{"data":[{"id":"page_1"}],"pagination":%s}`, pagination)
		})
		pages, failed := 0, 0
		for _, err := range c.All(context.Background(), client.Query{Cursor: "a"}) {
			if err != nil {
				failed++
			} else {
				pages++
			}
		}
		if pages != 1 || failed != 1 {
			t.Errorf("%s: have %d pages and %d errors, want one of each", pagination, pages, failed)
		}
	}
}

func TestAllEndsAtAnError(t *testing.T) {
	c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusForbidden) })
	var errs []error
	for _, err := range c.All(context.Background(), client.Query{}) {
		errs = append(errs, err)
	}
	var p *client.Problem
	if len(errs) != 1 || !errors.As(errs[0], &p) || p.Status != http.StatusForbidden {
		t.Errorf("have %v, want one 403", errs)
	}
}
