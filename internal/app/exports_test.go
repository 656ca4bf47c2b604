package app_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
	"github.com/octavo-docs/octavo/internal/testenv"
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

// TestExportsTellTheirEnd has the end of an export told to callbackUrl and to a
// channel: signed, with the job and its download, and seen in the record.
func TestExportsTellTheirEnd(t *testing.T) {
	t.Parallel()
	for _, db := range []string{"sqlite", "postgres"} {
		t.Run(db, func(t *testing.T) {
			t.Parallel()
			o := octavotest.Options{Export: true, Deliver: true}
			if db == "postgres" {
				o.PostgresURL = testenv.Postgres(t)
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
