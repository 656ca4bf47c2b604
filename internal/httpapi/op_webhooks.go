package httpapi

import (
	"net/http"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

func (a *API) listWebhooks(r *request) (*response, error) {
	return listByID(a, r, "webhooks", a.Webhooks.List, func(w store.Webhook) octavo.ID { return w.ID },
		func(dst []byte, w store.Webhook) []byte { return appendWebhook(dst, w, "") })
}

func (a *API) createWebhook(r *request) (*response, error) {
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	body, err := decodeBody(r)
	if err != nil {
		return nil, err
	}
	in, err := octavo.DecodeWebhookCreate(body, strict(r))
	if err != nil {
		return nil, err
	}
	w, secret, err := a.Webhooks.Create(r.Context(), r.cause(), in)
	if err != nil {
		return nil, err
	}
	resp := webhookSecret(http.StatusCreated, w, secret)
	resp.header["Location"] = a.PublicURL + "/" + r.version + "/webhooks/" + string(w.ID)
	return resp, nil
}

// webhookSecret answers with an endpoint and its secret, which nothing on the
// way may keep.
func webhookSecret(status int, w store.Webhook, secret string) *response {
	resp := jsonResponse(status, appendWebhook(nil, w, secret))
	resp.header = map[string]string{"Cache-Control": "no-store"}
	return resp
}

func (a *API) getWebhook(r *request) (*response, error) {
	id, err := webhookPath(r)
	if err != nil {
		return nil, err
	}
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	w, err := a.Webhooks.Get(r.Context(), id)
	if err != nil {
		return nil, err
	}
	return jsonResponse(http.StatusOK, appendWebhook(nil, w, "")), nil
}

func (a *API) patchWebhook(r *request) (*response, error) {
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	var faults octavo.Faults
	id, err := webhookPath(r)
	faults.Merge(err)
	var in octavo.WebhookPatch
	body, err := decodeBody(r)
	if err == nil {
		in, err = octavo.DecodeWebhookPatch(body, strict(r))
	}
	faults.Merge(err)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	w, err := a.Webhooks.Patch(r.Context(), r.cause(), id, in)
	if err != nil {
		return nil, err
	}
	return jsonResponse(http.StatusOK, appendWebhook(nil, w, "")), nil
}

func (a *API) deleteWebhook(r *request) (*response, error) {
	id, err := webhookPath(r)
	if err != nil {
		return nil, err
	}
	if err := a.Webhooks.Delete(r.Context(), r.cause(), id); err != nil {
		return nil, err
	}
	return &response{status: http.StatusNoContent}, nil
}

func (a *API) rotateWebhookSecret(r *request) (*response, error) {
	id, err := webhookPath(r)
	if err != nil {
		return nil, err
	}
	if _, err := negotiate(r, mediaJSON); err != nil {
		return nil, err
	}
	w, secret, err := a.Webhooks.Rotate(r.Context(), r.cause(), id)
	if err != nil {
		return nil, err
	}
	return webhookSecret(http.StatusOK, w, secret), nil
}

// webhookPath returns the identifier of the endpoint in the path.
func webhookPath(r *request) (octavo.ID, error) {
	return idPath(r, "id", octavo.PrefixWebhook, "There is no such webhook.")
}

// idPath returns an identifier in the path; one of another kind names nothing.
func idPath(r *request, name string, prefix octavo.Prefix, missing string) (octavo.ID, error) {
	id := octavo.ID(r.PathValue(name))
	if !octavo.ValidIdentifier(string(id)) {
		return "", octavo.Invalid(name, "must be an identifier such as %s_01h455vb4pex5vsknk084sn02q", prefix)
	}
	if !id.Is(prefix) {
		return "", octavo.Errorf(octavo.NotFound, "%s", missing)
	}
	return id, nil
}

// appendWebhook encodes an endpoint, with its secret when that was just made.
func appendWebhook(dst []byte, w store.Webhook, secret string) []byte {
	dst = octavo.AppendString(append(dst, `{"id":`...), string(w.ID))
	dst = octavo.AppendString(append(dst, `,"url":`...), w.URL)
	dst = append(append(dst, `,"types":`...), encodeJSON(w.Types)...)
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
