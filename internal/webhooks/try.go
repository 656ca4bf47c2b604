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
	// DefaultTimeout is how long a try may take (decision 36).
	DefaultTimeout = 15 * time.Second
	// bodyTimeout bounds how long the body of an answer is read: it changes
	// nothing about how the try ended.
	bodyTimeout = 2 * time.Second
	// maxExcerpt and maxDrained are how much of it is kept and, so that the
	// connection can be used again, read at most.
	maxExcerpt = 1 << 10
	maxDrained = 64 << 10
	// quickTime is the longest that a target may take to be sent more at once.
	quickTime = time.Second
)

// release gives a delivery back untried.
func release(c claimed) hookstore.Outcome {
	return hookstore.Outcome{Delivery: c.Delivery, Status: octavo.DeliveryPending}
}

// try makes one try and says what became of it, and how the target bears up.
func (s *sender) try(ctx context.Context, c claimed) (hookstore.Outcome, pace) {
	if c.Size >= largeEvent {
		room := min(2*c.Size, largeMemory) // as it is stored, and as it is sent
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

// hopelessError says why a delivery need not be tried at all.
type hopelessError struct{ reason string }

// Error implements error.
func (e *hopelessError) Error() string { return e.reason }

// request builds the request of a try, signed now. at is when its event was.
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
	// Not sent: it tells the transport that the request may be sent again where
	// a connection was closed before it arrived.
	req.Header["Idempotency-Key"] = []string{}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", s.Agent)
	sign(req.Header, d.EventID, now, signed)
	span, err = s.trace(req, d, v)
	return req, v.Event.CreatedAt, span, err
}

// destination returns where a delivery goes, the secrets that sign it and,
// unless that is what the event itself says, what is told.
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

// answer is what came back.
type answer struct {
	status     int // 0 for none
	retryAfter time.Duration
	excerpt    string
	err        error // why there is none, or why its body broke off
}

// send makes the request and reads the answer, up to a bound.
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
	defer resp.Body.Close() //nolint:errcheck // it was read as far as it is wanted
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

// plainError is an error of a request as the log tells it: without the address,
// which may hold what is secret.
func plainError(err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		return wrapped.Err
	}
	return err
}

// judge says what an answer makes of a delivery (decision 36).
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
