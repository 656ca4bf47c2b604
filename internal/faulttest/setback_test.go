package faulttest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/octavo-docs/octavo"
)

// After a database has lost its newest changes, as from a copy or a late standby, servers
// continue once octavo migrate --restored was run: later changes are delivered and found,
// though they reuse positions in the change log, and lost changes are not found.
func TestPostgresSetBack(t *testing.T) {
	t.Parallel()
	c := newCluster(t)
	in := onDatabase(t, c.url)
	s := in.serve(t, "--allow-private-destinations", "127.0.0.0/8")
	a := newAPI(t, s.url, in.tokenFor(t, "pages:write,admin"))
	told := newToldOf(t, a)

	told.await(t, a.bulk(t, creations("kept")))
	back := c.copyData(t)
	until(t, "wait for the database", func() error { return ready(t, s, isReady) })
	for n := range 2 {
		word := fmt.Sprint("lost", n)
		told.await(t, a.bulk(t, creations(word)))
		until(t, "search for "+word, func() error { return a.finds(t, word, pagesOfWord) })
	}
	read, more := a.published(t, "0") // as far as a reader of the feed has come
	for len(more) > 0 {
		read, more = a.published(t, read)
	}
	for _, flag := range []string{"--restored", "--files-moved"} {
		if out, err := in.octavo("migrate", flag).CombinedOutput(); err == nil || !strings.Contains(string(out), "stop all of its servers") {
			t.Errorf("octavo migrate %s beside a server: have %v, %s, want it refused", flag, err, out)
		}
	}
	s.stop(t)
	back()
	if out, err := in.octavo("migrate", "--restored").CombinedOutput(); err != nil {
		t.Fatalf("octavo migrate: %v\n%s", err, out)
	}
	s = in.serve(t, "--allow-private-destinations", "127.0.0.0/8")
	a = newAPI(t, s.url, in.tokenFor(t, "pages:write,admin"))

	later := a.bulk(t, creations("later"))
	told.await(t, later)
	if _, pages := a.published(t, read); len(pages) != len(later) {
		t.Errorf("a reader of the feed is told of %d of %d pages", len(pages), len(later))
	}
	for word, want := range map[string]int{"kept": pagesOfWord, "lost0": 0, "lost1": 0, "later": pagesOfWord} {
		until(t, "search for "+word, func() error { return a.finds(t, word, want) })
	}
	in.doctor(t)
	s.stop(t)
}

// copyData copies the files of the database server; back starts it on them.
func (c *cluster) copyData(t *testing.T) (back func()) {
	data, kept := filepath.Join(c.dir, "data"), filepath.Join(c.dir, "kept")
	c.stop(t, syscall.SIGINT)
	run(t, c.command(t, "cp", "-a", data, kept))
	c.start(t)
	return func() {
		c.stop(t, syscall.SIGQUIT)
		run(t, c.command(t, "rm", "-r", data))
		run(t, c.command(t, "mv", kept, data))
		c.start(t)
	}
}

// published returns the pages published in the feed after a position, and the next
// position.
func (a *api) published(t *testing.T, after string) (next string, pages []octavo.Event) {
	t.Helper()
	res, err := a.do(t.Context(), call{method: http.MethodGet, path: "/events?limit=100&types=page.published&after=" + after})
	var slice struct {
		Data []octavo.Event
		Next string
	}
	if err == nil {
		err = json.Unmarshal(res.body, &slice)
	}
	if err != nil || res.status != http.StatusOK {
		t.Fatalf("read the feed behind %s: %s, %v", after, res, err)
	}
	return slice.Next, slice.Data
}

func run(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	cmd.Path, cmd.Err = exec.LookPath(filepath.Base(cmd.Path))
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v\n%s", cmd, err, out)
	}
}

// toldOf is a webhook endpoint, and the pages whose publication it has received.
type toldOf struct {
	mu    sync.Mutex
	pages map[string]bool
}

func newToldOf(t *testing.T, a *api) *toldOf {
	t.Helper()
	told := &toldOf{pages: map[string]bool{}}
	server := httptest.NewServer(told)
	t.Cleanup(server.Close)
	res, err := a.do(t.Context(), call{method: http.MethodPost, path: "/webhooks", body: object{"url": server.URL, "types": []string{"page.published"}}})
	if err != nil || res.status != http.StatusCreated {
		t.Fatalf("register an endpoint: %s, %v", res, err)
	}
	return told
}

func (told *toldOf) ServeHTTP(_ http.ResponseWriter, r *http.Request) {
	var event struct{ Data struct{ ID string } }
	if err := json.NewDecoder(r.Body).Decode(&event); err == nil {
		told.mu.Lock()
		told.pages[event.Data.ID] = true
		told.mu.Unlock()
	}
}

// await waits until the endpoint has received all pages.
func (told *toldOf) await(t *testing.T, pages []string) {
	t.Helper()
	until(t, "wait until everything is told", func() error {
		told.mu.Lock()
		defer told.mu.Unlock()
		for _, id := range pages {
			if !told.pages[id] {
				return errNotYet("page " + id + " was not told of")
			}
		}
		return nil
	})
}
