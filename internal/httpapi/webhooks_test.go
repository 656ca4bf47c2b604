package httpapi_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/auth"
	"github.com/octavo-docs/octavo/internal/octavotest"
)

// arrival is what a receiver was sent.
type arrival struct {
	path   string
	header http.Header
	event  octavo.Event
}

// receiver hands on what it is sent.
func receiver(t *testing.T) (url string, arrivals <-chan arrival) {
	t.Helper()
	sent := make(chan arrival, 100)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := arrival{path: r.URL.Path, header: r.Header}
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = json.Unmarshal(body, &a.event)
		}
		if err != nil {
			t.Errorf("read a delivery: %v", err)
		}
		sent <- a
		w.WriteHeader(http.StatusNoContent)
	}))
	t.Cleanup(s.Close)
	return s.URL, sent
}

func nextArrival(t *testing.T, arrivals <-chan arrival) arrival {
	t.Helper()
	select {
	case a := <-arrivals:
		return a
	case <-time.After(30 * time.Second):
		t.Fatal("nothing arrived")
		return arrival{}
	}
}

// TestPublishCallbacks sends the same event to a webhook and to the callbackUrl of the
// creation, for JSON and YAML.
func TestPublishCallbacks(t *testing.T) {
	for _, db := range []string{"sqlite", "postgres"} {
		t.Run(db, func(t *testing.T) {
			t.Parallel()
			o := octavotest.Options{Deliver: true}
			if db == "postgres" {
				o.PostgresURL = octavotest.Postgres(t)
			}
			s := octavotest.Start(t, o)
			url, arrivals := receiver(t)
			admin := "Bearer " + s.Token(t, auth.Grant{Scopes: octavo.ScopeAdmin})
			resp, text := send(t, s, http.MethodPost, "/v1/webhooks", `{"url":"`+url+`/hook"}`, "Authorization", admin, "Content-Type", "application/json")
			var hook struct{ ID, Secret string }
			if resp.StatusCode != http.StatusCreated || json.Unmarshal([]byte(text), &hook) != nil || hook.Secret == "" {
				t.Fatalf("have %d %s", resp.StatusCode, text)
			}
			callback := strings.Replace(url, "http://", "http://ann:secret@", 1) + "/callback"
			const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
			for contentType, body := range map[string]string{
				"application/json":   `{"title":"J","slug":"j","content":"x","status":"published","callbackUrl":"` + callback + `"}`,
				"application/x-yaml": "title: Y\nslug: y\ncontent: x\nstatus: published\ncallbackUrl: " + callback + "\n",
			} {
				resp, text := send(t, s, http.MethodPost, "/v1/examples/basic-request", body,
					"Authorization", admin, "Content-Type", contentType, "X-Trace-Id", "trace-1", "Traceparent", parent)
				if resp.StatusCode != http.StatusCreated {
					t.Fatalf("have %d %s", resp.StatusCode, text)
				}
				a, b := nextArrival(t, arrivals), nextArrival(t, arrivals)
				if a.path > b.path {
					a, b = b, a
				}
				if a.path != "/callback" || b.path != "/hook" || a.event.ID != b.event.ID || a.event.Type != octavo.PagePublished {
					t.Errorf("%s: have %+v and %+v", contentType, a, b)
				}
				if string(a.event.Data) != text {
					t.Errorf("%s: have data %s, want the page as it was answered, %s", contentType, a.event.Data, text)
				}
				for _, one := range []arrival{a, b} {
					if have := one.header.Get("X-Trace-Id"); have != "trace-1" {
						t.Errorf("X-Trace-Id: have %q, want trace-1", have)
					}
					if have := one.header.Get("Authorization"); have != "" {
						t.Errorf("Authorization: have %q, want none", have)
					}
					if have := one.header.Get("Traceparent"); !strings.HasPrefix(have, parent[:36]) || have == parent {
						t.Errorf("Traceparent: have %q, want a child of %s", have, parent)
					}
				}
				var log struct {
					Data []struct{ Status, WebhookID, CallbackURL string }
				}
				for end := time.Now().Add(30 * time.Second); ; {
					resp, text := send(t, s, http.MethodGet, fmt.Sprintf("/v1/events/%s/deliveries", a.event.ID), "", "Authorization", admin)
					if err := json.Unmarshal([]byte(text), &log); err != nil || resp.StatusCode != http.StatusOK || time.Now().After(end) {
						t.Fatalf("have %d %s", resp.StatusCode, text)
					}
					if len(log.Data) == 2 && log.Data[0].Status == "succeeded" && log.Data[1].Status == "succeeded" {
						break
					}
				}
				if log.Data[0].WebhookID+log.Data[1].WebhookID != hook.ID || log.Data[0].CallbackURL+log.Data[1].CallbackURL != strings.Replace(callback, "secret", "xxxxx", 1) {
					t.Errorf("have log %+v", log)
				}
			}
		})
	}
}
