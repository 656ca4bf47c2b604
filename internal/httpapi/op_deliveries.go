package httpapi

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store"
)

func (a *API) listWebhookDeliveries(r *request) (*response, error) {
	id, err := webhookPath(r)
	if err != nil {
		return nil, err
	}
	return a.listDeliveries(r, id, a.Webhooks.Deliveries)
}

func (a *API) listEventDeliveries(r *request) (*response, error) {
	id, err := idPath(r, "id", octavo.PrefixEvent, "There is no such event.")
	if err != nil {
		return nil, err
	}
	return a.listDeliveries(r, id, a.Webhooks.EventDeliveries)
}

func (a *API) listDeliveries(r *request, of octavo.ID,
	read func(ctx context.Context, of, after octavo.ID, limit int) ([]store.LoggedDelivery, bool, error),
) (*response, error) {
	return listByID(a, r, "deliveries\x01"+string(of), func(ctx context.Context, after octavo.ID, limit int) ([]store.LoggedDelivery, bool, error) {
		return read(ctx, of, after, limit)
	}, func(d store.LoggedDelivery) octavo.ID { return d.ID }, appendDelivery)
}

func (a *API) testWebhook(r *request) (*response, error) {
	id, err := webhookPath(r)
	if err != nil {
		return nil, err
	}
	resp, cause := queued(r)
	return resp, a.Webhooks.Test(r.Context(), cause, id)
}

func (a *API) redeliverDelivery(r *request) (*response, error) {
	var faults octavo.Faults
	id, err := webhookPath(r)
	faults.Merge(err)
	delivery, err := idPath(r, "deliveryId", octavo.PrefixDelivery, "There is no such delivery to this webhook.")
	faults.Merge(err)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	resp, cause := queued(r)
	return resp, a.Webhooks.Redeliver(r.Context(), cause, id, delivery)
}

func (a *API) redeliverWebhook(r *request) (*response, error) {
	id, err := webhookPath(r)
	if err != nil {
		return nil, err
	}
	body, err := decodeBody(r)
	if err != nil {
		return nil, err
	}
	since, err := octavo.DecodeRedeliver(body, strict(r))
	if err != nil {
		return nil, err
	}
	resp, cause := queued(r)
	_, err = a.Webhooks.RedeliverSince(r.Context(), cause, id, since)
	return resp, err
}

// queued answers that something was put in line, also to the repetition of the
// request.
func queued(r *request) (*response, store.Cause) {
	resp, cause := &response{status: http.StatusAccepted}, r.cause()
	if cause.Claim != nil {
		cause.Claim.Response = resp.keep
	}
	return resp, cause
}

// appendDelivery encodes a try.
func appendDelivery(dst []byte, d store.LoggedDelivery) []byte {
	text := func(name, value string) {
		if value != "" {
			dst = octavo.AppendString(append(append(append(dst, `,"`...), name...), `":`...), value)
		}
	}
	dst = octavo.AppendString(append(dst, `{"id":`...), string(d.ID))
	text("eventId", string(d.EventID))
	text("type", string(d.Kind))
	if hook, ok := d.Webhook(); ok {
		text("webhookId", string(hook))
	} else if u, err := url.Parse(d.Callback); err == nil {
		text("callbackUrl", u.Redacted())
	}
	dst = strconv.AppendInt(append(dst, `,"attempt":`...), int64(d.Attempt), 10)
	text("status", string(d.Status))
	text("requestExcerpt", d.Request)
	if d.ResponseStatus != 0 {
		dst = strconv.AppendInt(append(dst, `,"responseStatus":`...), int64(d.ResponseStatus), 10)
	}
	text("responseExcerpt", d.Response)
	text("error", d.Error)
	dst = octavo.AppendTime(append(dst, `,"createdAt":`...), d.CreatedAt)
	if !d.EndedAt.IsZero() {
		dst = octavo.AppendTime(append(dst, `,"endedAt":`...), d.EndedAt)
	}
	if !d.ReadyAt.IsZero() && d.Lease == 0 {
		dst = octavo.AppendTime(append(dst, `,"nextAttemptAt":`...), d.ReadyAt)
	}
	return append(dst, '}')
}
