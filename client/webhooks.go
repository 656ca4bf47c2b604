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

// Webhooks iterates over the endpoints.
func (c *Client) Webhooks(ctx context.Context, opts ...CallOption) iter.Seq2[octavo.Webhook, error] {
	return all[octavo.Webhook](ctx, c, "/webhooks", url.Values{}, opts)
}

// CreateWebhook registers an endpoint. Its Secret is in the answer, and shown
// at no other time but rotation. When the answer is lost the call fails, and
// the endpoint may be there.
func (c *Client) CreateWebhook(ctx context.Context, w octavo.WebhookCreate, opts ...CallOption) (octavo.Webhook, error) {
	return c.webhook(ctx, request{method: http.MethodPost, path: "/webhooks", once: true}, w, opts)
}

// Webhook reads an endpoint, without its secret.
func (c *Client) Webhook(ctx context.Context, id octavo.ID, opts ...CallOption) (octavo.Webhook, error) {
	return c.webhook(ctx, request{method: http.MethodGet, path: pathOf("/webhooks", id)}, nil, opts)
}

// PatchWebhook changes the members of an endpoint that w names.
func (c *Client) PatchWebhook(ctx context.Context, id octavo.ID, w octavo.WebhookPatch, opts ...CallOption) (octavo.Webhook, error) {
	return c.webhook(ctx, request{method: http.MethodPatch, path: pathOf("/webhooks", id)}, w, opts)
}

// DeleteWebhook removes an endpoint.
func (c *Client) DeleteWebhook(ctx context.Context, id octavo.ID, opts ...CallOption) error {
	return c.act(ctx, request{method: http.MethodDelete, path: pathOf("/webhooks", id)}, opts)
}

// RotateWebhookSecret gives an endpoint a new secret, which is in the answer.
// For a while both sign. When the answer is lost the call fails, and the
// secret may be a new one.
func (c *Client) RotateWebhookSecret(ctx context.Context, id octavo.ID, opts ...CallOption) (octavo.Webhook, error) {
	return c.webhook(ctx, request{method: http.MethodPost, path: pathOf("/webhooks", id, "rotate-secret"), once: true}, nil, opts)
}

// TestWebhook has a test event sent to an endpoint.
func (c *Client) TestWebhook(ctx context.Context, id octavo.ID, opts ...CallOption) error {
	return c.act(ctx, request{method: http.MethodPost, path: pathOf("/webhooks", id, "test")}, opts)
}

// Redeliver has everything sent again to an endpoint that failed since then.
func (c *Client) Redeliver(ctx context.Context, id octavo.ID, since time.Time, opts ...CallOption) error {
	body := append(octavo.AppendTime([]byte(`{"since":`), since), '}')
	return c.act(ctx, request{method: http.MethodPost, path: pathOf("/webhooks", id, "redeliver"), body: body}, opts)
}

// RedeliverOne has one delivery to an endpoint sent again.
func (c *Client) RedeliverOne(ctx context.Context, id, delivery octavo.ID, opts ...CallOption) error {
	return c.act(ctx, request{method: http.MethodPost, path: pathOf("/webhooks", id, "deliveries", string(delivery), "redeliver")}, opts)
}

// WebhookDeliveries iterates over the tries to deliver to an endpoint.
func (c *Client) WebhookDeliveries(ctx context.Context, id octavo.ID, opts ...CallOption) iter.Seq2[octavo.Delivery, error] {
	return all[octavo.Delivery](ctx, c, pathOf("/webhooks", id, "deliveries"), url.Values{}, opts)
}

// EventDeliveries iterates over the tries to deliver an event, to endpoints
// and to a callback.
func (c *Client) EventDeliveries(ctx context.Context, event octavo.ID, opts ...CallOption) iter.Seq2[octavo.Delivery, error] {
	return all[octavo.Delivery](ctx, c, "/events/"+url.PathEscape(string(event))+"/deliveries", url.Values{}, opts)
}

// webhook sends a request, with body unless that is nil, that is answered with
// an endpoint.
func (c *Client) webhook(ctx context.Context, req request, body any, opts []CallOption) (w octavo.Webhook, err error) {
	if body != nil {
		if req.body, err = json.Marshal(body); err != nil {
			return w, fmt.Errorf("encode an endpoint: %w", err)
		}
	}
	req.into = &w
	if _, err = c.do(ctx, req, opts); err == nil && w.ID == "" {
		err = fmt.Errorf("%s %s: the answer holds no endpoint", req.method, req.path)
	}
	return w, err
}
