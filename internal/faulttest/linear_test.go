package faulttest

import (
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/storecheck"
	"github.com/octavo-docs/octavo/internal/testenv"
)

// The history of clients that change and read the same few pages concurrently is
// linearizable.
func TestPagesLinearizable(t *testing.T) {
	for name, options := range map[string]func(*testing.T) octavotest.Options{
		"sqlite":   func(*testing.T) octavotest.Options { return octavotest.Options{} },
		"postgres": func(t *testing.T) octavotest.Options { return octavotest.Options{PostgresURL: testenv.Postgres(t)} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := octavotest.Start(t, options(t))
			token := s.Token(t, auth.Grant{Scopes: octavotest.Scopes(t, "pages:write"), TTL: 24 * time.Hour})
			history := mixed(t, newAPI(t, s.URL, token))
			pages := map[octavo.ID][]porcupine.Operation{}
			for _, op := range history {
				id := op.Input.(input).page
				pages[id] = append(pages[id], op)
			}
			for id, ops := range pages {
				if have := porcupine.CheckOperationsTimeout(pageModel(), ops, limit); have != porcupine.Ok {
					t.Errorf("page %s: %s%s", id, have, tell(ops))
				}
			}
			findings, err := storecheck.Check(t.Context(), s.Store.DB)
			if err != nil || len(findings) > 0 {
				t.Errorf("check the store: %v, %v", findings, err)
			}
			t.Logf("%s, seed %d: %d operations of %d clients on %d pages in %s", name, *seed, len(history), mixClients, len(pages), *mix)
		})
	}
}

// mixClients work concurrently on mixPages. Each page is replaced after a number of
// operations, since checking longer histories takes too long.
const (
	mixClients = 16
	mixPages   = 4
	mixHistory = 400
)

// mixed runs the clients and returns their histories.
func mixed(t *testing.T, a *api) []porcupine.Operation {
	t.Helper()
	start := time.Now()
	p := &pool{history: mixHistory}
	clients := make([]*mixer, mixClients)
	var group sync.WaitGroup
	for i := range clients {
		c := &mixer{api: a, t: t, number: i, rng: chance(8<<16 + uint64(i)), start: start, pool: p, known: map[octavo.ID]int64{}}
		clients[i] = c
		group.Go(func() {
			for time.Since(start) < *mix && !t.Failed() {
				c.work()
			}
		})
	}
	group.Wait()
	var history []porcupine.Operation
	for _, c := range clients {
		history = append(history, c.history...)
	}
	return history
}

// pool has the current pages.
type pool struct {
	history int // operations on each

	mu    sync.Mutex
	pages [mixPages]pooled
}

type pooled struct {
	id, slug string
	left     int
}

// take returns the page of a slot, and whether a new one must be created.
func (p *pool) take(place int) (pooled, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pages[place].left--
	return p.pages[place], p.pages[place].left < 0
}

func (p *pool) put(place int, page pooled) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pages[place] = page
}

type mixer struct {
	api     *api
	t       testing.TB
	number  int
	made    int
	rng     *rand.Rand
	start   time.Time
	pool    *pool
	known   map[octavo.ID]int64 // versions it has seen last
	history []porcupine.Operation

	// lost, unless nil, is told of operations whose outcome is not known, where
	// those are no mistake.
	lost func(a answer, err error)

	created []state // creations whose outcome is not known
}

// work performs a random operation.
func (c *mixer) work() {
	place := c.rng.IntN(mixPages)
	p, spent := c.pool.take(place)
	c.made++
	name := fmt.Sprintf("c%d-%d", c.number, c.made)
	next := state{slug: p.slug, title: "Title " + name, content: "Content " + name, status: pick(c.rng, []octavo.PageStatus{octavo.Draft, octavo.Published, octavo.Archived})}
	if spent {
		next.slug = name
		if id, ok := c.do(input{kind: "create", to: next}, call{method: http.MethodPost, path: "/pages", body: next.body(), key: name}); ok {
			c.pool.put(place, pooled{string(id), name, c.pool.history})
		}
		return
	}
	in := input{page: octavo.ID(p.id), to: next}
	path := "/pages/" + p.id
	if c.rng.IntN(2) == 0 {
		in.match = c.known[in.page]
	}
	match := ""
	if in.match > 0 {
		match = tag(in.page, in.match)
	}
	switch n := c.rng.IntN(100); {
	case n < 35:
		in.kind, in.match = "read", 0
		c.do(in, call{method: http.MethodGet, path: path})
	case n < 50:
		in.kind, in.to = "patch", state{title: next.title}
		c.do(in, call{method: http.MethodPatch, path: path, body: object{"title": next.title}, match: match})
	case n < 60:
		in.kind, in.to = "patch", state{status: next.status}
		c.do(in, call{method: http.MethodPatch, path: path, body: object{"status": next.status}, match: match})
	case n < 70:
		in.kind, in.to = "patch", state{content: next.content}
		c.do(in, call{method: http.MethodPatch, path: path, body: object{"content": next.content}, match: match})
	case n < 82:
		in.kind = "put"
		c.do(in, call{method: http.MethodPut, path: path, body: next.body(), match: match})
	case n < 90:
		in.kind = "delete"
		c.do(in, call{method: http.MethodDelete, path: path, match: match})
	default:
		in.kind, in.match = "restore", 0
		c.do(in, call{method: http.MethodPost, path: path + "/restore", key: name})
	}
}

// do performs an operation and records it. It returns the page in the response, if any.
func (c *mixer) do(in input, req call) (octavo.ID, bool) {
	op := porcupine.Operation{ClientId: c.number, Call: int64(time.Since(c.start))}
	a, err := c.api.do(c.t.Context(), req)
	op.Return = int64(time.Since(c.start))
	if c.lost != nil && (err != nil || a.status >= 500) {
		c.lost(a, err)
		if in.kind != "read" && in.kind != "create" { // else it changes nothing that others see
			op.Input, op.Output, op.Return = in, output{unknown: true}, math.MaxInt64
			c.history = append(c.history, op)
		}
		if in.kind == "create" {
			c.created = append(c.created, in.to)
		}
		return "", false
	}
	if err != nil {
		c.t.Errorf("%s: %v", req, err)
		return "", false
	}
	out := output{status: a.status}
	if a.status == http.StatusOK || a.status == http.StatusCreated {
		p, err := a.page()
		if err != nil {
			c.t.Errorf("%s: %v", req, err)
			return "", false
		}
		out.page = stateOf(p, p.Version)
		c.known[p.ID] = p.Version
		in.page = p.ID
	}
	op.Input, op.Output = in, out
	c.history = append(c.history, op)
	return in.page, a.status < 300
}
