package client

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"net"
	"net/http"
	"strconv"
	"time"
)

// Bounds of the pause before the next attempt. If a server asks for more than
// maxPause, the caller gets its response at once.
const (
	firstPause = 250 * time.Millisecond
	capPause   = 15 * time.Second
	maxPause   = 2 * time.Minute
)

// sleep waits for d or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// effect says what a failed attempt may have done on the server.
type effect uint8

const (
	effectFinal   effect = iota // another attempt would get the same response
	effectNone                  // the server did not act
	effectUnknown               // it may have acted
)

// effectOf judges a failed attempt by its error.
func effectOf(err error) effect {
	if p, ok := errors.AsType[*Problem](err); ok {
		switch p.Status {
		case http.StatusTooManyRequests, http.StatusServiceUnavailable:
			return effectNone
		case http.StatusBadGateway, http.StatusGatewayTimeout:
			return effectUnknown
		case http.StatusConflict:
			// Another attempt with the same Idempotency-Key is in progress.
			if p.RetryAfter > 0 {
				return effectUnknown
			}
		}
		return effectFinal
	}
	var lost *transportError
	if !errors.As(err, &lost) {
		return effectFinal
	}
	if op, ok := errors.AsType[*net.OpError](err); ok && op.Op == "dial" {
		return effectNone
	}
	return effectUnknown
}

// transportError is a failure to send a request or to read its response.
type transportError struct{ err error }

func (e *transportError) Error() string { return e.err.Error() }
func (e *transportError) Unwrap() error { return e.err }

// repeatable reports whether req may be sent again after an attempt with effect e.
func (r request) repeatable(e effect) bool {
	conditional := r.header.Get("If-Match") != ""
	return e == effectNone || e == effectUnknown && !conditional && !r.once
}

// pause returns how long to wait before attempt n+1, where n counts from 1: what
// the server asked for, or a random part of a time that doubles.
func (c *Client) pause(n int, err error) (time.Duration, error) {
	if p, ok := errors.AsType[*Problem](err); ok && p.RetryAfter > 0 {
		return p.RetryAfter, nil
	}
	span := min(capPause, firstPause<<min(n-1, 10))
	var b [8]byte
	if _, err := io.ReadFull(c.random, b[:]); err != nil {
		return 0, fmt.Errorf("draw the pause before the next attempt: %w", err)
	}
	share := float64(binary.BigEndian.Uint64(b[:])>>11) / (1 << 53)
	return span/2 + time.Duration(share*float64(span/2)), nil
}

// retryAfter reads a Retry-After field: seconds or a date (RFC 9110 section
// 10.2.3). An invalid value, or one in the past, is 0. One that is too long for a
// duration is the longest duration.
func retryAfter(value string, now time.Time) time.Duration {
	const most = uint64(math.MaxInt64 / time.Second)
	if n, err := strconv.ParseUint(value, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(n, most)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(0, at.Sub(now))
	}
	return 0
}
