package client_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
)

// answer writes one scripted answer: a status, a status and its Retry-After,
// or "cut" for a connection that ends without an answer.
func answer(w http.ResponseWriter, script string) {
	status, wait, _ := strings.Cut(script, " ")
	if status == "cut" {
		panic(http.ErrAbortHandler)
	}
	if wait != "" {
		w.Header().Set("Retry-After", wait)
	}
	code, _ := strconv.Atoi(status)
	w.WriteHeader(code)
	if code == http.StatusOK {
		fmt.Fprint(w, pageJSON)
	}
}

func TestRetries(t *testing.T) {
	ctx := context.Background()
	get := func(c *client.Client) error { _, err := c.Get(ctx, "page_1"); return err }
	post := func(c *client.Client) error { _, err := c.Create(ctx, octavo.PageCreate{}); return err }
	patch := func(c *client.Client) error { _, err := c.Patch(ctx, "page_1", octavo.PagePatch{}); return err }
	guarded := func(c *client.Client) error {
		_, err := c.Replace(ctx, "page_1", octavo.PageCreate{}, client.IfMatch(`"1"`))
		return err
	}
	del := func(c *client.Client) error { return c.Delete(ctx, "page_1") }
	tests := []struct {
		name    string
		call    func(*client.Client) error
		answers string // parted by |
		status  int    // of the error; 0 wants none, -1 one that is no Problem
		tries   int
		pause   time.Duration // before the second try; 0 does not matter
	}{
		{"success at once", get, "200", 0, 1, 0},
		{"rate limit", get, "429 7|200", 0, 2, 7 * time.Second},
		{"rate limit until a date", get, "429 Fri, 02 Jan 2026 03:05:05 GMT|200", 0, 2, time.Minute},
		{"unavailable, date past", get, "503 Thu, 01 Jan 2026 00:00:00 GMT|200", 0, 2, 0},
		{"bad gateway", get, "502|504|200", 0, 3, 0},
		{"lost answer", get, "cut|cut|200", 0, 3, 0},
		{"always lost", get, "cut|cut|cut|cut|cut|200", -1, 5, 0},
		{"asked to wait too long", get, "429 121|200", http.StatusTooManyRequests, 1, 0},
		{"asked to wait longer than can be told", get, "429 9999999999999|200", http.StatusTooManyRequests, 1, 0},
		{"asked to wait longer than can be read", get, "429 99999999999999999999999|200", http.StatusTooManyRequests, 1, 0},
		{"server error", get, "500|200", http.StatusInternalServerError, 1, 0},
		{"storage full", post, "507|200", http.StatusInsufficientStorage, 1, 0},
		{"not found", get, "404|200", http.StatusNotFound, 1, 0},
		{"post, lost", post, "cut|200", 0, 2, 0},
		{"post, conflict", post, "409|200", http.StatusConflict, 1, 0},
		{"post, still at work", post, "cut|409 1|200", 0, 3, 0},
		{"patch, lost", patch, "cut|200", 0, 2, 0},
		{"guarded, lost", guarded, "cut|200", -1, 1, 0},
		{"guarded, bad gateway", guarded, "502|200", http.StatusBadGateway, 1, 0},
		{"guarded, rate limit", guarded, "429 1|200", 0, 2, time.Second},
		{"delete, lost then gone", del, "cut|404", 0, 2, 0},
		{"delete, refused then not found", del, "429 1|404", http.StatusNotFound, 2, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			answers := strings.Split(tt.answers, "|")
			tries := 0
			keys := map[string]bool{}
			c, clk := connect(t, func(w http.ResponseWriter, r *http.Request) {
				tries++
				keys[r.Header.Get("Idempotency-Key")] = true
				answer(w, answers[tries-1])
			})
			err := tt.call(c)
			clk.serving.Lock()
			defer clk.serving.Unlock()
			status := 0
			var p *client.Problem
			if errors.As(err, &p) {
				status = p.Status
			} else if err != nil {
				status = -1
			}
			if status != tt.status || tries != tt.tries || len(keys) != 1 {
				t.Errorf("answers %s: have status %d after %d tries with %d keys (%v), want %d after %d with 1", tt.answers, status, tries, len(keys), err, tt.status, tt.tries)
			}
			if tt.pause != 0 && clk.pauses[0] != tt.pause {
				t.Errorf("pause: have %v, want %v", clk.pauses[0], tt.pause)
			}
		})
	}
}

func TestPausesGrowWithinBounds(t *testing.T) {
	c, clk := connect(t, func(w http.ResponseWriter, r *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) }, client.WithTries(40))
	if _, err := c.Get(context.Background(), "page_1"); err == nil {
		t.Fatal("have no error")
	}
	if len(clk.pauses) != 39 {
		t.Fatalf("have %d pauses, want 39", len(clk.pauses))
	}
	for i, have := range clk.pauses {
		span := 15 * time.Second
		if i < 6 {
			span = 250 * time.Millisecond << i
		}
		if have < span/2 || have > span {
			t.Errorf("pause %d: have %v, want %v to %v", i, have, span/2, span)
		}
	}
}

