package app_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	document "github.com/octavo-docs/octavo/api"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/conform"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// received is a request as a receiver got it.
type received struct {
	path   string
	header http.Header
	body   []byte
}

// callbackKey reads the key that callbacks are signed with.
func callbackKey(t *testing.T, url string) ed25519.PublicKey {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/.well-known/webhook-keys", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var set struct{ Keys []struct{ X string } }
	if err := json.NewDecoder(res.Body).Decode(&set); err != nil || len(set.Keys) == 0 {
		t.Fatalf("read the keys: %v", err)
	}
	key, err := base64.RawURLEncoding.DecodeString(set.Keys[0].X)
	if err != nil {
		t.Fatal(err)
	}
	return key
}

// TestExportWebhooks delivers the end of an export to callbackUrl and to a channel:
// signed, with the job and its download, and recorded.
func TestExportWebhooks(t *testing.T) {
	t.Parallel()
	for _, db := range []string{"sqlite", "postgres"} {
		t.Run(db, func(t *testing.T) {
			t.Parallel()
			o := octavotest.Options{Export: true, Deliver: true}
			if db == "postgres" {
				o.PostgresURL = octavotest.Postgres(t)
			}
			s := octavotest.Start(t, o)
			got := make(chan received, 10)
			receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got <- received{r.URL.Path, r.Header, body}
				w.WriteHeader(http.StatusNoContent)
			}))
			defer receiver.Close()
			api, err := client.New(s.URL, client.WithToken(s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := api.Create(t.Context(), octavo.PageCreate{Title: "T", Slug: "t", Content: "the text", Status: octavo.Published}); err != nil {
				t.Fatal(err)
			}
			e, err := api.CreateExport(t.Context(), json.RawMessage(`{"format":"markdown","scope":"published","callbackUrl":"`+receiver.URL+
				`/callback","delivery":{"channels":[{"kind":"webhook","url":"`+receiver.URL+`/channel"}]}}`))
			if err != nil {
				t.Fatal(err)
			}
			judge, err := conform.NewJudge(document.Document())
			if err != nil {
				t.Fatal(err)
			}
			key := callbackKey(t, s.URL)
			paths := map[string]string{}
			for range 2 {
				r := <-got
				signature, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(r.header.Get("Webhook-Signature"), "v1a,"))
				signed := r.header.Get("Webhook-Id") + "." + r.header.Get("Webhook-Timestamp") + "." + string(r.body)
				if err != nil || !ed25519.Verify(key, []byte(signed), signature) {
					t.Errorf("the signature %q does not fit (%v)", r.header.Get("Webhook-Signature"), err)
				}
				var event struct {
					Type octavo.EventType
					Data octavo.Export
				}
				if err := json.Unmarshal(r.body, &event); err != nil || event.Type != octavo.ExportIsReady || event.Data.ID != e.ID || event.Data.Status != octavo.ExportReady {
					t.Fatalf("have %s (%v)", r.body, err)
				}
				for _, fault := range judge.CheckSchema("ExportEvent", r.body) {
					t.Error(fault)
				}
				var out strings.Builder
				if _, err := api.Download(t.Context(), event.Data, &out); err != nil || !strings.Contains(out.String(), "the text") {
					t.Errorf("download: %v", err)
				}
				paths[r.path] = r.header.Get("Webhook-Id")
			}
			if paths["/callback"] == "" || paths["/callback"] != paths["/channel"] {
				t.Errorf("have %v, want both addresses with one event", paths)
			}
			for done := 0; done < 2; { // until both tries are recorded
				done = 0
				if e, err = api.Export(t.Context(), e.ID); err != nil {
					t.Fatal(err)
				}
				for _, d := range e.Deliveries {
					if d.Status == octavo.DeliverySucceeded && d.Attempts == 1 {
						done++
					}
				}
			}
		})
	}
}

// downServer returns an address that nobody listens on until it is started, and
// that nobody else can take meanwhile.
func downServer(t *testing.T) (address string, start func(http.Handler)) {
	t.Helper()
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM, 0)
	must(t, err)
	socket := os.NewFile(uintptr(fd), "socket")
	t.Cleanup(func() { _ = socket.Close() }) // nothing was written to it
	must(t, syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}))
	name, err := syscall.Getsockname(fd)
	must(t, err)
	return fmt.Sprintf("http://127.0.0.1:%d", name.(*syscall.SockaddrInet4).Port), func(h http.Handler) {
		must(t, syscall.Listen(fd, 128))
		listener, err := net.FileListener(socket)
		must(t, err)
		s := &httptest.Server{Listener: listener, Config: &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}}
		s.Start()
		t.Cleanup(s.Close)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// The end of an export is delivered once its receivers are up again. Until then its record
// has the reason, and afterwards each has received it once.
func TestExportReceiversDown(t *testing.T) {
	t.Parallel()
	for _, db := range []string{"sqlite", "postgres"} {
		t.Run(db, func(t *testing.T) {
			t.Parallel()
			var ahead atomic.Int64
			o := octavotest.Options{Export: true, Deliver: true, Now: func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }}
			if db == "postgres" {
				o.PostgresURL = octavotest.Postgres(t)
			}
			s := octavotest.Start(t, o)
			api, err := client.New(s.URL, client.WithToken(s.Token(t, auth.Grant{Scopes: octavo.ScopeWrite})))
			must(t, err)
			address, start := downServer(t)
			e, err := api.CreateExport(t.Context(), json.RawMessage(`{"format":"markdown","scope":"published","callbackUrl":"`+address+
				`/callback","delivery":{"channels":[{"kind":"webhook","url":"`+address+`/channel"}]}}`))
			must(t, err)
			await := func(what string, is func(octavo.ExportDeliveryNote) bool) {
				t.Helper()
				limit, tick := time.NewTimer(time.Minute), time.NewTicker(5*time.Millisecond)
				defer limit.Stop()
				defer tick.Stop()
				for {
					e, err = api.Export(t.Context(), e.ID)
					must(t, err)
					if len(e.Deliveries) == 2 && is(e.Deliveries[0]) && is(e.Deliveries[1]) {
						return
					}
					select {
					case <-tick.C:
					case <-limit.C:
						t.Fatalf("%s: have %+v", what, e.Deliveries)
					}
				}
			}
			await("while they are down", func(d octavo.ExportDeliveryNote) bool {
				return d.Status == octavo.DeliveryPending && d.Attempts == 1 && strings.Contains(d.Error, "sent no response")
			})
			if e.Status != octavo.ExportReady {
				t.Errorf("have it %s, want it ready although nobody can be told", e.Status)
			}
			got := make(chan received, 10)
			start(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				got <- received{r.URL.Path, r.Header, body}
				w.WriteHeader(http.StatusNoContent)
			}))
			ahead.Add(int64(6 * time.Second))
			await("when they are up", func(d octavo.ExportDeliveryNote) bool {
				return d.Status == octavo.DeliverySucceeded && d.Attempts == 2
			})
			paths := map[string]int{}
			for range len(got) {
				paths[(<-got).path]++
			}
			if len(paths) != 2 || paths["/callback"] != 1 || paths["/channel"] != 1 {
				t.Errorf("have %v, want each told once", paths)
			}
		})
	}
}
