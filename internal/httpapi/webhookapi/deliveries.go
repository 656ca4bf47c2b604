package webhookapi

import (
	"context"
	"net/http"
	"net/url"
	"strconv"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/httpapi/rest"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
)

func (o Operations) ListDeliveries(r *rest.Request) (*rest.Response, error) {
	id, err := webhookPath(r)
	if err != nil {
		return nil, err
	}
	return o.listDeliveries(r, id, o.Service.Deliveries)
}

func (o Operations) ListEventDeliveries(r *rest.Request) (*rest.Response, error) {
	id, err := r.PathID("id", octavo.PrefixEvent, "There is no such event.")
	if err != nil {
		return nil, err
	}
	return o.listDeliveries(r, id, o.Service.EventDeliveries)
}

func (o Operations) listDeliveries(r *rest.Request, of octavo.ID,
	read func(ctx context.Context, of, after octavo.ID, limit int) ([]hookstore.LoggedDelivery, bool, error),
) (*rest.Response, error) {
	return rest.ListByID(r, r.Params(), "deliveries\x01"+string(of), func(ctx context.Context, after octavo.ID, limit int) ([]hookstore.LoggedDelivery, bool, error) {
		return read(ctx, of, after, limit)
	}, func(d hookstore.LoggedDelivery) octavo.ID { return d.ID }, appendDelivery)
}

func (o Operations) Test(r *rest.Request) (*rest.Response, error) {
	id, err := webhookPath(r)
	if err != nil {
		return nil, err
	}
	resp, cause := queued(r)
	return resp, o.Service.Test(r.Context(), cause, id)
}

func (o Operations) Redeliver(r *rest.Request) (*rest.Response, error) {
	var faults octavo.Faults
	id, err := webhookPath(r)
	faults.Merge(err)
	delivery, err := r.PathID("deliveryId", octavo.PrefixDelivery, "There is no such delivery to this webhook.")
	faults.Merge(err)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	resp, cause := queued(r)
	return resp, o.Service.Redeliver(r.Context(), cause, id, delivery)
}

func (o Operations) RedeliverSince(r *rest.Request) (*rest.Response, error) {
	id, err := webhookPath(r)
	if err != nil {
		return nil, err
	}
	body, err := r.DecodeBody()
	if err != nil {
		return nil, err
	}
	since, err := octavo.DecodeRedeliver(body, r.Strict())
	if err != nil {
		return nil, err
	}
	resp, cause := queued(r)
	_, err = o.Service.RedeliverSince(r.Context(), cause, id, since)
	return resp, err
}

// queued is the response that something was queued, also for a repeated request.
func queued(r *rest.Request) (*rest.Response, sqldb.Cause) {
	resp, cause := &rest.Response{Status: http.StatusAccepted}, r.Cause()
	if cause.Claim != nil {
		cause.Claim.Response = resp.Keep
	}
	return resp, cause
}

// appendDelivery encodes an attempt.
func appendDelivery(dst []byte, d hookstore.LoggedDelivery) []byte {
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
