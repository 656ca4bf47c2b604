package webhooks

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/octavo-docs/octavo"
	"github.com/octavo-docs/octavo/internal/store/exportstore"
	"github.com/octavo-docs/octavo/internal/store/hookstore"
	"github.com/octavo-docs/octavo/internal/store/sqldb"
	"github.com/octavo-docs/octavo/internal/tracing"
)

const (
	// DefaultTimeout limits one attempt (decision 36).
	DefaultTimeout = 15 * time.Second
	// bodyTimeout limits reading the body of a response, which does not
	// affect the result.
	bodyTimeout = 2 * time.Second
	// maxExcerpt is how much of the body is stored, and maxDrained how much
	// is read, so that the connection can be used again.
	maxExcerpt = 1 << 10
	maxDrained = 64 << 10
	// quickTime is the maximum response time of a quick target.
	quickTime = time.Second
)

func release(c claimed) hookstore.Outcome {
	return hookstore.Outcome{Delivery: c.Delivery, Status: octavo.DeliveryPending}
}

// try makes one attempt and returns its result, and the pace of the target.
func (s *sender) try(ctx context.Context, c claimed) (hookstore.Outcome, pace) {
	if c.Size >= largeEvent {
		room := min(2*c.Size, largeMemory) // as stored, and as sent
		if s.large.Acquire(ctx, room) != nil {
			return release(c), steady
		}
		defer s.large.Release(room)
	}
	if age := s.Now().Sub(c.at); age < 0 || age > staleAfter {
		return release(c), steady
	}
	req, at, span, err := s.request(ctx, c.Delivery)
	defer span.End()
	var over *hopelessError
	switch {
	case errors.As(err, &over):
		return hookstore.Outcome{Delivery: c.Delivery, Status: octavo.DeliveryAbandoned, EndedAt: s.Now(), Error: over.reason, Untried: true}, quick
	case err != nil:
		if ctx.Err() == nil {
			s.Log.WarnContext(ctx, "a delivery could not be prepared and is queued again", "delivery", c.ID, "error", err)
			sqldb.Pause(ctx, pollInterval)
		}
		return release(c), steady
	}
	begun := s.Now()
	a := s.send(ctx, req)
	now := s.Now()
	took := now.Sub(begun)
	if a.status == 0 && ctx.Err() != nil {
		return release(c), steady // the server stops
	}
	chance, err := draw(s.Random)
	if err != nil {
		s.Log.ErrorContext(ctx, "a retry has no jitter", "error", err)
	}
	o := judge(c.Delivery, a, now, chance)
	span.Int("http.response.status_code", int64(a.status))
	if o.Status != octavo.DeliverySucceeded {
		span.Fail(string(o.Status))
	}
	if s.Observe != nil {
		s.Observe(o.Status, took, now.Sub(at))
	}
	switch {
	case o.Status != octavo.DeliverySucceeded:
		return o, failing
	case took < quickTime:
		return o, quick
	}
	return o, steady
}

// hopelessError is the reason why an attempt cannot succeed.
type hopelessError struct{ reason string }

func (e *hopelessError) Error() string { return e.reason }

// request builds the request of an attempt and signs it. at is the time of its event.
func (s *sender) request(ctx context.Context, d hookstore.Delivery) (req *http.Request, at time.Time, span *tracing.Span, err error) {
	address, secrets, data, err := s.destination(ctx, d)
	if err != nil {
		return nil, at, nil, err
	}
	v, found, err := s.Hooks.Sending(ctx, d.EventID)
	if err != nil {
		return nil, at, nil, err
	}
	if !found {
		return nil, at, nil, &hopelessError{"The event is no longer stored."}
	}
	if data != nil {
		v.Event.Data = data
	}
	body := v.Event.AppendJSON(nil)
	req, err = http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, at, nil, &hopelessError{"The address is not one that a request can be sent to."}
	}
	req.URL.User = nil // receivers get no Authorization (decision 56)
	now := s.Now()
	var signed string
	if _, hook := d.Webhook(); hook {
		signed, err = signature(secrets, d.EventID, now, body)
	} else {
		signed, err = s.Callbacks.sign(ctx, d.EventID, now, body)
	}
	if err != nil {
		return nil, at, nil, err
	}
	// An empty value is not sent. It tells the transport that it may repeat
	// the request if a connection was closed before the request arrived.
	req.Header["Idempotency-Key"] = []string{}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", s.Agent)
	sign(req.Header, d.EventID, now, signed)
	span, err = s.trace(req, d, v)
	return req, v.Event.CreatedAt, span, err
}

