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

// Bounds that no option changes.
const (
	maxHeader    = 64 << 10 // bytes of the header of an answer
	idleTimeout  = 30 * time.Second
	maxAddresses = 4               // of one host that are tried
	dialTimeout  = 5 * time.Second // for each of them
	tlsTimeout   = 5 * time.Second
	// pingTimeout is how long a connection of HTTP/2 may be silent until it is
	// asked whether it lives, and then again until it is given up: it is used for
	// all that is sent to a host, however many requests it has swallowed.
	pingTimeout = 5 * time.Second
)

// Options are what a client is made with.
type Options struct {
	// Allow lists networks that may be reached although they are not public.
	Allow []netip.Prefix
	// Resolver finds the addresses of a name, as *net.Resolver does.
	Resolver Resolver
	// Timeout bounds a request, from the first lookup to the end of the
	// answer's body; 0 is DefaultTimeout.
	Timeout time.Duration
	// MaxResponse bounds the body of an answer in bytes, as it is after
	// decompression; 0 is DefaultMaxResponse.
	MaxResponse int64
	// Idle and IdlePerHost are how many connections are kept for later requests,
	// in all and to one host; 0 is DefaultIdle and DefaultIdlePerHost.
	Idle, IdlePerHost int
	// Ports lists the ports that may be reached; none is every one.
	Ports []uint16
	// TLS, if non-nil, configures how servers are authenticated.
	TLS *tls.Config
}

// ErrTooLarge is the error of reading an answer behind MaxResponse.
var ErrTooLarge = errors.New("the answer is larger than allowed")

// New makes a client. It answers a redirect as it came, uses no proxy, and
// keeps no cookies. CloseIdleConnections ends what it keeps open.
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

// transport bounds the answers of another transport.
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

// CloseIdleConnections lets http.Client reach the connections.
func (t *transport) CloseIdleConnections() { t.base.CloseIdleConnections() }

// bounded fails once more than left bytes were read.
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
