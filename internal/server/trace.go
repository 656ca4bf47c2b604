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

// traceGrace is how long the last traces may take to be sent when the server
// ends; it is a part of endGrace.
const traceGrace = 2 * time.Second

// trace opens what records traces, nil unless the environment asks for it;
// finish sends the last of them.
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

// collectorClient makes the client for the collector. The operator names its
// address, which nobody else can, and it is usually on a network that is not
// public: so every network may be reached, and the other bounds of egress hold.
func collectorClient(timeout time.Duration, c *tls.Config) *http.Client {
	return egress.New(egress.Options{
		Allow:    []netip.Prefix{netip.MustParsePrefix("0.0.0.0/0"), netip.MustParsePrefix("::/0")},
		Resolver: net.DefaultResolver, Timeout: timeout, TLS: c,
	})
}