func TestRetryDialWithIfMatch(t *testing.T) {
	tries := 0
	transport := &http.Transport{DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
		tries++
		return nil, &net.OpError{Op: "dial", Net: network, Err: errors.New("refused")}
	}}
	c, _ := connect(t, nil, client.WithHTTPClient(&http.Client{Transport: transport}))
	if err := c.Delete(context.Background(), "page_1", client.IfMatch(`"1"`)); err == nil || tries != client.DefaultTries {
		t.Errorf("have %v after %d tries, want an error after %d", err, tries, client.DefaultTries)
	}
}

func TestPauseEndsWithTheContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	tries := 0
	c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) {
		tries++
		w.WriteHeader(http.StatusServiceUnavailable)
	}, client.WithClock(time.Now, func(ctx context.Context, _ time.Duration) error { cancel(); return ctx.Err() }))
	_, err := c.Get(ctx, "page_1")
	var p *client.Problem
	if !errors.Is(err, context.Canceled) || !errors.As(err, &p) || tries != 1 {
		t.Errorf("have %v after %d tries, want the 503 and context.Canceled after 1", err, tries)
	}
}

func TestProblems(t *testing.T) {
	tests := []struct {
		name, media, body string
		status            int
		want              string
		kind              octavo.ProblemType
	}{
		{
			"problem", "application/problem+json; charset=utf-8", `{"type":"/problems/slug-taken","title":"Taken","status":409,"detail":"By x.","errors":[{"path":"/slug","message":"is taken"}]}`,
			409, "GET /pages/page_1: 409 Taken: By x.; /slug is taken", octavo.SlugTaken,
		},
		{"absolute type", "application/problem+json", `{"type":"http://h/problems/gone","title":"Gone","status":1}`, 410, "GET /pages/page_1: 410 Gone", octavo.Gone},
		{"another's page", "text/html", "<h1>Bad</h1>", 403, "GET /pages/page_1: 403 Forbidden", ""},
		{"broken problem", "application/problem+json", `{"title":`, 403, "GET /pages/page_1: 403 Forbidden", ""},
		{"empty 401", "", "", 401, `GET /pages/page_1: 401 Unauthorized (Bearer error="invalid_token")`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", tt.media)
				if tt.status == 401 {
					w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
				}
				w.WriteHeader(tt.status)
				fmt.Fprint(w, tt.body)
			})
			_, err := c.Get(context.Background(), "page_1")
			var p *client.Problem
			if !errors.As(err, &p) {
				t.Fatalf("have %v, want a Problem", err)
			}
			if p.Error() != tt.want || p.Kind() != tt.kind || p.Status != tt.status {
				t.Errorf("have %q of kind %q, want %q of kind %q", p.Error(), p.Kind(), tt.want, tt.kind)
			}
		})
	}
}

func TestResponseLimits(t *testing.T) {
	for _, body := range []string{strings.Repeat(" ", 1001), `{"id":7}`, "", "nonsense"} {
		c, clk := connect(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, body) }, client.WithMaxResponse(1000))
		if _, err := c.Get(context.Background(), "page_1"); err == nil || len(clk.pauses) > 0 {
			t.Errorf("answer %.20q: have error %v and %d pauses, want an error at once", body, err, len(clk.pauses))
		}
	}
}

func TestAnswersMustHoldAPage(t *testing.T) {
	for _, body := range []string{"null", "{}"} {
		c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, body) })
		if _, err := c.Create(context.Background(), octavo.PageCreate{}); err == nil {
			t.Errorf("answer %s: have no error", body)
		}
	}
}

func TestRedirectsStayWithTheServer(t *testing.T) {
	c, clk := connect(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/v1/pages/by-slug/old":
			http.Redirect(w, r, "/v1/pages/page_1", http.StatusPermanentRedirect)
		case "/v1/pages/by-slug/loop":
			http.Redirect(w, r, "/v1/pages/by-slug/loop", http.StatusPermanentRedirect)
		case "/v1/pages/by-slug/away":
			http.Redirect(w, r, "http://127.0.0.1:1/v1/pages/page_1", http.StatusPermanentRedirect)
		default:
			fmt.Fprint(w, pageJSON)
		}
	}, client.WithAPIKey("oct_1"))
	if p, err := c.GetBySlug(context.Background(), "old"); err != nil || p.ID != "page_1" {
		t.Errorf("former slug: have %v, %v", p.ID, err)
	}
	for _, slug := range []string{"loop", "away"} {
		if _, err := c.GetBySlug(context.Background(), slug); err == nil || !strings.Contains(err.Error(), "redirect") {
			t.Errorf("%s: have %v, want a refused redirect", slug, err)
		}
	}
	if len(clk.pauses) > 0 {
		t.Errorf("have %d further tries, want none", len(clk.pauses))
	}
}
