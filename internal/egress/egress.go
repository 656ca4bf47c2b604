// Package egress makes the HTTP clients for all outgoing connections. Addresses come
// from people and from other servers. So a client resolves names itself, refuses
// addresses outside the public internet unless the configuration allows them, dials
// exactly the address that it checked, follows no redirect, and limits time and size of
// a response.
//
// It does not know what is sent, to whom, or when it is retried.
//
//	client := egress.New(egress.Options{Allow: networks, Resolver: net.DefaultResolver})
//	resp, err := client.Do(request) // a *RefusedError when the address is not allowed
package egress

import (
	"cmp"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"
)

// Defaults of Options.
const (
	DefaultTimeout     = 15 * time.Second
	DefaultMaxResponse = 1 << 20 // bytes
	DefaultIdle        = 100
	DefaultIdlePerHost = 4
)

// Fixed limits.
const (
	maxHeader    = 64 << 10 // bytes of a response header
	idleTimeout  = 30 * time.Second
	maxAddresses = 4               // addresses of one host to try
	dialTimeout  = 5 * time.Second // for each address
	tlsTimeout   = 5 * time.Second
	// pingTimeout is how long an HTTP/2 connection may be silent before it is pinged, and
	// then before it is closed. Without that, all requests to a host would share a dead
	// connection.
	pingTimeout = 5 * time.Second
)

type Options struct {
	// Allow lists additional networks that are not public.
	Allow    []netip.Prefix
	Resolver Resolver
	// Timeout limits a request, from the lookup to the end of the response body; 0 means
	// DefaultTimeout.
	Timeout time.Duration
	// MaxResponse limits the response body in bytes, after decompression; 0 means
	// DefaultMaxResponse.
	MaxResponse int64
	// Idle and IdlePerHost limit idle connections in total and to one host; 0 means
	// DefaultIdle and DefaultIdlePerHost.
	Idle, IdlePerHost int
	// Ports lists the allowed ports; nil means all.
	Ports []uint16
	// TLS, if non-nil, configures how servers are authenticated.
	TLS *tls.Config
}

// ErrTooLarge is the error of reading a response beyond MaxResponse.
var ErrTooLarge = errors.New("the answer is larger than allowed")

// New returns a client. It returns redirects unfollowed, uses no proxy and keeps no
// cookies. CloseIdleConnections closes its idle connections.
func New(o Options) *http.Client {
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.MaxResponse <= 0 {
		o.MaxResponse = DefaultMaxResponse
	}
	d := &dialer{net: net.Dialer{Timeout: dialTimeout}, allow: o.Allow, resolver: o.Resolver, ports: o.Ports}
	return &http.Client{
		Timeout:       o.Timeout,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Transport: &transport{max: o.MaxResponse, base: &http.Transport{
			DialContext:            d.dial,
			TLSClientConfig:        o.TLS,
			ForceAttemptHTTP2:      true,
			TLSHandshakeTimeout:    min(tlsTimeout, o.Timeout),
			ResponseHeaderTimeout:  o.Timeout,
			MaxResponseHeaderBytes: maxHeader,
			MaxIdleConns:           cmp.Or(o.Idle, DefaultIdle),
			MaxIdleConnsPerHost:    cmp.Or(o.IdlePerHost, DefaultIdlePerHost),
			IdleConnTimeout:        idleTimeout,
			HTTP2:                  &http.HTTP2Config{SendPingTimeout: min(pingTimeout, o.Timeout), PingTimeout: min(pingTimeout, o.Timeout)},
		}},
	}
}

// transport limits the responses of another transport.
type transport struct {
	base *http.Transport
	max  int64
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if req.URL.Scheme != "http" && req.URL.Scheme != "https" {
		return nil, fmt.Errorf("egress: %q is not http or https", req.URL.Scheme)
	}
	resp, err := t.base.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	resp.Body = &bounded{ReadCloser: resp.Body, left: t.max}
	return resp, nil
}

// CloseIdleConnections is called by http.Client.
func (t *transport) CloseIdleConnections() { t.base.CloseIdleConnections() }

// bounded fails after left bytes.
type bounded struct {
	io.ReadCloser
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.ReadCloser.Read(p)
	if int64(n) > b.left {
		n, err = int(b.left), ErrTooLarge
	}
	b.left -= int64(n)
	return n, err
}
