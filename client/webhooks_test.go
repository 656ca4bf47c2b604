package client_test

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"testing"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/client"
)

const webhookJSON = `{"id":"hook_1","url":"https://h/?a=1&b","types":["page.published"],"disabled":true,"disabledReason":"gone","failingSince":"2026-01-02T00:00:00.000Z","createdAt":"2026-01-01T00:00:00.000Z","secret":"whsec_x"}`

func TestWebhookRequests(t *testing.T) {
	address, off := "https://h/?a=1&b", true
	since := time.Date(2026, 1, 2, 3, 4, 5, 6e6, time.FixedZone("", 3600))
	for _, test := range []struct {
		name string
		call func(*client.Client) (octavo.Webhook, error)
		want string // whether it has an Idempotency-Key, method, address, body
	}{
		{"create", func(c *client.Client) (octavo.Webhook, error) {
			return c.CreateWebhook(t.Context(), octavo.WebhookCreate{URL: address, Types: []octavo.EventType{octavo.PagePublished}})
		}, `false POST /v1/webhooks {"url":"https://h/?a=1\u0026b","types":["page.published"]}`},
		{"get", func(c *client.Client) (octavo.Webhook, error) { return c.Webhook(t.Context(), "../x") }, "false GET /v1/webhooks/..%2Fx "},
		{"patch", func(c *client.Client) (octavo.Webhook, error) {
			return c.PatchWebhook(t.Context(), "hook_1", octavo.WebhookPatch{Disabled: &off})
		}, `false PATCH /v1/webhooks/hook_1 {"disabled":true}`},
		{"rotate", func(c *client.Client) (octavo.Webhook, error) { return c.RotateWebhookSecret(t.Context(), "hook_1") }, "false POST /v1/webhooks/hook_1/rotate-secret "},
		{"delete", nothing(func(c *client.Client) error { return c.DeleteWebhook(t.Context(), "hook_1") }), "false DELETE /v1/webhooks/hook_1 "},
		{"test", nothing(func(c *client.Client) error { return c.TestWebhook(t.Context(), "hook_1") }), "true POST /v1/webhooks/hook_1/test "},
		{
			"redeliver", nothing(func(c *client.Client) error { return c.Redeliver(t.Context(), "hook_1", since) }),
			`true POST /v1/webhooks/hook_1/redeliver {"since":"2026-01-02T02:04:05.006Z"}`,
		},
		{
			"redeliver one", nothing(func(c *client.Client) error { return c.RedeliverOne(t.Context(), "hook_1", "dlv_1") }),
			"true POST /v1/webhooks/hook_1/deliveries/dlv_1/redeliver ",
		},
	} {
		t.Run(test.name, func(t *testing.T) {
			var have string
			c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				have = fmt.Sprint(r.Header.Get("Idempotency-Key") != "", " ", r.Method, " ", r.RequestURI, " ", string(body))
				fmt.Fprint(w, webhookJSON)
			})
			hook, err := test.call(c)
			if err != nil {
				t.Fatal(err)
			}
			if have != test.want {
				t.Errorf("have %s\nwant %s", have, test.want)
			}
			if hook.ID != "" && (hook.URL != address || hook.Secret != "whsec_x" || hook.DisabledReason != "gone" || hook.FailingSince.Day() != 2 || !hook.Disabled || hook.CreatedAt.Year() != 2026) {
				t.Errorf("have the endpoint %+v, want what %s says", hook, webhookJSON)
			}
		})
	}
}

// nothing is a call that answers no endpoint.
func nothing(call func(*client.Client) error) func(*client.Client) (octavo.Webhook, error) {
	return func(c *client.Client) (octavo.Webhook, error) { return octavo.Webhook{}, call(c) }
}

// A request that may have made a secret is not sent again, since what it made
// would be lost; one that surely has not is.
func TestSecretCreatedOnce(t *testing.T) {
	for _, test := range []struct{ status, want int }{{http.StatusServiceUnavailable, 2}, {http.StatusBadGateway, 1}} {
		tries := 0
		c, _ := connect(t, func(w http.ResponseWriter, _ *http.Request) {
			if tries++; tries == 1 {
				w.WriteHeader(test.status)
				return
			}
			fmt.Fprint(w, webhookJSON)
		})
		_, err := c.RotateWebhookSecret(t.Context(), "hook_1")
		var p *client.Problem
		if tries != test.want || (err == nil) != (test.want == 2) || err != nil && !errors.As(err, &p) {
			t.Errorf("after %d: have %d tries and %v, want %d tries", test.status, tries, err, test.want)
		}
	}
}

func TestDeliveriesFollowCursors(t *testing.T) {
	var asked []string
	c, _ := connect(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.RequestURI())
		more := r.URL.Query().Get("cursor") == ""
		fmt.Fprintf(w, `{"data":[{"id":"dlv_1","eventId":"evt_1","type":"page.deleted","attempt":2,"status":"failed","responseStatus":500,"webhookId":"hook_1",
			"requestExcerpt":"{","endedAt":"2026-01-01T00:00:01.000Z","createdAt":"2026-01-01T00:00:00.000Z","nextAttemptAt":"2026-01-01T00:05:00.000Z"}],"pagination":{"limit":1,"hasMore":%t,"cursor":"c"}}`, more)
	})
	for path, list := range map[string]iter.Seq2[octavo.Delivery, error]{
		"/v1/webhooks/hook_1/deliveries": c.WebhookDeliveries(t.Context(), "hook_1"),
		"/v1/events/evt_1/deliveries":    c.EventDeliveries(t.Context(), "evt_1"),
	} {
		asked = nil
		count := 0
		for d, err := range list {
			if err != nil {
				t.Fatal(err)
			}
			if d.Status != octavo.DeliveryFailed || d.ResponseStatus != 500 || d.Attempt != 2 || d.NextAttemptAt == nil || d.NextAttemptAt.Minute() != 5 ||
				d.WebhookID != "hook_1" || d.RequestExcerpt != "{" || d.EndedAt == nil || d.EndedAt.Second() != 1 {
				t.Errorf("have %+v", d)
			}
			count++
		}
		if want := fmt.Sprint([]string{path, path + "?cursor=c"}); count != 2 || fmt.Sprint(asked) != want {
			t.Errorf("have %d deliveries of %s, want 2 of %s", count, asked, want)
		}
	}
	hooks := 0
	for h, err := range c.Webhooks(t.Context()) {
		if err != nil || h.ID != "dlv_1" {
			t.Errorf("have %+v, %v", h, err)
		}
		hooks++
	}
	if hooks != 2 {
		t.Errorf("have %d endpoints, want 2", hooks)
	}
}
