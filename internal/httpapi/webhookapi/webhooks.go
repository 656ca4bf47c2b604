// Package webhookapi has the operations on webhooks and their deliveries. Package
// webhooks sends them. Start with [Operations].
package webhookapi

import (
	"net/http"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/webhooks"
)

// Operations are the operations on webhooks.
type Operations struct{ Service *webhooks.Service }

// List returns one page of the webhooks.
func (o Operations) List(r *rest.Request) (*rest.Response, error) {
	return rest.ListByID(r, r.Params(), "webhooks", o.Service.Hooks.List, func(w hookstore.Webhook) octavo.ID { return w.ID },
		withoutSecret)
}

func (o Operations) Create(r *rest.Request) (*rest.Response, error) {
	in, err := rest.Decode(r, octavo.DecodeWebhookCreate)
	if err != nil {
		return nil, err
	}
	w, secret, err := o.Service.Create(r.Context(), r.Cause(), in)
	if err != nil {
		return nil, err
	}
	resp := webhookSecret(http.StatusCreated, w, secret)
	resp.Header["Location"] = r.Address("/webhooks/" + string(w.ID))
	return resp, nil
}

// webhookSecret returns a webhook and its secret, which no cache may store.
func webhookSecret(status int, w hookstore.Webhook, secret string) *rest.Response {
	resp := rest.JSON(status, appendWebhook(nil, w, secret))
	resp.Header = map[string]string{"Cache-Control": "no-store"}
	return resp
}

func (o Operations) Get(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	return rest.OK(withoutSecret).To(o.Service.Hooks.Get(r.Context(), id))
}

func (o Operations) Patch(r *rest.Request) (*rest.Response, error) {
	var faults octavo.Faults
	id, err := ID(r)
	faults.Merge(err)
	in, err := rest.Decode(r, octavo.DecodeWebhookPatch)
	faults.Merge(err)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return rest.OK(withoutSecret).To(o.Service.Patch(r.Context(), r.Cause(), id, in))
}

func (o Operations) Delete(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	return rest.NoContent(o.Service.Delete(r.Context(), r.Cause(), id))
}

func (o Operations) RotateSecret(r *rest.Request, id octavo.ID) (*rest.Response, error) {
	w, secret, err := o.Service.Rotate(r.Context(), r.Cause(), id)
	if err != nil {
		return nil, err
	}
	return webhookSecret(http.StatusOK, w, secret), nil
}

// ID returns the identifier of the webhook in the path.
func ID(r *rest.Request) (octavo.ID, error) {
	return r.PathID("id", octavo.PrefixWebhook, "There is no such webhook.")
}

func withoutSecret(dst []byte, w hookstore.Webhook) []byte { return appendWebhook(dst, w, "") }

// appendWebhook encodes a webhook, including its secret if that was just made.
func appendWebhook(dst []byte, w hookstore.Webhook, secret string) []byte {
	dst = octavo.AppendString(append(dst, `{"id":`...), string(w.ID))
	dst = octavo.AppendString(append(dst, `,"url":`...), w.URL)
	dst = append(append(dst, `,"types":`...), rest.EncodeJSON(w.Types)...)
	if w.Description != "" {
		dst = octavo.AppendString(append(dst, `,"description":`...), w.Description)
	}
	dst = strconv.AppendBool(append(dst, `,"disabled":`...), w.Disabled)
	if w.Reason != "" {
		dst = octavo.AppendString(append(dst, `,"disabledReason":`...), w.Reason)
	}
	if !w.FailingSince.IsZero() {
		dst = octavo.AppendTime(append(dst, `,"failingSince":`...), w.FailingSince)
	}
	dst = octavo.AppendTime(append(dst, `,"createdAt":`...), w.CreatedAt)
	if secret != "" {
		dst = octavo.AppendString(append(dst, `,"secret":`...), secret)
	}
	return append(dst, '}')
}
