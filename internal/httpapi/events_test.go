package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/store/changelog"
	"github.com/octavo-docs/octavo/internal/store/pagestore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

// onDatabases runs a test of a server on each database.
func onDatabases(t *testing.T, o octavotest.Options, test func(*testing.T, *octavotest.Server)) {
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, octavotest.Start(t, o))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		o := o // the other test reads it meanwhile
		o.PostgresURL = octavotest.Postgres(t)
		test(t, octavotest.Start(t, o))
	})
}

// publish makes a published page and returns its id.
func publish(t *testing.T, s *octavotest.Server, slug, frontmatter string) octavo.ID {
	t.Helper()
	var page octavo.Page
	err := s.Store.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) (err error) {
		page, err = s.Store.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{
			Title: slug, Slug: slug, Content: "x", Status: octavo.Published, Frontmatter: json.RawMessage(frontmatter),
		}})
		return err
	})
	if err != nil {
		t.Error(err)
	}
	return page.ID
}

// events asks for the feed. The answer ends with the test.
func events(t *testing.T, s *octavotest.Server, token, query string, header map[string]string) *http.Response {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), "GET", s.URL+"/v1/events"+query, nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+token)
	for name, value := range header {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = resp.Body.Close() })
	return resp
}

// streamOf opens the feed as server-sent events.
func streamOf(t *testing.T, s *octavotest.Server, token, query string, header map[string]string) *bufio.Reader {
	t.Helper()
	all := map[string]string{"Accept": "text/event-stream"}
	for name, value := range header {
		all[name] = value
	}
	resp := events(t, s, token, query, all)
	if resp.StatusCode != 200 || resp.Header.Get("Content-Type") != "text/event-stream" || resp.Header.Get("X-Accel-Buffering") != "no" {
		t.Fatalf("have %d with %v", resp.StatusCode, resp.Header)
	}
	return bufio.NewReader(resp.Body)
}

// block reads one block of a stream: its id, and its event unless it is an id
// alone.
func block(r *bufio.Reader) (id string, event *octavo.Event, err error) {
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return "", nil, err
		}
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		switch name {
		case "":
			return id, event, nil
		case "id":
			id = value
		case "data":
			event = &octavo.Event{}
			err = json.Unmarshal([]byte(value), event)
		default:
			err = fmt.Errorf("the stream has the line %q", line)
		}
		if err != nil {
			return "", nil, err
		}
	}
}

// next returns the next event of a stream and its id.
func next(t *testing.T, r *bufio.Reader) (string, octavo.Event) {
	t.Helper()
	for {
		id, event, err := block(r)
		if err != nil {
			t.Fatal(err)
		}
		if event != nil {
			return id, *event
		}
	}
}

// Readers of streams that break and go on, and of waiting requests, are told
// what writers did in one order, without gap or repetition.
func TestEventsWithoutGapOrRepetition(t *testing.T) {
	onDatabases(t, octavotest.Options{}, func(t *testing.T, s *octavotest.Server) {
		const writers, each, total = 4, 10, 40
		token := s.Token(t, auth.Grant{Scopes: octavo.ScopeRead})
		var wg sync.WaitGroup
		lists := make([][]octavo.ID, 4)
		for i := range lists {
			wg.Go(func() {
				header := map[string]string{"Last-Event-ID": "0"}
				for after := "0"; i%2 == 0 && len(lists[i]) < total; {
					var answer struct {
						Data []octavo.Event
						Next string
					}
					resp := events(t, s, token, "?limit=3&wait=20&after="+after, nil)
					if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || resp.StatusCode != 200 {
						t.Errorf("have %d, %v", resp.StatusCode, err)
						return
					}
					after = answer.Next
					for _, e := range answer.Data {
						lists[i] = append(lists[i], e.ID)
					}
				}
				for i%2 == 1 && len(lists[i]) < total { // a connection for each few events
					r := streamOf(t, s, token, "", header)
					for range min(1+4*i, total-len(lists[i])) {
						id, event := next(t, r)
						header["Last-Event-ID"] = id
						lists[i] = append(lists[i], event.ID)
					}
				}
			})
		}
		for w := range writers {
			wg.Go(func() {
				for i := range each {
					publish(t, s, fmt.Sprintf("w%d-%d", w, i), "")
				}
			})
		}
		wg.Wait()
		for i, list := range lists {
			if unique := slices.Compact(slices.Sorted(slices.Values(list))); len(unique) != total || !slices.Equal(list, lists[0]) {
				t.Errorf("reader %d was told of %v, reader 0 of %v", i, list, lists[0])
			}
		}
	})
}

// An event stays one line whatever line ends its page was written with.
func TestEventsOfManyLines(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{})
	id := publish(t, s, "lines", "{\r\n  \"a\":\n 1\r}")
	_, event := next(t, streamOf(t, s, s.Token(t, auth.Grant{Scopes: octavo.ScopeRead}), "", nil))
	var page octavo.Page
	if err := json.Unmarshal(event.Data, &page); err != nil || page.ID != id || !strings.Contains(string(page.Frontmatter), `"a":`) {
		t.Errorf("have %s, %v", event.Data, err)
	}
}

// A stream ends as a whole when its credential does, before the next event.
func TestEventsEndWithTheCredential(t *testing.T) {
	onDatabases(t, octavotest.Options{}, func(t *testing.T, s *octavotest.Server) {
		key := s.Key(t, auth.KeyRequest{Scopes: octavo.ScopeRead})
		r := streamOf(t, s, "", "", map[string]string{"X-API-Key": key})
		publish(t, s, "one", "")
		next(t, r)
		keys, _, err := s.Keys.List(t.Context(), "", 10)
		if err != nil || len(keys) != 1 {
			t.Fatalf("have the keys %v, %v", keys, err)
		}
		if err := s.Keys.Revoke(t.Context(), sqldb.Cause{}, keys[0].ID); err != nil {
			t.Fatal(err)
		}
		publish(t, s, "two", "")
		for {
			_, event, err := block(r)
			if event != nil {
				t.Fatalf("a revoked key is told of %s", event.Data)
			}
			if err != nil {
				if err != io.EOF {
					t.Errorf("the stream ended with %v, want its proper end", err)
				}
				return
			}
		}
	})
}