// destination returns where a delivery goes, the secrets that sign it and,
// if it is not the event itself, the body.
func (s *sender) destination(ctx context.Context, d hookstore.Delivery) (address string, secrets []secret, data []byte, err error) {
	id, hook := d.Webhook()
	if export, number, ok := exportstore.OfLane(d.Lane); ok && s.Export != nil {
		address, data, found, err := s.Export(ctx, export, number)
		if err == nil && !found {
			err = &hopelessError{"The export was removed."}
		}
		return address, nil, data, err
	}
	if !hook {
		address, found, err := s.Hooks.Callback(ctx, d.EventID)
		if err == nil && !found {
			err = &hopelessError{"The page was permanently removed."}
		}
		return address, nil, nil, err
	}
	e, err := s.endpoint(ctx, id)
	switch {
	case err != nil:
		return "", nil, nil, err
	case e.gone:
		return "", nil, nil, &hopelessError{"The webhook was deleted."}
	case e.Disabled:
		return "", nil, nil, &hopelessError{"The webhook was disabled."}
	}
	return e.URL, e.secrets, nil, nil
}

type answer struct {
	status     int // 0 for none
	retryAfter time.Duration
	excerpt    string
	err        error // why there is no response, or why its body is incomplete
}

func (s *sender) send(ctx context.Context, req *http.Request) answer {
	ctx, cancel := context.WithTimeout(ctx, s.Timeout)
	defer cancel()
	resp, err := s.Client.Do(req.WithContext(ctx))
	if err != nil {
		if errors.Is(ctx.Err(), context.DeadlineExceeded) {
			err = fmt.Errorf("no answer within %s", s.Timeout)
		}
		return answer{err: plainError(err)}
	}
	defer resp.Body.Close() //nolint:errcheck // as much was read as needed
	a := answer{status: resp.StatusCode, retryAfter: retryAfter(resp.Header, s.Now())}
	timer := time.AfterFunc(bodyTimeout, cancel)
	defer timer.Stop()
	excerpt, err := io.ReadAll(io.LimitReader(resp.Body, maxExcerpt))
	a.excerpt = strings.ToValidUTF8(string(excerpt), "\uFFFD")
	if err == nil {
		_, err = io.CopyN(io.Discard, resp.Body, maxDrained)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		a.err = errors.New("the answer broke off")
	}
	return a
}

// plainError returns an error of a request without the address, which may
// contain a secret.
func plainError(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}

// judge derives the result of a delivery from a response (decision 36).
func judge(d hookstore.Delivery, a answer, now time.Time, chance float64) hookstore.Outcome {
	o := hookstore.Outcome{Delivery: d, EndedAt: now, ResponseStatus: a.status, Response: a.excerpt}
	if a.err != nil {
		o.Error = a.err.Error()
	}
	if a.status >= 200 && a.status < 300 {
		o.Status = octavo.DeliverySucceeded
		return o
	}
	if a.status != 0 && o.Error == "" {
		o.Error = fmt.Sprintf("The response was %d %s.", a.status, http.StatusText(a.status))
	}
	if a.status == http.StatusGone {
		o.Status = octavo.DeliveryAbandoned
		if _, hook := d.Webhook(); hook {
			o.Disable = "The receiver answered 410 Gone."
		}
		return o
	}
	after, again := pause(d.Attempt, chance)
	if !again {
		o.Status = octavo.DeliveryAbandoned
		return o
	}
	o.Status, o.RetryAfter = octavo.DeliveryFailed, max(after, a.retryAfter)
	return o
}
