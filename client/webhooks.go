package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"time"

	"github.com/octavo-docs/octavo"
)

// The calls of this file need the scope admin.

// Webhooks iterates over the webhooks.
func (c *Client) Webhooks(ctx context.Context, opts ...CallOption) iter.Seq2[octavo.Webhook, error] {
	return all[octavo.Webhook](ctx, c, "/webhooks", url.Values{}, opts)
}

// CreateWebhook registers a webhook. Its Secret is returned only here and on
// rotation. If the response is lost the call fails, and the webhook may exist.
func (c *Client) CreateWebhook(ctx context.Context, w octavo.WebhookCreate, opts ...CallOption) (octavo.Webhook, error) {
	return c.webhook(ctx, request{method: http.MethodPost, path: "/webhooks", once: true}, w, opts)
}

// Webhook reads a webhook, without its secret.
func (c *Client) Webhook(ctx context.Context, id octavo.ID, opts ...CallOption) (octavo.Webhook, error) {
	return c.webhook(ctx, request{method: http.MethodGet, path: pathOf("/webhooks", id)}, nil, opts)
}

// PatchWebhook changes the members of a webhook that w names.
func (c *Client) PatchWebhook(ctx context.Context, id octavo.ID, w octavo.WebhookPatch, opts ...CallOption) (octavo.Webhook, error) {
	return c.webhook(ctx, request{method: http.MethodPatch, path: pathOf("/webhooks", id)}, w, opts)
}

// DeleteWebhook removes a webhook.
func (c *Client) DeleteWebhook(ctx context.Context, id octavo.ID, opts ...CallOption) error {
	return c.act(ctx, request{method: http.MethodDelete, path: pathOf("/webhooks", id)}, opts)
}

// RotateWebhookSecret gives a webhook a new secret and returns it. For 24 hours
// both sign. If the response is lost the call fails, and the secret may be new.
func (c *Client) RotateWebhookSecret(ctx context.Context, id octavo.ID, opts ...CallOption) (octavo.Webhook, error) {
	return c.webhook(ctx, request{method: http.MethodPost, path: pathOf("/webhooks", id, "rotate-secret"), once: true}, nil, opts)
}

// TestWebhook sends a test event to a webhook.
func (c *Client) TestWebhook(ctx context.Context, id octavo.ID, opts ...CallOption) error {
	return c.act(ctx, request{method: http.MethodPost, path: pathOf("/webhooks", id, "test")}, opts)
}

// Redeliver sends a webhook all events again that have failed since a time.
func (c *Client) Redeliver(ctx context.Context, id octavo.ID, since time.Time, opts ...CallOption) error {
	body := append(octavo.AppendTime([]byte(`{"since":`), since), '}')
	return c.act(ctx, request{method: http.MethodPost, path: pathOf("/webhooks", id, "redeliver"), body: body}, opts)
}

// RedeliverOne sends the event of one delivery to a webhook again.
func (c *Client) RedeliverOne(ctx context.Context, id, delivery octavo.ID, opts ...CallOption) error {
	return c.act(ctx, request{method: http.MethodPost, path: pathOf("/webhooks", id, "deliveries", string(delivery), "redeliver")}, opts)
}

// WebhookDeliveries iterates over the delivery attempts of a webhook.
func (c *Client) WebhookDeliveries(ctx context.Context, id octavo.ID, opts ...CallOption) iter.Seq2[octavo.Delivery, error] {
	return all[octavo.Delivery](ctx, c, pathOf("/webhooks", id, "deliveries"), url.Values{}, opts)
}

// EventDeliveries iterates over the delivery attempts of an event, to webhooks and
// to a callback.
func (c *Client) EventDeliveries(ctx context.Context, event octavo.ID, opts ...CallOption) iter.Seq2[octavo.Delivery, error] {
	return all[octavo.Delivery](ctx, c, "/events/"+url.PathEscape(string(event))+"/deliveries", url.Values{}, opts)
}

// webhook sends a request whose response is a webhook, with body unless it is nil.
func (c *Client) webhook(ctx context.Context, req request, body any, opts []CallOption) (w octavo.Webhook, err error) {
	if body != nil {
		if req.body, err = json.Marshal(body); err != nil {
			return w, fmt.Errorf("encode a webhook: %w", err)
		}
	}
	req.into = &w
	if _, err = c.do(ctx, req, opts); err == nil && w.ID == "" {
		err = fmt.Errorf("%s %s: the response has no webhook", req.method, req.path)
	}
	return w, err
}