// Waiting requests and streams end when the server stops.
func TestEventsEndWithTheServer(t *testing.T) {
	serving, stop := context.WithCancel(context.Background())
	defer stop()
	s := octavotest.Start(t, octavotest.Options{Serving: serving})
	token := s.Token(t, auth.Grant{Scopes: octavo.ScopeRead})
	r := streamOf(t, s, token, "", nil)
	if id, event, err := block(r); id != "0" || event != nil || err != nil {
		t.Fatalf("a stream begins with %q, %v, %v", id, event, err)
	}
	began := time.Now()
	waits := make(chan string)
	go func() {
		body, err := io.ReadAll(events(t, s, token, "?wait=60", nil).Body)
		waits <- fmt.Sprint(string(body), err)
	}()
	stop()
	if _, _, err := block(r); err != io.EOF {
		t.Errorf("the stream ended with %v, want its proper end", err)
	}
	if have, want := <-waits, `{"data":[],"next":"0"}<nil>`; have != want || time.Since(began) > 30*time.Second {
		t.Errorf("who waits is answered %s after %s, want %s at once", have, time.Since(began), want)
	}
}

// A position that is not kept any more is told with the oldest that is.
func TestEventsGone(t *testing.T) {
	var moved atomic.Int64
	s := octavotest.Start(t, octavotest.Options{Now: func() time.Time { return time.Now().Add(time.Duration(moved.Load())) }})
	publish(t, s, "old", "")
	moved.Store(int64(changelog.DefaultKeepChanges + time.Hour))
	if _, err := s.Store.Sweep(t.Context(), octavo.Actor{}); err != nil {
		t.Fatal(err)
	}
	for _, accept := range []string{"application/json", "text/event-stream"} {
		resp := events(t, s, s.Token(t, auth.Grant{Scopes: octavo.ScopeRead}), "?after=0", map[string]string{"Accept": accept})
		body, err := io.ReadAll(resp.Body)
		var p octavo.Problem
		if err == nil {
			err = json.Unmarshal(body, &p)
		}
		if resp.StatusCode != 410 || err != nil || p.Type != "/problems/gone" || p.Oldest != "2" || !strings.Contains(p.Detail, "continue from is 2.") {
			t.Errorf("%s: have %d %s, %v", accept, resp.StatusCode, body, err)
		}
	}
}

// TestPositionsHideDrafts checks that positions for a published-only credential advance
// only with visible events.
func TestPositionsHideDrafts(t *testing.T) {
	onDatabases(t, octavotest.Options{}, func(t *testing.T, s *octavotest.Server) {
		token := s.Token(t, auth.Grant{Scopes: octavo.ScopeRead, PublishedOnly: true})
		next := func(query string) string {
			resp := events(t, s, token, query, nil)
			var feed struct{ Next string }
			if err := json.NewDecoder(resp.Body).Decode(&feed); resp.StatusCode != 200 || err != nil {
				t.Fatalf("%s: have %d, %v", query, resp.StatusCode, err)
			}
			return feed.Next
		}
		draft := func(slug string) {
			err := s.Store.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error {
				_, err := s.Store.Pages.Create(tx, pagestore.NewPage{PageCreate: octavo.PageCreate{Title: slug, Slug: slug, Status: octavo.Draft}})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		wants := func(what, have, want string) {
			t.Helper()
			if have != want {
				t.Errorf("%s: have the position %s, want %s", what, have, want)
			}
		}
		draft("a")
		wants("before anything", next(""), "0")
		publish(t, s, "shown", "")
		at := next("")
		draft("b")
		wants("after a draft", next(""), at)
		wants("behind it", next("?after="+at), at)
		wants("behind it, waiting", next("?wait=1&after="+at), at)
		wants("no such type", next("?types=nothing.here"), "0")
		wants("a position of before this was so", next("?after=4"), "4")

		r := streamOf(t, s, token, "?after="+at, nil)
		id, _, err := block(r)
		if wants("stream", id, at); err != nil {
			t.Fatal(err)
		}
		draft("c")
		publish(t, s, "another", "")
		id, event, err := block(r)
		if event == nil || err != nil {
			t.Fatalf("have %v, %v, want an event", event, err)
		}
		wants("feed after an event", next(""), id)
	})
}

// A stream says nothing about what its filters keep back.
func TestEventsKeepQuiet(t *testing.T) {
	s := octavotest.Start(t, octavotest.Options{})
	r := streamOf(t, s, s.Token(t, auth.Grant{Scopes: octavo.ScopeRead}), "?types=page.deleted", nil)
	if _, event, err := block(r); event != nil || err != nil {
		t.Fatalf("have %v, %v, want the position", event, err)
	}
	id := publish(t, s, "one", "")
	publish(t, s, "two", "")
	err := s.Store.DB.Write(t.Context(), sqldb.Cause{}, func(tx *sqldb.Tx) error { return s.Store.Pages.Delete(tx, id, pagestore.ChildrenRefuse, nil) })
	if err != nil {
		t.Fatal(err)
	}
	position, event, err := block(r)
	if err != nil || event == nil || event.Type != octavo.PageDeleted || position != "5" {
		t.Errorf("the next block is at %q, %v, %v, want the deletion at 5", position, event, err)
	}
}
