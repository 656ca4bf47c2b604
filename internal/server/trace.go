package server

import (
	"context"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/octavo-docs/octavo/internal/egress"
	"github.com/octavo-docs/octavo/internal/tracing"
)

// traceGrace limits sending the last traces at the end. It is a part of endGrace.
const traceGrace = 2 * time.Second

// trace opens the tracer, nil unless the environment configures one; finish sends the
// remaining spans.
func (s *server) trace(ctx context.Context, log *slog.Logger) (t *tracing.Tracer, finish func(), err error) {
	t, err = tracing.Open(ctx, tracing.Options{Now: s.process.Now, Random: s.process.Random, Log: log, Version: s.process.Version, Client: collectorClient})
	if err != nil {
		return nil, nil, err
	}
	return t, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), traceGrace)
		defer cancel()
		if err := t.Close(ctx); err != nil {
			log.WarnContext(ctx, "the last traces were not sent", "error", err)
		}
	}, nil
}

// collectorClient returns the client for the collector. Only the operator chooses its
// address, usually on a private network. So every network is allowed, and the other limits
// of egress apply.
func collectorClient(timeout time.Duration, c *tls.Config) *http.Client {
	return egress.New(egress.Options{
		Allow:    []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0")},
		Resolver: net.DefaultResolver, Timeout: timeout, TLS: c,
	})
}
