package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/octavo-docs/octavo/internal/config"
)

// Limits of a connection. A handler that needs longer extends its deadline with an
// http.ResponseController.
const (
	headerTimeout = 10 * time.Second
	readTimeout   = time.Minute
	writeTimeout  = 2 * time.Minute
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10 // bytes
)

// listeners are the open ports of a server.
type listeners struct {
	api *boundedListener
	ops net.Listener // may be nil
}

// serving says how listeners are served.
type serving struct {
	api, ops http.Handler
	log      *slog.Logger
	drain    time.Duration // how long new requests are accepted after the stop signal
	timeout  time.Duration // for running requests to end
	ready    func()        // called when connections are accepted
}

// listen opens the ports; connections wait until serve. If the default operations port is
// taken, as by a second server on the machine, listen logs that and goes on without it.
func listen(ctx context.Context, o *config.Options, log *slog.Logger) (*listeners, error) {
	var lc net.ListenConfig
	api, err := lc.Listen(ctx, "tcp", string(o.Addr))
	if err != nil {
		return nil, fmt.Errorf("serve on --addr %s: %w", o.Addr, err)
	}
	bounded, err := bound(api)
	if err != nil {
		return nil, errors.Join(err, api.Close())
	}
	l := &listeners{api: bounded}
	if o.OpsAddr == "" {
		return l, nil
	}
	ops, err := lc.Listen(ctx, "tcp", string(o.OpsAddr))
	switch {
	case err == nil:
		l.ops = ops
	case o.OpsAddr == config.DefaultOpsAddr && errors.Is(err, syscall.EADDRINUSE):
		log.WarnContext(ctx, "/livez, /readyz, /metrics and /debug/pprof/ are not served, because their address is in use: choose another with --ops-addr", "address", o.OpsAddr)
	default:
		return nil, errors.Join(fmt.Errorf("serve operations on --ops-addr %s: %w", o.OpsAddr, err), l.close())
	}
	return l, nil
}

// close closes the ports. It ignores those that a server has already closed.
func (l *listeners) close() error {
	errs := []error{l.api.Close()}
	if l.ops != nil {
		errs = append(errs, l.ops.Close())
	}
	for i, err := range errs {
		if errors.Is(err, net.ErrClosed) {
			errs[i] = nil
		}
	}
	return errors.Join(errs...)
}

func (l *listeners) url() string { return urlOf(l.api) }

func (l *listeners) opsURL() string {
	if l.ops == nil {
		return ""
	}
	return urlOf(l.ops)
}

// loopback reports whether only this machine can reach the API port.
func (l *listeners) loopback() bool { return l.api.Addr().(*net.TCPAddr).IP.IsLoopback() } // see urlOf

// urlOf returns the local URL of a port.
func urlOf(l net.Listener) string {
	addr := l.Addr().(*net.TCPAddr) // net.Listen returns this type for tcp
	host := addr.IP.String()
	if addr.IP.IsUnspecified() {
		host = "localhost"
	}
	return "http://" + net.JoinHostPort(host, strconv.Itoa(addr.Port))
}

// serve accepts connections until ctx ends or a port fails, and for s.drain afterwards,
// when each response closes its connection. Running requests then have s.timeout to end
// before they are cut off.
func (l *listeners) serve(ctx context.Context, s serving) error {
	group, ctx := errgroup.WithContext(ctx)
	api := newServer(closing(ctx, s.api), s.log)
	api.ConnState = l.api.changed
	api.DisableGeneralOptionsHandler = true // net/http would answer OPTIONS * itself, without X-Request-Id
	servers := []*http.Server{api}
	group.Go(func() error { return ended(api.Serve(l.api)) })
	if l.ops != nil {
		ops := newServer(s.ops, s.log)
		servers = append(servers, ops)
		group.Go(func() error { return ended(ops.Serve(l.ops)) })
	}
	group.Go(func() error {
		<-ctx.Done()
		<-time.After(s.drain) // a second signal ends the process
		limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.timeout)
		defer cancel()
		for _, server := range servers {
			if err := server.Shutdown(limit); err != nil {
				s.log.Warn("requests were aborted because they had not ended in time", "timeout", s.timeout, "error", err)
				_ = server.Close() // its error is that of Shutdown
			}
		}
		return nil
	})
	s.ready()
	return group.Wait()
}

// closing makes each response close its connection once ctx has ended, so that clients
// with idle connections reconnect elsewhere.
func closing(ctx context.Context, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if ctx.Err() != nil {
			w.Header().Set("Connection", "close")
		}
		h.ServeHTTP(w, r)
	})
}

func newServer(h http.Handler, log *slog.Logger) *http.Server {
	return &http.Server{
		Handler:           h,
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelDebug), // protocol errors of clients
	}
}

// ended ignores the error of Serve after a regular shutdown.
func ended(err error) error {
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return err
}
